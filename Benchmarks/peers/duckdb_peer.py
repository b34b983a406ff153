"""DuckDB. Usage: duckdb_peer.py QUERY INPUT OUTPUT THREADS"""

import sys

import duckdb

QUERY, INPUT, OUTPUT, THREADS = sys.argv[1:5]

ENTRY_COLUMNS = {
    "id": "VARCHAR", "userId": "VARCHAR", "habitId": "VARCHAR", "dayKey": "DATE", "timestampUtc": "VARCHAR",
    "value": "DOUBLE", "deletedAt": "VARCHAR",
}
EVENT_COLUMNS = {"userId": "VARCHAR", "event": "VARCHAR", "dayKey": "DATE", "timestampUtc": "TIMESTAMP"}


def source(columns):
    if INPUT.endswith(".ndjson"):
        needed = {name: columns[name] for name in columns if name not in ("id", "userId", "timestampUtc")}
        return f"read_ndjson('{INPUT}', columns={needed})"
    return f"read_csv('{INPUT}', auto_detect=false, header=true, delim=',', quote='\"', columns={columns})"


# One aggregation makes a string of bits for each habit, the reference day first; all else reads the bits.
HABITS = f"""
WITH entries AS (
  SELECT habitId, (DATE '2026-06-30' - dayKey)::INTEGER AS ago, value
  FROM {source(ENTRY_COLUMNS)} WHERE deletedAt IS NULL
),
habits AS (
  SELECT habitId, bitstring_agg(ago, 0, 370)::VARCHAR AS days, round(sum(value), 2) AS total
  FROM entries GROUP BY habitId
)
SELECT habitId,
  len(replace(days, '0', '')) AS completed,
  instr(days, '0') - 1 AS current_streak,
  list_max(list_transform(string_split(days, '0'), lambda run: len(run))) AS best_streak,
  len(replace(days[1:7], '0', '')) AS momentum7,
  round(least(len(replace(days[1:7], '0', '')), 3) / 3, 6) AS weekly_completion,
  list_position(
    list_transform(range(53), lambda week: len(replace(days[week * 7 + 1:week * 7 + 7], '0', '')) >= 3), false
  ) - 1 AS weekly_streak,
  total
FROM habits
"""

# The latest start from which each event can be reached, step by step: of the events of the step before that
# are not later, the last one has the latest start.
STEPS = ["app_opened", "book_added", "lesson_started", "lesson_finished", "results_viewed"]


def steps():
    """The funnel in steps, each a table of its own, so that no step is computed twice."""
    yield f"CREATE TEMP TABLE events AS SELECT * FROM {source(EVENT_COLUMNS)}"
    yield (
        "CREATE TEMP TABLE s1 AS SELECT userId, timestampUtc AS at, dayKey AS start FROM events "
        "WHERE event = 'app_opened'"
    )
    for number, event in enumerate(STEPS[1:], start=2):
        yield f"""CREATE TEMP TABLE s{number} AS
  SELECT e.userId, e.timestampUtc AS at, s.start
  FROM (SELECT * FROM events WHERE event = '{event}') e ASOF JOIN s{number - 1} s
  ON e.userId = s.userId AND e.timestampUtc >= s.at
  WHERE e.dayKey - s.start < 30"""


FUNNEL_RESULT = " UNION ALL ".join(
    f"SELECT {n} AS step, count(DISTINCT userId) AS users FROM s{n}" for n in range(1, 6)
)

RETENTION = f"""
WITH users AS (
  SELECT userId, min(dayKey) AS cohort, list(dayKey) AS days FROM {source(EVENT_COLUMNS)} GROUP BY userId
),
cohorts AS (
  SELECT cohort, count(*) AS size,
    count(*) FILTER (list_contains(days, cohort + 1)) AS n1,
    count(*) FILTER (list_contains(days, cohort + 7)) AS n7,
    count(*) FILTER (list_contains(days, cohort + 30)) AS n30
  FROM users GROUP BY cohort
)
SELECT cohort, {", ".join(
    f'''CASE WHEN cohort + {n} <= DATE '2026-06-30' THEN size ELSE 0 END AS "d{n}.eligible", n{n} AS "d{n}.returned",
    CASE WHEN cohort + {n} <= DATE '2026-06-30' THEN round(n{n} / size, 6) END AS "d{n}.rate"''' for n in (1, 7, 30)
)}
FROM cohorts
"""

# A user counts from a day on to the day before the 28th after it, or to the next day of the user.
ACTIVES = f"""
WITH days AS (
  SELECT DISTINCT userId, (dayKey - DATE '2025-07-01')::INTEGER AS day FROM {source(EVENT_COLUMNS)}
),
stretches AS (
  SELECT day, least(day + 28, coalesce(lead(day) OVER (PARTITION BY userId ORDER BY day), 9999)) AS until FROM days
),
changes AS (
  SELECT day, count(*) AS daily, count(*) AS change FROM stretches GROUP BY day
  UNION ALL SELECT until, 0, -count(*) FROM stretches GROUP BY until
),
sums AS (SELECT day, sum(daily) AS daily, sum(change) AS change FROM changes GROUP BY day)
SELECT DATE '2025-07-01' + day AS at, daily AS daily_actives, monthly_actives FROM (
  SELECT day, daily, sum(change) OVER (ORDER BY day ROWS UNBOUNDED PRECEDING) AS monthly_actives FROM sums
) WHERE day < 365
"""

connection = duckdb.connect()
connection.execute(f"SET threads={THREADS}; SET preserve_insertion_order=false")
result = {"habits": HABITS, "funnel": FUNNEL_RESULT, "retention": RETENTION, "actives": ACTIVES}[QUERY]
if QUERY == "funnel":
    for step in steps():
        connection.execute(step)
connection.execute(f"COPY ({result}) TO '{OUTPUT}' (HEADER)")
