CREATE TEMP TABLE e AS SELECT DISTINCT userId, country, dayKey d FROM events WHERE dayKey>DATE '2026-05-04';
CREATE TEMP TABLE days AS SELECT (DATE '2026-06-01'+i::INT) r FROM range(30) t(i);
SELECT country, r, count(DISTINCT userId) AS value FROM e JOIN days ON d<=r AND d>r-28 GROUP BY 1,2 HAVING value>=5 ORDER BY 1,2
