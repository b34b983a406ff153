"""Writes the sample dataset of this folder: sixteen people and 190 guests who find a reading app in May and June 2026.

    python3 make.py

Needs nothing but the standard library and writes the same bytes every time: all chance comes from
one generator with a fixed seed, and only from `random()`, which no version of Python has changed.
"""

import csv
import datetime
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
LAST_DAY = datetime.date(2026, 6, 30)
CHANCE = random.Random(20260630)

STARTER = [
    ("atoms", "Small Habits, Long Years", "starter-1"),
    ("stoics", "Letters on a Quiet Mind", "starter-2"),
    ("focus", "The Undivided Hour", "starter-3"),
]
OTHER = [
    ("walden", "A Cabin by the Water", None),
    ("origin", "On Finches", None),
    ("essays", "Attempts", None),
]
# When a version came out; everybody updates on the next launch.
VERSIONS = [("2026-04-20", "1.2.0"), ("2026-05-18", "1.3.0"), ("2026-06-12", "1.3.1")]

# Who they are: first day, how likely a lesson is on a day, days until they lose interest, whether they
# sign in, what they answer about their e-mail, what they agree to share.
PEOPLE = [
    ("ada", "2026-05-04", 0.92, 99, True, "shared", "detailed"),
    ("bela", "2026-05-04", 0.60, 30, True, "entered", "detailed"),
    ("cleo", "2026-05-05", 0.00, 1, False, None, "essential"),
    ("dara", "2026-05-07", 0.75, 99, True, "shared", "standard"),
    ("emil", "2026-05-11", 0.30, 12, False, "declined", "detailed"),
    ("fay", "2026-05-12", 0.85, 99, True, "entered", "detailed"),
    ("gus", "2026-05-14", 0.10, 5, False, "declined", "standard"),
    ("hana", "2026-05-20", 0.70, 99, True, "shared", "detailed"),
    ("ivo", "2026-05-21", 0.00, 2, False, "declined", "detailed"),
    ("jun", "2026-05-23", 0.50, 20, True, "shared", "none"),
    ("kira", "2026-06-01", 0.80, 99, True, "entered", "detailed"),
    ("levi", "2026-06-03", 0.65, 99, True, "shared", "detailed"),
    ("mona", "2026-06-04", 0.20, 8, False, "declined", "detailed"),
    ("nils", "2026-06-10", 0.90, 99, True, "shared", "detailed"),
    ("odil", "2026-06-22", 0.70, 99, False, None, "standard"),
    ("pia", "2026-06-24", 0.95, 99, True, "entered", None),
]


def likely(share):
    return CHANCE.random() < share


def between(low, high):
    """A whole number from low to high, both included."""
    return low + int(CHANCE.random() * (high - low + 1))


def one_of(options):
    return options[between(0, len(options) - 1)]


def main():
    rows = {
        name: []
        for name in (
            "Consent LessonAppOpen LessonSignIn LessonEmailDecision LessonShelfMove "
            "LessonStarted LessonFinished LessonScreenView Identity"
        ).split()
    }

    # Who will sign in is a guest with another id until then.
    ids = {}

    def log(record, person, day, instant_field, minute, **fields):
        instant = f"{day}T{minute // 60:02}:{minute % 60:02}:00Z"
        rows[record].append({"userId": ids[person], "dayKey": str(day), instant_field: instant, **fields})

    titles = {}

    def move(person, day, minute, book, how):
        title = f"{person}-{book}"
        titles.setdefault(title, {"id": title, "userId": ids[person], "bookId": book})
        instant = f"{day}T{minute // 60:02}:{minute % 60:02}:00Z"
        rows["LessonShelfMove"].append({"titleId": title, "dayKey": str(day), "movedAt": instant, "move": how})

    # Many more come for some days, so that groups are large enough to be shown.
    guests = [
        (f"g{n:03}", str(datetime.date(2026, 5, 4) + datetime.timedelta(days=n * 55 // 190)), 0.3 + n % 5 / 10, 2 + n % 7,
         n % 3 > 0, ("shared", "entered", "declined")[n % 3], ("detailed", "detailed", "standard", None)[n % 4])
        for n in range(1, 191)
    ]
    people = PEOPLE + guests

    for person, first, eagerness, patience, signs_in, mail, consent in people:
        start = datetime.date.fromisoformat(first)
        ids[person] = f"guest-{person}" if signs_in else person
        if consent:
            rows["Consent"].append({"userId": ids[person], "level": consent, "dayKey": first})
        shelf = []
        for offset in range((LAST_DAY - start).days + 1):
            day = start + datetime.timedelta(days=offset)
            begins = offset > 0 and offset < patience and likely(eagerness)
            if offset > 0 and not begins and not (offset < patience and likely(0.3)):
                continue
            minute = between(7 * 60, 20 * 60)
            version = [name for since, name in VERSIONS if since <= str(day)][-1]
            log("LessonAppOpen", person, day, "openedAt", minute, appVersion=version)
            if offset == 0:
                log("LessonSignIn", person, day, "signedInAt", minute + 1, method="guest")
                for book, _, _ in STARTER:
                    shelf.append(book)
                    move(person, day, minute + 2, book, "added")
                begins = eagerness > 0 and likely(0.7)
            if offset == 1 or (offset == 0 and likely(0.5)):
                if signs_in and not any(
                    r["userId"] == person and r["method"] == "apple" for r in rows["LessonSignIn"]
                ):
                    # One of them was a guest on an older phone before.
                    links = [ids[person], "phone-kira", person] if person == "kira" else [ids[person], person]
                    rows["Identity"] += [{"guestId": a, "userId": b} for a, b in zip(links, links[1:])]
                    ids[person] = person
                    log("LessonSignIn", person, day, "signedInAt", minute + 3, method="apple")
                if mail and not any(r["userId"] == person for r in rows["LessonEmailDecision"]):
                    log(
                        "LessonEmailDecision", person, day, "decidedAt", minute + 4, status=mail,
                        address="" if mail == "declined" else f"{person}@example.org",
                    )
            if offset in (3, 9) and likely(0.7):
                book = one_of([book for book, _, _ in OTHER if book not in shelf])
                shelf.append(book)
                move(person, day, minute + 5, book, "added")
            if offset == 6 and likely(0.5) and "focus" in shelf:
                shelf.remove("focus")
                move(person, day, minute + 5, "focus", "removed")
            if not begins:
                continue
            for _ in range(2 if likely(0.25) else 1):
                minute += 10
                book = one_of(shelf)
                if likely(0.3):
                    log("LessonScreenView", person, day, "viewedAt", minute, screen="primer")
                log("LessonStarted", person, day, "startedAt", minute + 1, bookId=book)
                if not likely(0.88):
                    continue
                minute += between(6, 14)
                log(
                    "LessonFinished", person, day, "finishedAt", minute, bookId=book,
                    calories=between(70, 240), clarity=between(50, 100) / 100,
                    attention="" if likely(0.05) else between(55, 100) / 100,
                )
                if likely(0.85):
                    screen = "brain_calories" if likely(0.6) else "review_summary"
                    log("LessonScreenView", person, day, "viewedAt", minute + 1, screen=screen)
                if likely(0.4):
                    log("LessonScreenView", person, day, "viewedAt", minute + 2, screen="streak")

    # One person changes their mind, and so the team forgets all that it saw of them.
    rows["Consent"].append({"userId": "emil", "level": "none", "dayKey": "2026-06-15"})

    for record, found in rows.items():
        if record == "Identity":
            continue
        found.sort(key=lambda row: row["dayKey"])
        if record != "Consent":
            found[:] = [{"id": f"{record[6:].lower()}-{n:04}", **row} for n, row in enumerate(found, 1)]
    rows["LessonTitle"] = list(titles.values())
    rows["User"] = [{"id": ids[person]} for person, *_ in people]
    screens = rows.pop("LessonScreenView")
    for record, found in rows.items():
        with open(HERE / f"{record}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, found[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(found)
    with open(HERE / "LessonScreenView.ndjson", "w", newline="", encoding="utf-8") as file:
        for row in screens:
            file.write(json.dumps(row) + "\n")
    books = [
        {"id": book, "title": title, **({"seedId": seed} if seed else {})}
        for book, title, seed in STARTER + OTHER
    ]
    with open(HERE / "LessonBook.json", "w", newline="", encoding="utf-8") as file:
        file.write(json.dumps(books, indent=2) + "\n")


if __name__ == "__main__":
    main()
