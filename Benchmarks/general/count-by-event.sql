SELECT event, count(*) AS value FROM events GROUP BY 1 ORDER BY 1
