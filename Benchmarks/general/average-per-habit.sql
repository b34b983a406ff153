SELECT habitId, round(avg(value),6) AS value FROM entries GROUP BY 1 ORDER BY 1
