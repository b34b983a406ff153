#!/usr/bin/env python3
"""Writes the sample dataset beside this file. The same bytes every time.

Eighty invented people use a knowledge app between 6 April and 30 June 2026, and 140 more for some days. Some never
allow analytics, some withdraw, some turn crash reporting off, some leave, four keep an old version, and now and then a
field is missing.
"""

import csv
import json
import random
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIRST, LAST = date(2026, 4, 6), date(2026, 6, 30)
ZONE = timezone(timedelta(hours=2))
dice = random.Random(20260630)


def chance(p):
    return dice.random() < p


def pick(*options):
    """One of several, or of (option, weight) pairs."""
    pairs = [o if isinstance(o, tuple) else (o, 1) for o in options]
    point = dice.random() * sum(weight for _, weight in pairs)
    for option, weight in pairs:
        point -= weight
        if point < 0:
            return option
    return pairs[-1][0]


def between(low, high):
    return low + int(dice.random() * (high - low + 1))


def skewed(typical, spread, digits=0):
    """Mostly near typical, sometimes far above it."""
    value = typical * (0.6 + 0.8 * dice.random()) * (spread if chance(0.06) else 1)
    return round(value, digits) if digits else int(value)


class Rows:
    """The records of one type, numbered in the order in which they are written."""

    def __init__(self, prefix):
        self.prefix, self.rows = prefix, []

    def add(self, **fields):
        row = {"id": f"{self.prefix}{len(self.rows) + 1:04}"}
        row.update((name, value) for name, value in fields.items() if value is not None)
        self.rows.append(row)


events, requests, operations, runs, launches = Rows("e"), Rows("q"), Rows("o"), Rows("r"), Rows("l")
items, consents = [], []


def instant(day, minute, second=0):
    local = datetime(day.year, day.month, day.day, tzinfo=ZONE) + timedelta(minutes=minute, seconds=second)
    return local.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Person:
    def __init__(self, number):
        self.id = f"u{number:02}"
        self.signs_up = FIRST + timedelta(days=int((number - 1) * 78 / 80))
        self.device = "tablet" if number % 6 == 0 else "phone"
        self.keen = 0.15 + 0.6 * dice.random()
        self.plan, self.subscription = "free", "never"
        self.items = []
        self.paid_from = self.signs_up + timedelta(days=between(10, 25)) if chance(0.3) else None
        self.leaves = self.signs_up + timedelta(days=between(2, 30)) if chance(0.35) else LAST
        self.stays_on_old = number in (7, 19, 31, 43)

    def version(self, day):
        if self.stays_on_old:
            return "1.9"
        return "2.1" if day >= date(2026, 6, 1) + timedelta(days=len(self.items) % 7) else "2.0"

    def log(self, name, day, minute, second=0, **more):
        events.add(
            userId=self.id, name=name, dayKey=day.isoformat(),
            timestampUtc=None if chance(0.02) else instant(day, minute, second),
            userType=self.plan, subscriptionStatus=self.subscription, appVersion=self.version(day),
            deviceType=self.device, connectionType=None if chance(0.04) else pick(("wifi", 6), ("cellular", 3), ("offline", 0.3)),
            **more)


def consent(person, number):
    def turn(switch, is_on, day):
        level = "standard" if is_on else "none"
        consents.append({"userId": person.id, "level": level, "dayKey": day, "purpose": switch})

    joined = person.signs_up.isoformat()
    if number % 9 == 0 or number % 13 == 0:
        turn("analytics", False, joined)
    elif number % 11:  # the others were never asked
        turn("analytics", True, joined)
    if number % 13 == 0:  # crash reporting is on for everybody else
        turn("crashes", False, joined)
    if number in (5, 24):  # withdraw later
        turn("analytics", False, "2026-06-20")
    if number == 17:  # two choices on one day: the lower one counts
        turn("analytics", False, "2026-06-12")
        turn("analytics", True, "2026-06-12")
    if number == 24:  # off for a week: what was reported before does not come back
        turn("crashes", False, "2026-06-01")
        turn("crashes", True, "2026-06-08")


def run_of(person, day, minute):
    old = person.version(day) == "1.9"
    launch = skewed(900 if old else 620, 3)
    memory = skewed(140 if person.device == "tablet" else 90, 1.8, 1)
    crashed = chance(0.1 if old else 0.06)
    moment = {"userId": person.id, "dayKey": day.isoformat(), "timestampUtc": instant(day, minute)}
    runs.add(**moment, crashed=crashed, appVersion=person.version(day), deviceType=person.device)
    launches.add(
        **moment, launchTime=None if chance(0.03) else launch, memoryUsage=memory, deviceType=person.device)
    if memory > 150:
        person.log("performance_memory_warning", day, minute, 50)
    for _ in range(between(1, 2)):
        failed = chance(0.05)
        requests.add(
            userId=person.id, dayKey=day.isoformat(), timestampUtc=instant(day, minute, between(1, 40)),
            endpoint=pick(("/timeline", 4), ("/items", 3), ("/search", 2), "/profile"),
            method=pick(("GET", 5), "POST", "PUT"), responseTime=skewed(180, 5, 1),
            status="error" if failed else "success", errorCode=pick("500", "503", "timeout") if failed else None,
            appVersion=person.version(day), connectionType=None if chance(0.03) else pick(("wifi", 2), "cellular"))
        if failed:
            person.log(pick("error_api", "error_network"), day, minute, 41, status="error", errorCode="503",
                       errorMessage="the server did not answer")
    if chance(0.5):
        operations.add(
            userId=person.id, dayKey=day.isoformat(), timestampUtc=instant(day, minute, 45),
            operationName=pick(("parse_item", 3), ("index_items", 2), "export_all"),
            duration=skewed(70, 4, 1), status="success", memoryUsage=round(memory - 10, 1) if chance(0.9) else None,
            cpuUsage=skewed(30, 2, 1), deviceType=person.device)


def session(person, day, minute):
    person.log("session_start", day, minute)
    run_of(person, day, minute)
    length = between(1, 14)
    step = minute
    if chance(0.5):
        person.log("screen_view", day, step, 20, screen="Timeline")
        person.log(pick("timeline_refreshed", "timeline_scrolled", "timeline_item_selected"), day, step, 30,
                   source="timeline", status="success")
    if chance(0.35) or not person.items:
        create(person, day, step + 1)
    if person.items and chance(0.6):
        for _ in range(between(1, 2)):
            touch(person, "item_viewed", day, step + 2, source="timeline")
    if person.items and chance(0.18):
        touch(person, "item_updated", day, step + 3)
    if person.items and chance(0.1):
        touch(person, "item_shared", day, step + 3, source="share_sheet")
    if chance(0.3):
        search(person, day, step + 4)
    if chance(0.07):
        person.log("settings_opened", day, step + 5)
        if chance(0.5):
            person.log("settings_changed", day, step + 6)
    if chance(0.08) and person.plan == "free":
        person.log("premium_offer_viewed", day, step + 6)
    person.log("session_end", day, minute + length,
               duration=None if chance(0.03) else length * 60 + between(0, 59))


def create(person, day, minute):
    item = {"id": f"i{len(items) + 1:03}", "userId": person.id}
    kind = None if chance(0.06) else pick(("note", 4), ("link", 3), "image", ("document", 0.4))
    if kind:
        item["itemType"] = kind
    item["title"] = f"Something kept, no. {len(items) + 1}"
    items.append(item)
    person.items.append(item["id"])
    person.log("item_created", day, minute, itemId=item["id"], source=pick("timeline", "share_sheet"))


def touch(person, name, day, minute, **more):
    person.log(name, day, minute, between(0, 50), itemId=pick(*person.items), **more)


def search(person, day, minute):
    found = 0 if chance(0.15) else between(1, 12)
    person.log("search_performed", day, minute, 0, searchQuery="what somebody looked for", resultsFound=found)
    if chance(0.15):
        person.log("search_filtered", day, minute, 10)
    if found and chance(0.75):
        # Two at the same second: an order that only the choice of facts can settle.
        person.log("search_results_viewed", day, minute, 15)
        if person.items and chance(0.7):
            person.log("item_viewed", day, minute, 15 if chance(0.1) else 25, itemId=pick(*person.items), source="search")


def first_day(person):
    day, minute = person.signs_up, between(8 * 60, 20 * 60)
    person.log("session_start", day, minute)
    run_of(person, day, minute)
    person.log("screen_view", day, minute, 30, screen="SignUp")
    if int(person.id[1:]) % 8 == 3:
        return False  # looked and left
    person.log("auth_sign_up", day, minute + 2, authMethod=pick(("email", 3), ("apple", 4), "google"))
    if chance(0.85):
        person.log("screen_view", day, minute + 2, 30, screen="Introduction")
        if chance(0.85):
            person.log("onboarding_completed", day, minute + 4)
    if chance(0.7):
        create(person, day, minute + 5)
    person.log("session_end", day, minute + 7, duration=between(240, 480))
    return True


def premium(person, day):
    if person.paid_from is None or day < person.paid_from:
        return
    age = (day - person.paid_from).days
    if age == 0:
        person.log("premium_offer_viewed", day, 7 * 60)
        person.log("premium_trial_started", day, 7 * 60 + 1)
        person.plan, person.subscription = "premium", "trial"
    elif age == 7 and person.subscription == "trial":
        if int(person.id[1:]) % 4:
            person.log("premium_started", day, 7 * 60)
            person.subscription = "active"
        else:
            person.plan, person.subscription = "free", "lapsed"


def live(person, number):
    consent(person, number)
    if not first_day(person):
        return
    day = person.signs_up + timedelta(days=1)
    while day <= min(LAST, person.leaves):
        premium(person, day)
        age = (day - person.signs_up).days
        leaning = person.keen * (0.35 + 0.65 * 0.97 ** age) * (0.6 if day.weekday() >= 5 else 1)
        if chance(leaning):
            session(person, day, between(7 * 60, 21 * 60))
        day += timedelta(days=1)


def write_csv(name, rows):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with open(HERE / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        writer.writeheader()
        for row in rows:
            writer.writerow({k: str(v).lower() if isinstance(v, bool) else v for k, v in row.items()})


def write_ndjson(name, rows):
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (HERE / name).write_text(text, encoding="utf-8")


for number in range(1, 81):
    live(Person(number), number)
# Many more come for some days, so that groups are large enough to be shown.
for number in range(101, 241):
    passing = Person(number)
    passing.signs_up = FIRST + timedelta(days=(number - 101) * 84 // 140)
    passing.leaves = passing.signs_up + timedelta(days=between(1, 9))
    if number % 6 == 1:
        passing.paid_from = passing.signs_up + timedelta(days=1)
        passing.leaves = passing.signs_up + timedelta(days=9)
    live(passing, number)

write_csv("KnowledgeEvent.csv", events.rows)
write_csv("KnowledgeRequest.csv", requests.rows)
write_csv("KnowledgeOperation.csv", operations.rows)
write_ndjson("KnowledgeRun.ndjson", runs.rows)
write_ndjson("KnowledgeLaunch.ndjson", launches.rows)
(HERE / "KnowledgeItem.json").write_text(
    "[\n" + ",\n".join(json.dumps(item) for item in items) + "\n]\n", encoding="utf-8")
write_csv("Consent.csv", consents)
