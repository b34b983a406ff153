SELECT dayKey, count(DISTINCT userId) AS value FROM events GROUP BY 1 HAVING value>=5 ORDER BY 1
