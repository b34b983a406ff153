#!/usr/bin/env python3
"""Makes the sample dataset in this folder: three people, nine habits and one that begins, the first half of 2026.

    python3 Definitions/Habits/Sample/make.py            writes beside the script
    python3 Definitions/Habits/Sample/make.py FOLDER     writes elsewhere, to compare

Everything is invented. The same script writes the same bytes every time: the only chance in it comes
from a seeded generator, and no clock and no time zone database are read.
"""

import csv
import json
import random
import sys
from datetime import date, datetime, timedelta
from pathlib import Path

FOLDER = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
FIRST, LAST = date(2026, 1, 1), date(2026, 6, 30)
SUMMER_EUROPE, SUMMER_AMERICA = date(2026, 3, 29), date(2026, 3, 8)

# Where a person is from which day on, in hours from UTC. Berlin and New York change their clocks; Aiko
# lives in Lisbon and travels to Tokyo, Auckland and Los Angeles and back. No DayKey ever follows suit.
ZONES = {
    "mara": [(FIRST, 1), (SUMMER_EUROPE, 2)],
    "jonas": [(FIRST, -5), (SUMMER_AMERICA, -4)],
    "aiko": [
        (FIRST, 0),
        (date(2026, 2, 10), 9),
        (date(2026, 3, 4), 13),
        (date(2026, 3, 10), -7),
        (date(2026, 4, 6), 1),
    ],
}

# id, name, cadence, kind, weekly target, unit; how likely an entry is from which day on; the hour at
# which it is usually written; the least and the greatest amount of an entry.
HABITS = [
    ("mara-read", "Read before sleep", "daily", "binary", None, None,
     [(FIRST, 0.9), (date(2026, 2, 20), 0.35), (date(2026, 3, 12), 0.93), (date(2026, 6, 12), 1)],
     22.6, None),
    ("mara-run", "Run", "weekly", "frequency", 3, "km",
     [(FIRST, 0.5), (date(2026, 4, 13), 0.12), (date(2026, 5, 11), 0.6)], 7.2, (3, 9)),
    ("mara-walk", "Walk", "weekly", "quantity", 20, "km",
     [(FIRST, 0.6), (date(2026, 5, 25), 0.75)], 17.5, (2, 8)),
    ("jonas-draw", "One sketch a day", "daily", "binary", None, None,
     [(FIRST, 1), (date(2026, 2, 11), 0.55), (date(2026, 4, 1), 0.1), (date(2026, 5, 20), 0.45)], 20.9, None),
    ("jonas-swim", "Swim", "weekly", "binary", None, None,
     [(FIRST, 0.16), (date(2026, 4, 20), 0.3)], 6.8, None),
    ("jonas-cycle", "Cycle to work", "weekly", "quantity", 60, "km",
     [(FIRST, 0.15), (date(2026, 3, 20), 0.65)], 8.1, (9, 24)),
    ("aiko-journal", "Three lines a day", "daily", "binary", None, None,
     [(FIRST, 0.97), (date(2026, 2, 3), 1), (date(2026, 4, 30), 0.8), (date(2026, 6, 8), 1)], 23.2, None),
    ("aiko-stretch", "Stretch", "weekly", "frequency", 4, None,
     [(FIRST, 0.6), (date(2026, 2, 10), 0.4), (date(2026, 4, 6), 0.75)], 6.4, None),
    ("aiko-piano", "Piano", "weekly", "quantity", 150, "minutes",
     [(FIRST, 0.55), (date(2026, 2, 10), 0), (date(2026, 4, 6), 0.7)], 18.7, (15, 60)),
]

# A habit to do less of, which nobody has looked at yet.
BEGINS = {"id": "mara-sweets", "userId": "mara", "name": "Fewer sweets", "cadence": "weekly", "aim": "less"}

GOALS = [
    {"id": "mara-1200-km", "userId": "mara", "name": "1,200 km on foot", "unit": "km", "target": 1200},
    {"id": "jonas-100-sketches", "userId": "jonas", "name": "A hundred sketches", "target": 100},
    {"id": "aiko-sonata", "userId": "aiko", "name": "Learn the sonata", "unit": "minutes", "target": 3600},
    {"id": "round-the-lake", "name": "Eight times round Lake Constance", "unit": "km", "target": 2184},
]

BUNDLES = [("mara-on-foot", "Mara on foot"), ("everybody-moves", "Everybody moves")]

# bundle, habit or inner bundle
MEMBERS = [
    ("mara-on-foot", "mara-run", None),
    ("mara-on-foot", "mara-walk", None),
    ("everybody-moves", "jonas-cycle", None),
    ("everybody-moves", None, "mara-on-foot"),
]

# goal, habit or bundle, contribution. Mara's walks reach the lake by two links, and count once.
LINKS = [
    ("mara-1200-km", None, "mara-on-foot", "sum"),
    ("jonas-100-sketches", "jonas-draw", None, "count"),
    ("aiko-sonata", "aiko-piano", None, "sum"),
    ("round-the-lake", None, "everybody-moves", "sum"),
    ("round-the-lake", "mara-walk", None, "sum"),
]

# Days that the story needs, whatever chance says.
ALWAYS = {("mara-read", date(2026, 6, 29)), ("jonas-draw", date(2026, 6, 28))}
NEVER = {("mara-read", date(2026, 6, 11)), ("jonas-draw", date(2026, 2, 11)), ("jonas-draw", LAST),
         ("aiko-journal", date(2026, 2, 2)), ("aiko-journal", date(2026, 6, 7))}


def current(steps, day):
    """The value of the last step that starts on or before a day."""
    return [value for start, value in steps if start <= day][-1]


def instant(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def entries():
    """Every entry in the order of days: id, habit, DayKey, instant, amount, deletion."""
    chance = random.Random(20260630)
    rows = []
    for number in range((LAST - FIRST).days + 1):
        day = FIRST + timedelta(days=number)
        for id, _, _, _, _, unit, likely, hour, amounts in HABITS:
            draws = [chance.random() for _ in range(6)]  # the same number for each day, used or not
            done = draws[0] < current(likely, day) or (id, day) in ALWAYS
            if not done or (id, day) in NEVER:
                continue
            offset = current(ZONES[id.split("-")[0]], day)
            # Up to 80 minutes around the usual hour, and never across the local midnight.
            seconds = int(min(max(hour * 3600 + (draws[1] - 0.5) * 9600, 600), 86340))
            local = datetime(day.year, day.month, day.day) + timedelta(seconds=seconds)
            utc = local - timedelta(hours=offset)
            amount = ""
            if amounts:
                step = 5 if unit == "minutes" else 0.5
                low, high = amounts
                amount = f"{low + round(draws[2] * (high - low) / step) * step:g}"
            # One in thirty was added by hand afterwards, so nobody knows the instant.
            written = "" if draws[3] < 1 / 30 else instant(utc)
            rows.append([id, day, written, amount, ""])
            if draws[4] < 1 / 40:  # a second tap, taken back a moment later
                again = utc + timedelta(seconds=20)
                rows.append([id, day, instant(again), amount, instant(again + timedelta(seconds=15))])
            elif draws[5] < 1 / 60 and id != "aiko-journal":  # written for the wrong habit, taken back later
                rows[-1][4] = instant(utc + timedelta(minutes=40))
    return [[f"e{number:04}", *row] for number, row in enumerate(rows, 1)]


def write_csv(name, header, rows):
    with open(FOLDER / name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows([["" if cell is None else cell for cell in row] for row in rows])


def write_habits():
    keys = ["id", "userId", "name", "cadence", "kind", "weeklyTarget", "unit"]
    with open(FOLDER / "Habit.ndjson", "w", encoding="utf-8", newline="") as file:
        for id, name, cadence, kind, target, unit, *_ in HABITS:
            values = [id, id.split("-")[0], name, cadence, kind, target, unit]
            record = {key: value for key, value in zip(keys, values) if value is not None}
            file.write(json.dumps(record) + "\n")
        file.write(json.dumps(BEGINS) + "\n")


def write_goals():
    lines = ",\n".join("  " + json.dumps(goal) for goal in GOALS)
    with open(FOLDER / "Goal.json", "w", encoding="utf-8", newline="") as file:
        file.write(f"[\n{lines}\n]\n")


def main():
    write_csv("User.csv", ["id"], [[person] for person in ZONES])
    write_habits()
    write_goals()
    write_csv("Bundle.csv", ["id", "name"], BUNDLES)
    write_csv("BundleMember.csv", ["bundleId", "habitId", "childBundleId"], MEMBERS)
    write_csv("GoalLink.csv", ["id", "goalId", "habitId", "bundleId", "contribution"],
              [[f"l{number}", *link] for number, link in enumerate(LINKS, 1)])
    write_csv("HabitEntry.csv", ["id", "habitId", "dayKey", "timestampUtc", "value", "deletedAt"], entries())


if __name__ == "__main__":
    main()
