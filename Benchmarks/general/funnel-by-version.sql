CREATE TEMP TABLE e AS SELECT userId, event, dayKey, timestampUtc, coalesce(version, '') AS version FROM events;
CREATE TEMP TABLE s1 AS SELECT userId, timestampUtc AS began, dayKey AS start, version, timestampUtc AS at FROM e WHERE event='app_opened';
CREATE TEMP TABLE s2 AS SELECT s.userId, s.began, s.start, s.version, e.timestampUtc AS at FROM s1 s
  ASOF JOIN (SELECT userId, timestampUtc, dayKey FROM e WHERE event='book_added') e ON s.userId=e.userId AND s.at<=e.timestampUtc
  WHERE e.dayKey-s.start<30;
CREATE TEMP TABLE s3 AS SELECT s.userId, s.began, s.start, s.version, e.timestampUtc AS at FROM s2 s
  ASOF JOIN (SELECT userId, timestampUtc, dayKey FROM e WHERE event='lesson_started') e ON s.userId=e.userId AND s.at<=e.timestampUtc
  WHERE e.dayKey-s.start<30;
CREATE TEMP TABLE s4 AS SELECT s.userId, s.began, s.start, s.version, e.timestampUtc AS at FROM s3 s
  ASOF JOIN (SELECT userId, timestampUtc, dayKey FROM e WHERE event='lesson_finished') e ON s.userId=e.userId AND s.at<=e.timestampUtc
  WHERE e.dayKey-s.start<30;
CREATE TEMP TABLE s5 AS SELECT s.userId, s.began, s.start, s.version, e.timestampUtc AS at FROM s4 s
  ASOF JOIN (SELECT userId, timestampUtc, dayKey FROM e WHERE event='results_viewed') e ON s.userId=e.userId AND s.at<=e.timestampUtc
  WHERE e.dayKey-s.start<30;
CREATE TEMP TABLE best AS SELECT userId, k, arg_min(version, began) v FROM (
  SELECT userId, 1 k, version, began FROM s1 UNION ALL
  SELECT userId, 2 k, version, began FROM s2 UNION ALL
  SELECT userId, 3 k, version, began FROM s3 UNION ALL
  SELECT userId, 4 k, version, began FROM s4 UNION ALL
  SELECT userId, 5 k, version, began FROM s5
) GROUP BY 1,2;
CREATE TEMP TABLE users AS SELECT userId, max(k) k, arg_max(v, k) v FROM best GROUP BY 1;
SELECT v, n, count(*) FILTER (k>=n) AS value FROM users, range(1,6) t(n) GROUP BY 1,2 ORDER BY 1,2
