SELECT habitId,
  sum(value) FILTER (WHERE value >= 0 AND dayKey > DATE '2026-06-30' - 7) AS value0,
  sum(value) FILTER (WHERE value >= 5 AND dayKey > DATE '2026-06-30' - 14) AS value1,
  sum(value) FILTER (WHERE value >= 10 AND dayKey > DATE '2026-06-30' - 21) AS value2,
  sum(value) FILTER (WHERE value >= 15 AND dayKey > DATE '2026-06-30' - 28) AS value3,
  sum(value) FILTER (WHERE value >= 20 AND dayKey > DATE '2026-06-30' - 35) AS value4,
  sum(value) FILTER (WHERE value >= 25 AND dayKey > DATE '2026-06-30' - 42) AS value5,
  sum(value) FILTER (WHERE value >= 30 AND dayKey > DATE '2026-06-30' - 49) AS value6,
  sum(value) FILTER (WHERE value >= 35 AND dayKey > DATE '2026-06-30' - 56) AS value7
FROM entries WHERE dayKey <= DATE '2026-06-30' GROUP BY habitId
