SELECT country, count(*) AS value FROM events GROUP BY 1 HAVING count(DISTINCT userId)>=5 ORDER BY 1
