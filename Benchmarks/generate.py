#!/usr/bin/env python3
"""Generates the data of the benchmarks: invented habit entries and app events of one year.

    python3 generate.py entries 1e6 entries.csv entries.ndjson
    python3 generate.py events 1e6 events.csv

The same number of rows gives the same bytes on every machine: nothing but Python's own generator is used,
whose numbers are fixed by its seed. Rows come in the order of their instants, as an app writes them.
"""

import array
import datetime
import math
import random
import sys

REFERENCE_DAY = datetime.date(2026, 6, 30)
DAYS = 365
FIRST_DAY = REFERENCE_DAY - datetime.timedelta(days=DAYS - 1)
DAY_NAMES = [(FIRST_DAY + datetime.timedelta(days=i)).isoformat() for i in range(DAYS)]
MILLISECONDS = 86_400_000
EVENT_NAMES = ["app_opened", "book_added", "lesson_started", "lesson_finished", "results_viewed"]
HABITS_PER_USER = 5


def instant(day, millisecond):
    """`2026-06-30T05:00:00.123Z`; a time behind the last day of the year stays on it."""
    day, millisecond = min(day + millisecond // MILLISECONDS, DAYS - 1), millisecond % MILLISECONDS
    second, millisecond = divmod(millisecond, 1000)
    minute, second = divmod(second, 60)
    hour, minute = divmod(minute, 60)
    return f"{DAY_NAMES[day]}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z"


def logged_habits(habit_count, generator):
    """For each day the habits with an entry, some of them twice or more.

    Each habit is a chain of two states, done and not done, with chances of its own to stay in one, so that
    runs of all lengths come about.
    """
    chance = generator.random
    stays = [0.55 + 0.42 * chance() for _ in range(habit_count)]
    starts = [0.02 + 0.13 * chance() for _ in range(habit_count)]
    done = [chance() < 0.25 for _ in range(habit_count)]
    days = []
    for _ in range(DAYS):
        done = [chance() < (stays[h] if done[h] else starts[h]) for h in range(habit_count)]
        today = array.array("i", (h for h in range(habit_count) if done[h]))
        # Every seventh is logged again, and some a third and a fourth time.
        for share in (0.15, 0.05, 0.01):
            today.extend([h for h in today[: sum(done)] if chance() < share])
        days.append(today)
    return days


def amount(generator):
    """A value as people type it: half of them whole, the others with one or two digits."""
    cents, kind = 1 + int(generator.random() * 5999), generator.random()
    if kind < 0.5:
        return str(cents // 100 + 1)
    if kind < 0.8:
        return f"{cents // 10 / 10:g}" if cents >= 10 else "0.1"
    return f"{cents // 100}.{cents % 100:02}".rstrip("0").rstrip(".") or "0"


def write_entries(count, csv_path, json_path):
    """Exactly `count` entries; about one habit for a hundred of them."""
    generator = random.Random(20260630)
    chance = generator.random
    users = max(1, count // 500)
    days = logged_habits(users * HABITS_PER_USER, generator)
    left, needed, number = sum(map(len, days)), count, 0
    width = max(5, len(str(users)))
    names = [f"u{h // HABITS_PER_USER + 1:0{width}}" for h in range(users * HABITS_PER_USER)]
    with open(csv_path, "w") as table, open(json_path, "w") as lines:
        table.write("id,userId,habitId,dayKey,timestampUtc,value,deletedAt\n")
        for day, habits in enumerate(days):
            rows = []
            for habit in habits:
                # Each of those that are left is taken with the chance that makes the number exact.
                if chance() * left < needed:
                    needed -= 1
                    rows.append((int((5 + 19 * chance()) * 3_600_000), habit))
                left -= 1
            rows.sort()
            for time, habit in rows:
                number += 1
                key, user, at, value = DAY_NAMES[day], names[habit], instant(day, time), amount(generator)
                deleted = instant(day, time + int(1000 + chance() * 10_800_000)) if chance() < 0.02 else ""
                name = f"{user}-h{habit % HABITS_PER_USER + 1}"
                table.write(f"e{number:07},{user},{name},{key},{at},{value},{deleted}\n")
                deleted = f'"{deleted}"' if deleted else "null"
                lines.write(
                    f'{{"id":"e{number:07}","userId":"{user}","habitId":"{name}","dayKey":"{key}",'
                    f'"timestampUtc":"{at}","value":{value},"deletedAt":{deleted}}}\n'
                )
    return number


def write_events(count, csv_path):
    """Exactly `count` events; about one user for fifty of them, a few of whom make most of them."""
    generator = random.Random(20260701)
    chance = generator.random
    users = max(1, count // 50)
    first = [int(chance() * 340) for _ in range(users)]
    activity = [generator.gammavariate(1.2, 1.0) + 0.02 for _ in range(users)]
    never_adds = [chance() < 0.3 for _ in range(users)]
    never_views = [chance() < 0.2 for _ in range(users)]
    days = [[] for _ in range(DAYS)]

    def add(user, day, time, event):
        if (event == 1 and never_adds[user]) or (event == 4 and never_views[user]):
            event = 0
        days[day].append((time * 5 + event) << 32 | user)

    for user in range(users):
        add(user, first[user], int(chance() * 5 * 3_600_000), 0 if chance() < 0.93 else 2)
    others = generator.choices(range(users), weights=activity, k=count - users)
    events = generator.choices(range(5), weights=[45, 10, 22, 15, 8], k=count - users)
    for user, event in zip(others, events):
        # Most come back soon after their first day, some much later.
        away = int(200 * chance()) if chance() < 0.12 else int(-25 * math.log(1 - chance()))
        day = first[user] + away % (DAYS - first[user])
        add(user, day, int((5 + 19 * chance()) * 3_600_000), event)
    width = max(6, len(str(users)))
    with open(csv_path, "w") as table:
        table.write("userId,event,dayKey,timestampUtc\n")
        for day, rows in enumerate(days):
            rows.sort()
            for row in rows:
                time, event = divmod(row >> 32, 5)
                user = (row & 0xFFFFFFFF) + 1
                table.write(f"u{user:0{width}},{EVENT_NAMES[event]},{DAY_NAMES[day]},{instant(day, time)}\n")
    return count


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] == "entries":
        write_entries(int(float(sys.argv[2])), sys.argv[3], sys.argv[4])
    elif len(sys.argv) == 4 and sys.argv[1] == "events":
        write_events(int(float(sys.argv[2])), sys.argv[3])
    else:
        sys.exit(__doc__)
