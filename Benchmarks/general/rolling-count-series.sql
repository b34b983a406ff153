CREATE TEMP TABLE e AS SELECT userId, dayKey d, count(*) FILTER (event='lesson_started') n FROM events GROUP BY 1,2;
CREATE TEMP TABLE u AS SELECT DISTINCT userId FROM e;CREATE TEMP TABLE days AS SELECT (DATE '2026-06-01'+i::INT) r FROM range(30) t(i);
SELECT u.userId, r, coalesce(n,0) AS value FROM u CROSS JOIN days LEFT JOIN (SELECT userId, r, sum(n) n FROM e JOIN days ON d<=r AND d>r-28 WHERE n>0 AND d>DATE '2026-05-04' GROUP BY 1,2) x USING (userId,r) ORDER BY 1,2
