CREATE TEMP TABLE e AS SELECT userId, (dayKey - DATE '2025-01-01')::INT d, bit_or(1 << ((list_position(['app_opened', 'book_added', 'lesson_started', 'lesson_finished', 'results_viewed'], event)-1))) AS b FROM events GROUP BY 1,2;
CREATE TEMP VIEW g AS SELECT * FROM e;
CREATE TEMP TABLE days AS SELECT (DATE '2026-06-01'+i::INT) r FROM range(30) t(i);
CREATE TEMP TABLE w AS SELECT userId, d, bit_or(b) OVER (PARTITION BY userId ORDER BY d RANGE BETWEEN 29 PRECEDING AND CURRENT ROW) w FROM g;
CREATE TEMP TABLE k AS SELECT userId, n, min(d) d FROM w JOIN range(1,6) t(n) ON bit_count(w)>=n GROUP BY 1,2;
SELECT r, n, count(*) AS value FROM days JOIN k ON DATE '2025-01-01'+k.d<=r GROUP BY 1,2 ORDER BY 1,2
