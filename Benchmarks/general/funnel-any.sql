CREATE TEMP TABLE e AS SELECT userId, (dayKey - DATE '2025-01-01')::INT d, bit_or(1 << ((list_position(['app_opened', 'book_added', 'lesson_started', 'lesson_finished', 'results_viewed'], event)-1))) AS b FROM events GROUP BY 1,2;
CREATE TEMP VIEW g AS SELECT * FROM e;
CREATE TEMP TABLE k AS SELECT userId, max(bit_count(w)) k FROM (SELECT userId, bit_or(b) OVER (PARTITION BY userId ORDER BY d RANGE BETWEEN CURRENT ROW AND 29 FOLLOWING) w FROM g) GROUP BY 1;
SELECT n, (SELECT count(*) FROM k WHERE k.k>=n) AS value FROM range(1,6) t(n) ORDER BY 1
