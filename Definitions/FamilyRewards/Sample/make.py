#!/usr/bin/env python3
"""Writes the sample dataset beside this file. The same bytes every time.

Two hundred and twenty invented families use a rewards app between 1 April and 30 June 2026. They agree to
different levels of analytics, three withdraw, two live in a country of their own, and now and then a
field is missing. Identifiers are salted hashes, as the app makes them.
"""

import csv
import hashlib
import json
import random
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIRST, LAST = date(2026, 4, 1), date(2026, 6, 30)
ZONE = timezone(timedelta(hours=2))
dice = random.Random(20260401)


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


def around(middle, digits):
    return round(middle * (0.7 + 0.6 * dice.random()), digits)


def pseudonym(prefix, number):
    return prefix + hashlib.sha256(f"salt of the sample {prefix}{number}".encode()).hexdigest()[:8]


def instant(day, minute, seconds=0):
    local = datetime(day.year, day.month, day.day, tzinfo=ZONE) + timedelta(minutes=minute, seconds=seconds)
    return local.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


class Rows:
    """The records of one type, numbered in the order in which they are written."""

    def __init__(self, prefix):
        self.prefix, self.rows = prefix, []

    def add(self, **fields):
        row = {"id": f"{self.prefix}{len(self.rows) + 1:04}"}
        row.update((name, value) for name, value in fields.items() if value is not None)
        self.rows.append(row)


families, children, apps, consents = [], [], [], []
records, runs, performances, faults, sessions = Rows("k"), Rows("r"), Rows("m"), Rows("x"), Rows("s")
features, flows, syncs = Rows("u"), Rows("w"), Rows("y")
usages, points, settings = Rows("t"), Rows("p"), Rows("c")


class Household:
    def __init__(self, number):
        self.number = number
        self.id, self.parent = pseudonym("f", number), pseudonym("p", number)
        self.begins = FIRST + timedelta(days=int((number - 1) * 75 / 48))
        self.goes = self.begins + timedelta(days=between(8, 45)) if chance(0.45) else LAST
        self.keen = 0.25 + 0.5 * dice.random()
        self.device = pick(("phone", 3), "tablet")
        self.system = None if chance(0.05) else pick(("18.5", 3), "18.4", ("17.7", 0.5))
        self.children, self.apps = [], {}
        family = {"id": self.id, "userId": self.parent, "name": f"Family no. {number}"}
        country = "IS" if number in (20, 41) else None if number == 33 else pick(("SE", 4), ("DE", 3), ("NL", 3))
        if country:
            family["country"] = country
        families.append(family)

    def version(self, day):
        return "1.5" if day >= date(2026, 6, 8) + timedelta(days=self.number % 5) else "1.4"

    def feature(self, name, day, minute):
        features.add(familyId=self.id, dayKey=day.isoformat(), usedAt=None if chance(0.05) else instant(day, minute),
                     feature=name, appVersion=self.version(day))

    def flow(self, flow, step, day, minute):
        flows.add(familyId=self.id, dayKey=day.isoformat(), stepAt=instant(day, minute), flow=flow, step=step)


def agree(home, level, day):
    consents.append({"userId": home.parent, "level": level, "dayKey": day.isoformat()})
    records.add(familyId=home.id, dayKey=day.isoformat(), version="2" if day >= date(2026, 6, 1) else "1",
                ipAddress=None if chance(0.5) else "192.0.2.1", userAgent=None if chance(0.5) else "sample")


def choose_consent(home):
    n = home.number
    if n % 16 == 0:
        return  # was never asked
    level = "none" if n % 15 == 7 else "essential" if n % 8 == 3 else "detailed" if n % 2 else "standard"
    agree(home, level, home.begins)
    if n in (9, 18, 30):  # withdraw
        agree(home, "none", date(2026, 6, 15))
    if n == 13:  # two choices on one day: the lower one counts
        agree(home, "standard", date(2026, 6, 3))
        agree(home, "essential", date(2026, 6, 3))


def begin(home):
    day, minute = home.begins, between(16 * 60, 20 * 60)
    home.flow("onboarding", "started", day, minute)
    home.flow("onboarding", "installed", day, minute)
    home.flow("onboarding", "consented", day, minute)  # the same instant
    open_app(home, day, minute)
    for index in range(between(1, 3)):
        child = pseudonym("c", home.number * 10 + index)
        children.append({"id": child, "familyId": home.id, "name": f"Child {index + 1}", "birthYear": between(2012, 2020)})
        home.children.append(child)
    if not chance(0.85):
        return
    home.flow("onboarding", "child_added", day, minute + 3)
    home.feature("child_added", day, minute + 3)
    for child in home.children:
        for index, category in enumerate(["learning", "learning", "reward"]):
            app = f"{child}-a{index + 1}"
            row = {"id": app, "childProfileId": child, "category": category, "appName": f"App {index + 1}"}
            if category == "learning":
                row["pointsPerHour"] = 60
            apps.append(row)
            home.apps.setdefault(child, []).append((app, category))
    if chance(0.8):
        later = home.begins + timedelta(days=pick((0, 3), 1, 16))
        home.flow("onboarding", "app_chosen", later, minute + 6)
        home.flow("onboarding", "finished", later, minute + 7)
        home.feature("app_categorized", later, minute + 6)
    settings.add(familyId=home.id, dayKey=day.isoformat(), defaultPointsPerHour=pick(30, (60, 3), 90),
                 conversionRate=pick((1, 3), 1.5), minimumSessionMinutes=5)


def open_app(home, day, minute):
    version = home.version(day)
    seconds = between(60, 900)
    sessions.add(familyId=home.id, dayKey=day.isoformat(), startedAt=instant(day, minute),
                 endedAt=instant(day, minute, seconds), durationSeconds=seconds, appVersion=version,
                 deviceModel=home.device)
    crashed = chance(0.045 if version == "1.4" else 0.02)
    runs.add(familyId=home.id, dayKey=day.isoformat(), startedAt=instant(day, minute), crashed=crashed,
             appVersion=version, osVersion=home.system, deviceModel=home.device)
    performances.add(
        familyId=home.id, dayKey=day.isoformat(), launchSeconds=around(1.6 if version == "1.4" else 1.3, 2),
        memoryMegabytes=around(86, 1), batteryDrain=None if chance(0.1) else around(0.022, 4),
        hangs=1 if chance(0.05) else 0, cpuSeconds=seconds // 20, osVersion=home.system, deviceModel=home.device)
    if crashed or chance(0.03):
        faults.add(familyId=home.id, dayKey=day.isoformat(), category=pick(("sync", 3), ("screen_time", 2), "purchase"),
                   code=pick("E1", "E2", "E7"), appVersion=version)
    if chance(0.6):
        failed = chance(0.04)
        syncs.add(familyId=home.id, dayKey=day.isoformat(), seconds=around(9 if failed else 1.8, 2),
                  status="error" if failed else "success")


def ordinary_day(home, day):
    minute = between(15 * 60, 20 * 60)
    open_app(home, day, minute)
    if chance(0.25):
        home.feature("report_opened", day, minute + 1)
    if chance(0.12):
        home.feature("goal_created", day, minute + 2)
    if chance(0.08):
        home.feature("goal_completed", day, minute + 2)
    if chance(0.05):
        home.feature("app_categorized", day, minute + 3)
    if chance(0.03):
        home.feature("settings_changed", day, minute + 4)
        settings.add(familyId=home.id, dayKey=day.isoformat(), defaultPointsPerHour=pick(30, 60, 90))
    if home.apps:
        children_play(home, day, minute)
    if chance(0.05):
        offer(home, day, minute + 8)


def children_play(home, day, minute):
    for child in home.children:
        if not chance(0.35):
            continue
        own = home.apps[child]
        app, category = own[between(0, len(own) - 1)]
        seconds = between(300, 3600)
        earned = seconds // 60 if category == "learning" else 0
        usages.add(childProfileId=child, appId=None if chance(0.03) else app, dayKey=day.isoformat(),
                   startedAt=instant(day, minute - 60), endedAt=instant(day, minute - 60, seconds),
                   durationSeconds=seconds, pointsEarned=earned)
        if earned:
            points.add(childProfileId=child, dayKey=day.isoformat(), givenAt=instant(day, minute - 5), kind="earned", amount=earned)
        if chance(0.1):
            points.add(childProfileId=child, dayKey=day.isoformat(), givenAt=instant(day, minute), kind="bonus", amount=10)
        if chance(0.4):
            redeem(home, child, day, minute + 5)


def redeem(home, child, day, minute):
    home.flow("redemption", "started", day, minute)
    if chance(0.85):
        home.flow("redemption", "reward_chosen", day, minute + 1)
        if chance(0.8):
            home.flow("redemption", "finished", day, minute + 1)  # the same instant
            home.feature("points_redeemed", day, minute + 1)
            points.add(childProfileId=child, dayKey=day.isoformat(), givenAt=instant(day, minute + 1), kind="redeemed",
                       amount=between(10, 40), reward=None if chance(0.04) else pick(("screen_time", 6), ("treat", 3), ("outing", 1.5), ("money", 0.2)))


def offer(home, day, minute):
    home.flow("subscription", "started", day, minute)
    home.flow("subscription", "offer_seen", day, minute)
    if home.number % 7 == 0:  # without a trial
        home.flow("subscription", "finished", day, minute + 1)
    elif chance(0.5):
        home.flow("subscription", "trial", day, minute + 2)
        paid = day + timedelta(days=7)
        if chance(0.6) and paid <= LAST:
            home.flow("subscription", "finished", paid, 9 * 60)


def write_csv(name, rows):
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with open(HERE / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", restval="")
        writer.writeheader()
        for row in rows:
            writer.writerow({k: str(v).lower() if isinstance(v, bool) else v for k, v in row.items()})


def write_ndjson(name, rows):
    (HERE / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def write_json(name, rows):
    (HERE / name).write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n", encoding="utf-8")


# Forty-eight families stay; many more look in for a week, so that groups are large enough to be shown.
for number in range(1, 221):
    home = Household(number)
    if number > 48:
        home.begins = FIRST + timedelta(days=(number - 49) * 80 // 172)
        home.goes, home.keen = home.begins + timedelta(days=between(1, 10)), 0.3
    choose_consent(home)
    begin(home)
    day = home.begins + timedelta(days=1)
    while day <= min(LAST, home.goes):
        age = (day - home.begins).days
        if chance(home.keen * (0.5 + 0.5 * 0.97 ** age) * (1.3 if day.weekday() >= 5 else 1)):
            ordinary_day(home, day)
        day += timedelta(days=1)

write_json("Family.json", families)
write_ndjson("FamilyChild.ndjson", children)
write_csv("FamilyApp.csv", apps)
write_csv("Consent.csv", consents)
write_csv("FamilyConsentRecord.csv", records.rows)
write_csv("FamilyRun.csv", runs.rows)
write_csv("FamilyPerformance.csv", performances.rows)
write_ndjson("FamilyFault.ndjson", faults.rows)
write_csv("FamilySession.csv", sessions.rows)
write_csv("FamilyFeature.csv", features.rows)
write_csv("FamilyFlow.csv", flows.rows)
write_csv("FamilySync.csv", syncs.rows)
write_csv("FamilyUsage.csv", usages.rows)
write_csv("FamilyPoints.csv", points.rows)
write_csv("FamilySettings.csv", settings.rows)
