CREATE TEMP TABLE d AS SELECT habitId, dayKey d FROM entries GROUP BY 1,2;
CREATE TEMP TABLE f AS SELECT habitId, min(d) f, max(d) l FROM d GROUP BY 1;
CREATE TEMP TABLE cal AS SELECT (DATE '2025-07-01'+i::INT) d FROM range(365) t(i);
CREATE TEMP TABLE x AS SELECT f.habitId, cal.d, d.d IS NOT NULL ok, row_number() OVER (PARTITION BY f.habitId ORDER BY cal.d DESC) k FROM f JOIN cal ON cal.d>=f LEFT JOIN d ON d.habitId=f.habitId AND d.d=cal.d WHERE d.d IS NOT NULL OR isodow(cal.d)<6;
CREATE TEMP TABLE mm AS SELECT habitId, max(k) n, min(k) FILTER (NOT ok) b0, min(k) FILTER (NOT ok AND k>1) b1 FROM x GROUP BY 1;
SELECT habitId, greatest(coalesce(b0-1,n), coalesce(b1-2,n-1)) AS value FROM mm ORDER BY 1
