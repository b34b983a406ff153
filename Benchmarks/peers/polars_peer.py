"""Polars. Usage: polars_peer.py QUERY INPUT OUTPUT THREADS"""

import os
import sys
from datetime import date

QUERY, INPUT, OUTPUT, THREADS = sys.argv[1:5]
os.environ["POLARS_MAX_THREADS"] = THREADS

import polars as pl  # noqa: E402  (reads the number of threads when it is imported)

col = pl.col
REFERENCE_DAY, FIRST_DAY = date(2026, 6, 30), date(2025, 7, 1)
STEPS = ["app_opened", "book_added", "lesson_started", "lesson_finished", "results_viewed"]


def entries():
    types = {"id": pl.String, "userId": pl.String, "habitId": pl.String, "dayKey": pl.Date,
             "timestampUtc": pl.String, "value": pl.Float64, "deletedAt": pl.String}
    if INPUT.endswith(".ndjson"):
        frame = pl.scan_ndjson(INPUT, schema=types | {"dayKey": pl.String})
        frame = frame.with_columns(col("dayKey").str.to_date("%Y-%m-%d"))
    else:
        frame = pl.scan_csv(INPUT, schema=types)
    ago = (pl.lit(REFERENCE_DAY) - col("dayKey")).dt.total_days().cast(pl.Int32).alias("ago")
    return frame.filter(col("deletedAt").is_null()).select("habitId", ago, "value")


def events():
    types = {"userId": pl.String, "event": pl.String, "dayKey": pl.Date, "timestampUtc": pl.String}
    return pl.scan_csv(INPUT, schema=types)


def habits():
    days = entries().group_by("habitId", "ago").agg(col("value").sum())
    rows = days.sort("habitId", "ago")
    starts = (col("ago") - col("ago").shift(1) != 1) | (col("habitId") != col("habitId").shift(1))
    runs = rows.with_columns(starts.fill_null(True).cum_sum().alias("run")).group_by("habitId", "run").agg(
        pl.len().alias("length"), col("ago").min().alias("newest"), (col("ago") < 7).sum().alias("recent"),
        col("value").sum())
    result = runs.group_by("habitId").agg(
        col("length").sum().alias("completed"),
        pl.when(col("newest") == 0).then(col("length")).otherwise(0).max().alias("current_streak"),
        col("length").max().alias("best_streak"), col("recent").sum().alias("momentum7"),
        (col("recent").sum().clip(0, 3) / 3).round(6).alias("weekly_completion"),
        col("value").sum().round(2).alias("total"))
    weeks = days.group_by("habitId", (col("ago") // 7).alias("week")).agg(pl.len().alias("days"))
    full = weeks.filter(col("days") >= 3).sort("habitId", "week").with_columns(
        (pl.int_range(pl.len()).over("habitId")).alias("place"))
    streaks = full.filter(col("week") == col("place")).group_by("habitId").agg(pl.len().alias("weekly_streak"))
    return result.join(streaks, on="habitId", how="left").with_columns(col("weekly_streak").fill_null(0))


def funnel():
    """The latest start from which each event can be reached, step by step."""
    instant = col("timestampUtc").str.to_datetime("%Y-%m-%dT%H:%M:%S%.3fZ", time_unit="ms").alias("at")
    # The codes of the users and names are compared faster than their texts.
    all = events().select(col("userId").cast(pl.Categorical).to_physical().alias("user"),
                          col("event").cast(pl.Categorical).alias("event"), "dayKey", instant).collect()
    # The file is in the order of its instants, and a join needs no other order.
    all = all if all["at"].is_sorted() else all.sort("at")
    reached = all.filter(col("event") == STEPS[0]).select("user", "at", col("dayKey").alias("start"))
    counts = [reached["user"].n_unique()]
    for name in STEPS[1:]:
        step = all.filter(col("event") == name).select("user", "at", "dayKey")
        reached = (
            step.lazy().set_sorted("at").join_asof(reached.lazy().set_sorted("at"), on="at", by="user",
                                                   strategy="backward", check_sortedness=False)
            .filter((col("dayKey") - col("start")).dt.total_days() < 30).select("user", "at", "start").collect())
        counts.append(reached["user"].n_unique())
    return pl.LazyFrame({"step": range(1, 6), "users": counts})


def retention():
    days = events().select("userId", "dayKey").unique()
    first = days.group_by("userId").agg(col("dayKey").min().alias("cohort"))
    away = (col("dayKey") - col("cohort")).dt.total_days()
    sizes = days.join(first, on="userId").group_by("cohort").agg(
        (away == 0).sum().alias("size"), *((away == n).sum().alias(f"n{n}") for n in (1, 7, 30)))
    columns = [col("cohort")]
    for n in (1, 7, 30):
        is_over = col("cohort") + pl.duration(days=n) <= REFERENCE_DAY
        columns += [
            pl.when(is_over).then(col("size")).otherwise(0).alias(f"d{n}.eligible"),
            col(f"n{n}").alias(f"d{n}.returned"),
            pl.when(is_over).then((col(f"n{n}") / col("size")).round(6)).alias(f"d{n}.rate"),
        ]
    return sizes.select(columns)


def actives():
    """A user counts from a day on to the day before the 28th after it, or to the next day of the user."""
    number = (col("dayKey") - pl.lit(FIRST_DAY)).dt.total_days().cast(pl.Int32).alias("day")
    days = events().select("userId", number).unique().sort("userId", "day")
    until = pl.when(col("userId") == col("userId").shift(-1)).then(col("day").shift(-1)).otherwise(9999)
    stretches = days.select("day", pl.min_horizontal(until, col("day") + 28).alias("until"))
    changes = pl.concat([
        stretches.group_by("day").agg(pl.len().cast(pl.Int64).alias("daily"), pl.len().cast(pl.Int64).alias("change")),
        stretches.group_by(col("until").alias("day")).agg(
            pl.lit(0, pl.Int64).alias("daily"), (-pl.len().cast(pl.Int64)).alias("change")),
    ])
    sums = changes.group_by("day").agg(col("daily").sum(), col("change").sum()).sort("day")
    return sums.filter(col("day") < 365).select(
        (pl.lit(FIRST_DAY) + pl.duration(days=col("day"))).alias("at"), col("daily").alias("daily_actives"),
        col("change").cum_sum().alias("monthly_actives"))


queries = {"habits": habits, "funnel": funnel, "retention": retention, "actives": actives}
queries[QUERY]().sink_csv(OUTPUT, engine="streaming")
