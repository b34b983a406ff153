SELECT habitId, round(avg(value),6) AS value1, min(value) AS value2, max(value) AS value3, quantile_disc(value,0.9) AS value4 FROM entries GROUP BY 1 ORDER BY 1
