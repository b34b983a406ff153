"""Python and its standard library, as one writes it by hand. Usage: plain_python.py QUERY INPUT OUTPUT THREADS

It runs on one thread, whatever THREADS says.
"""

import csv
import json
import sys
from datetime import date

QUERY, INPUT, OUTPUT = sys.argv[1:4]

REFERENCE_DAY, FIRST_DAY = date(2026, 6, 30).toordinal(), date(2025, 7, 1).toordinal()
STEPS = ["app_opened", "book_added", "lesson_started", "lesson_finished", "results_viewed"]
known_days = {}


def day(text):
    number = known_days.get(text)
    if number is None:
        number = known_days[text] = date.fromisoformat(text).toordinal()
    return number


def rows():
    with open(INPUT, newline="") as file:
        reader = csv.reader(file)
        next(reader)
        yield from reader


def entries():
    """Live ones: habit, day, value."""
    if INPUT.endswith(".ndjson"):
        with open(INPUT) as file:
            for line in file:
                row = json.loads(line)
                if row["deletedAt"] is None:
                    yield row["habitId"], row["dayKey"], row["value"]
    else:
        for _, _, habit, key, _, value, deleted in rows():
            if not deleted:
                yield habit, key, float(value)


def habits():
    found = {}
    for habit, key, value in entries():
        state = found.get(habit)
        if state is None:
            state = found[habit] = [set(), 0.0]
        state[0].add(REFERENCE_DAY - day(key))
        state[1] += value
    yield ["habitId", "completed", "current_streak", "best_streak", "momentum7", "weekly_completion",
           "weekly_streak", "total"]
    for habit, (days, total) in found.items():
        current = 0
        while current in days:
            current += 1
        best = 0
        for start in days:
            if start - 1 not in days:
                length = 1
                while start + length in days:
                    length += 1
                best = max(best, length)
        weeks = {}
        for ago in days:
            weeks[ago // 7] = weeks.get(ago // 7, 0) + 1
        full = 0
        while weeks.get(full, 0) >= 3:
            full += 1
        recent = weeks.get(0, 0)
        yield [habit, len(days), current, best, recent, round(min(recent, 3) / 3, 6), full, round(total, 2)]


def funnel():
    """The latest start from which each step can be reached so far, event by event."""
    places = {name: place for place, name in enumerate(STEPS)}
    users = {}
    for user, event, key, instant in rows():
        users.setdefault(user, []).append((instant, places[event], day(key)))
    counts = [0] * len(STEPS)
    for events in users.values():
        events.sort()
        starts, furthest = [None] * len(STEPS), 0
        for _, step, at in events:
            if step == 0:
                starts[0] = at
                furthest = max(furthest, 1)
            elif starts[step - 1] is not None and at - starts[step - 1] < 30:
                starts[step] = starts[step - 1]
                furthest = max(furthest, step + 1)
        for step in range(furthest):
            counts[step] += 1
    yield ["step", "users"]
    yield from enumerate(counts, start=1)


def days_of_users():
    users = {}
    for user, _, key, _ in rows():
        users.setdefault(user, set()).add(day(key))
    return users


def retention():
    cohorts = {}
    for days in days_of_users().values():
        first = min(days)
        counts = cohorts.setdefault(first, [0, 0, 0, 0])
        for index, away in enumerate((0, 1, 7, 30)):
            counts[index] += first + away in days
    yield ["cohort"] + [f"d{n}.{part}" for n in (1, 7, 30) for part in ("eligible", "returned", "rate")]
    for first, (size, *returned) in cohorts.items():
        row = [date.fromordinal(first).isoformat()]
        for away, number in zip((1, 7, 30), returned):
            is_over = first + away <= REFERENCE_DAY
            row += [size if is_over else 0, number, round(number / size, 6) if is_over else ""]
        yield row


def actives():
    """A user counts from a day on to the day before the 28th after it, or to the next day of the user."""
    daily, changes = [0] * 365, [0] * 800
    for days in days_of_users().values():
        ordered = sorted(days)
        for at, following in zip(ordered, ordered[1:] + [10**9]):
            daily[at - FIRST_DAY] += 1
            changes[at - FIRST_DAY] += 1
            changes[min(at + 28, following if following < 10**9 else at + 28) - FIRST_DAY] -= 1
    yield ["at", "daily_actives", "monthly_actives"]
    active = 0
    for number in range(365):
        active += changes[number]
        yield [date.fromordinal(FIRST_DAY + number).isoformat(), daily[number], active]


with open(OUTPUT, "w", newline="") as file:
    queries = {"habits": habits, "funnel": funnel, "retention": retention, "actives": actives}
    csv.writer(file).writerows(queries[QUERY]())
