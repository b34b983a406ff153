CREATE TEMP TABLE d AS SELECT habitId, dayKey d FROM entries GROUP BY 1,2;
CREATE TEMP TABLE u AS SELECT DISTINCT habitId FROM d;CREATE TEMP TABLE days AS SELECT (DATE '2026-06-01'+i::INT) r FROM range(30) t(i);
CREATE TEMP TABLE b AS SELECT habitId, sum(pow(0.5, (DATE '2026-05-31'-d)/7.0)) s FROM d WHERE d<DATE '2026-06-01' GROUP BY 1;
SELECT habitId, d, round((1-pow(0.5,1/7.0))*(coalesce(s,0)*pow(0.5,(d-DATE '2026-05-31')/7.0)+acc*pow(0.5,(d-DATE '2026-05-31')/7.0)),6) AS value FROM (SELECT u.habitId, r d, s, sum(CASE WHEN x.d IS NULL THEN 0 ELSE pow(2.0,(r-DATE '2026-05-31')/7.0) END) OVER (PARTITION BY u.habitId ORDER BY r) acc FROM u CROSS JOIN days LEFT JOIN d x ON x.habitId=u.habitId AND x.d=r LEFT JOIN b ON b.habitId=u.habitId) ORDER BY 1,2
