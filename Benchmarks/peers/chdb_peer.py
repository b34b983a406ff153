"""chDB (ClickHouse in the process). Usage: chdb_peer.py QUERY INPUT OUTPUT THREADS"""

import sys

import chdb

QUERY, INPUT, OUTPUT, THREADS = sys.argv[1:5]

IS_JSON = INPUT.endswith(".ndjson")
ENTRIES = (
    f"file('{INPUT}', 'JSONEachRow', 'habitId String, dayKey Date, value Float64, deletedAt Nullable(String)')"
    if IS_JSON
    else f"file('{INPUT}', 'CSVWithNames', 'id String, userId String, habitId String, dayKey Date,"
    " timestampUtc String, value Float64, deletedAt String')"
)


def events(instant="String"):
    structure = f"userId String, event LowCardinality(String), dayKey Date, timestampUtc {instant}"
    return f"file('{INPUT}', 'CSVWithNames', '{structure}')"


# Days before the reference day, rising: a run ends where the distance to the next is not 1; the third day of a
# week makes it complete.
HABITS = f"""
SELECT habitId, length(days) AS completed, if(days[1] = 0, runs[1], 0) AS current_streak,
  arrayMax(runs) AS best_streak, arrayCount(d -> d < 7, days) AS momentum7,
  round(least(momentum7, 3) / 3, 6) AS weekly_completion,
  arrayCount((week, place) -> week = place - 1, full, arrayEnumerate(full)) AS weekly_streak, total
FROM (
  SELECT habitId, arraySort(groupUniqArray(ago)) AS days,
    arrayMap(x -> length(x), arraySplit((d, gap) -> gap != 1, days, arrayDifference(days))) AS runs,
    arrayMap(d -> intDiv(d, 7), days) AS weeks,
    arrayFilter((week, number) -> number = 3, weeks, arrayEnumerateUniq(weeks)) AS full,
    round(sum(value), 2) AS total
  FROM (
    SELECT habitId, toInt32(toDate('2026-06-30') - dayKey) AS ago, value FROM {ENTRIES}
    WHERE {"deletedAt IS NULL" if IS_JSON else "deletedAt = ''"}
  ) GROUP BY habitId
)"""

INSTANTS = events("DateTime64(3, \\'UTC\\')")

# Every day is made twice as long and its second half left empty, so that a window of whole days becomes one of
# milliseconds: what is 29 days apart is then less than 59 days apart, and what is 30 days apart more.
FUNNEL = f"""
SELECT step, countIf(reached >= step) AS users FROM (
  SELECT userId, windowFunnel(5097600000)(
    toUInt64(toUnixTimestamp64Milli(timestampUtc) + toUInt32(dayKey) * 86400000),
    event = 'app_opened', event = 'book_added', event = 'lesson_started', event = 'lesson_finished',
    event = 'results_viewed') AS reached
  FROM {INSTANTS} GROUP BY userId
) ARRAY JOIN [1, 2, 3, 4, 5] AS step GROUP BY step ORDER BY step"""

RETENTION = f"""
SELECT cohort, {", ".join(
    f'''if(cohort + {n} <= toDate('2026-06-30'), size, 0) AS `d{n}.eligible`, n{n} AS `d{n}.returned`,
    if(cohort + {n} <= toDate('2026-06-30'), round(n{n} / size, 6), NULL) AS `d{n}.rate`''' for n in (1, 7, 30)
)} FROM (
  SELECT cohort, count() AS size, sum(has(days, cohort + 1)) AS n1, sum(has(days, cohort + 7)) AS n7,
    sum(has(days, cohort + 30)) AS n30
  FROM (SELECT userId, groupUniqArray(dayKey) AS days, min(dayKey) AS cohort FROM {events()} GROUP BY userId)
  GROUP BY cohort
)"""

# A user counts from a day on to the day before the 28th after it, or to the next day of the user.
ACTIVES = f"""
SELECT * FROM (
  SELECT change.1 AS at, sum(change.2) AS daily_actives,
    sum(sum(change.3)) OVER (ORDER BY at ROWS UNBOUNDED PRECEDING) AS monthly_actives
  FROM (
    SELECT arraySort(groupUniqArray(dayKey)) AS days,
      arrayPushBack(arrayPopFront(days), toDate('2099-01-01')) AS next
    FROM {events()} GROUP BY userId
  ) ARRAY JOIN arrayConcat(
    arrayMap(d -> (d, 1, 1), days), arrayMap((d, n) -> (least(d + 28, n), 0, -1), days, next)
  ) AS change
  GROUP BY at
) WHERE at <= '2026-06-30'"""

query = {"habits": HABITS, "funnel": FUNNEL, "retention": RETENTION, "actives": ACTIVES}[QUERY]
chdb.query(f"{query} INTO OUTFILE '{OUTPUT}' TRUNCATE FORMAT CSVWithNames SETTINGS max_threads={THREADS}")
