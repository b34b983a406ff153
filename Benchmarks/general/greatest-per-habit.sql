SELECT habitId, max(value) AS value FROM entries GROUP BY 1 ORDER BY 1
