"""pandas, read by pyarrow. Usage: pandas_peer.py QUERY INPUT OUTPUT THREADS"""

import sys

import numpy as np
import pandas as pd
import pyarrow

QUERY, INPUT, OUTPUT, THREADS = sys.argv[1:5]
pyarrow.set_cpu_count(int(THREADS))

REFERENCE_DAY, FIRST_DAY = pd.Timestamp("2026-06-30"), pd.Timestamp("2025-07-01")
STEPS = ["app_opened", "book_added", "lesson_started", "lesson_finished", "results_viewed"]


def read(columns):
    if INPUT.endswith(".ndjson"):
        return pd.read_json(INPUT, lines=True, engine="pyarrow")[columns]
    return pd.read_csv(INPUT, usecols=columns, engine="pyarrow")


def days(column):
    return pd.to_datetime(column)


def habits():
    frame = read(["habitId", "dayKey", "value", "deletedAt"])
    frame = frame[frame.deletedAt.isna() | (frame.deletedAt == "")]
    frame["ago"] = (REFERENCE_DAY - days(frame.dayKey)).dt.days.astype("int32")
    frame["habitId"] = frame.habitId.astype("category")
    each = frame.groupby(["habitId", "ago"], observed=True).value.sum().reset_index()
    starts = (each.ago.diff() != 1) | (each.habitId.cat.codes.diff() != 0)
    each["run"], each["recent"] = starts.cumsum(), each.ago < 7
    runs = each.groupby(["habitId", "run"], observed=True).agg(
        length=("ago", "size"), newest=("ago", "min"), recent=("recent", "sum"), value=("value", "sum")).reset_index()
    runs["current"] = np.where(runs.newest == 0, runs.length, 0)
    result = runs.groupby("habitId", observed=True).agg(
        completed=("length", "sum"), current_streak=("current", "max"), best_streak=("length", "max"),
        momentum7=("recent", "sum"), total=("value", "sum"))
    result["weekly_completion"] = (result.momentum7.clip(upper=3) / 3).round(6)
    result["total"] = result.total.round(2)
    weeks = each.assign(week=each.ago // 7).groupby(["habitId", "week"], observed=True).size().rename("n").reset_index()
    full = weeks[weeks.n >= 3].copy()
    full["place"] = full.groupby("habitId", observed=True).cumcount()
    streaks = full[full.week == full.place].groupby("habitId", observed=True).size()
    result["weekly_streak"] = streaks.reindex(result.index).fillna(0).astype(int)
    return result.reset_index()


def funnel():
    """The latest start from which each event can be reached, step by step."""
    frame = read(["userId", "event", "dayKey", "timestampUtc"])
    frame["user"] = frame.userId.astype("category").cat.codes
    frame["day"] = days(frame.dayKey)
    frame["at"] = pd.to_datetime(frame.timestampUtc)
    frame = frame.sort_values("at", kind="stable")
    reached = frame.loc[frame.event == STEPS[0], ["user", "at", "day"]].rename(columns={"day": "start"})
    counts = [reached.user.nunique()]
    for name in STEPS[1:]:
        step = pd.merge_asof(frame.loc[frame.event == name, ["user", "at", "day"]], reached, on="at", by="user")
        reached = step[step.day - step.start < pd.Timedelta(days=30)][["user", "at", "start"]]
        counts.append(reached.user.nunique())
    return pd.DataFrame({"step": range(1, 6), "users": counts})


def distinct_days():
    frame = read(["userId", "dayKey"])
    number = (days(frame.dayKey) - FIRST_DAY).dt.days.to_numpy(np.int64)
    user = frame.userId.astype("category").cat.codes.to_numpy(np.int64)
    pairs = np.unique(user * 1000 + number)
    return pd.DataFrame({"user": pairs // 1000, "day": pairs % 1000})


def retention():
    pairs = distinct_days()
    cohort = pairs.groupby("user").day.transform("min")
    away = pairs.day - cohort
    sizes = pd.DataFrame({"cohort": cohort, "size": away == 0, 1: away == 1, 7: away == 7, 30: away == 30})
    sums = sizes.groupby("cohort").sum().reset_index()
    last = (REFERENCE_DAY - FIRST_DAY).days
    result = {"cohort": (FIRST_DAY + pd.to_timedelta(sums.cohort, unit="D")).dt.strftime("%Y-%m-%d")}
    for n in (1, 7, 30):
        is_over = sums.cohort + n <= last
        result[f"d{n}.eligible"] = sums["size"].where(is_over, 0)
        result[f"d{n}.returned"] = sums[n]
        result[f"d{n}.rate"] = (sums[n] / sums["size"]).round(6).where(is_over)
    return pd.DataFrame(result)


def actives():
    """A user counts from a day on to the day before the 28th after it, or to the next day of the user."""
    pairs = distinct_days()
    following = pairs.day.shift(-1).where(pairs.user == pairs.user.shift(-1), 9999)
    until = np.minimum(following, pairs.day + 28).astype(int)
    daily = np.bincount(pairs.day, minlength=365)[:365]
    ended = np.bincount(until[until < 365], minlength=365)
    at = pd.date_range(FIRST_DAY, REFERENCE_DAY).strftime("%Y-%m-%d")
    return pd.DataFrame({"at": at, "daily_actives": daily, "monthly_actives": np.cumsum(daily - ended)})


queries = {"habits": habits, "funnel": funnel, "retention": retention, "actives": actives}
queries[QUERY]().to_csv(OUTPUT, index=False)
