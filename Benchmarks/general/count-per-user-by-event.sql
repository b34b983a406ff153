SELECT userId, event, count(*) AS value FROM events GROUP BY 1,2 ORDER BY 1,2
