SELECT country, quantile_disc(amount,0.5) AS value1, quantile_disc(amount,0.9) AS value2 FROM events GROUP BY 1 ORDER BY 1
