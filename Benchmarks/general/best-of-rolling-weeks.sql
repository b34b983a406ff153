CREATE TEMP TABLE e AS SELECT userId, dayKey d, count(*) n FROM events WHERE event='lesson_started' GROUP BY 1,2;
CREATE TEMP TABLE w AS SELECT userId, r, sum(n) n FROM (SELECT userId, d+i::INT r, n FROM e, range(7) t(i)) WHERE r<=DATE '2026-06-30' GROUP BY 1,2 HAVING sum(n)>=2;
SELECT userId, max(k) AS value FROM (SELECT userId, count(*) k FROM (SELECT userId, (r-DATE '2000-01-01')%7 p, (r-DATE '2000-01-01')//7 - row_number() OVER (PARTITION BY userId,(r-DATE '2000-01-01')%7 ORDER BY r) g FROM w) GROUP BY userId,p,g) GROUP BY 1 ORDER BY 1
