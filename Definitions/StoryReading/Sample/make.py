"""Writes the sample dataset of this folder: eight learners, 200 more for some days, and six stories in April, May and June 2026.

    python3 make.py

Needs nothing but the standard library and writes the same bytes every time: all chance comes from
one generator with a fixed seed, and only from `random()`, which no version of Python has changed.

The stored twins (`readingStreak`, `percentComplete`, the counters of `WordProgress`) are written as an
app would have left them, some of them wrong: a second device, a session that came in afterwards.
"""

import csv
import datetime
import json
import pathlib
import random

HERE = pathlib.Path(__file__).resolve().parent
LAST_DAY = datetime.date(2026, 6, 30)
CHANCE = random.Random(20260401)

# id, title, level, topic, pages, words that are explained
BOOKS = [
    ("lantern", "The Lantern Snail", "a1", "animals", 6, "snail lantern leaf garden"),
    ("kite", "Kite Weather", "a1", "seasons", 8, "kite string cloud hill"),
    ("baker", "The Night Baker", "a1", "town", 10, "oven dough flour window"),
    ("harbour", "Harbour Bells", "a2", "sea", 12, "harbour bell anchor gull"),
    ("orchard", "The Orchard Map", "a2", "garden", 14, "orchard ladder basket path"),
    ("comet", "A Comet for Lunch", "b1", "space", 18, "comet orbit crater lunch"),
]

# id, account, locale, first day, how likely a sitting is on a day, weekly goals, what the account agreed to
LEARNERS = [
    ("mia", "acc-1", "de", "2026-04-06", 0.85, [("2026-04-06", 20, 4), ("2026-06-01", 30, 5)], "standard"),
    ("noa", "acc-2", "de", "2026-04-13", 0.45, [("2026-04-20", 10, 3)], "standard"),
    ("otis", "acc-3", "en", "2026-04-20", 0.60, [], "standard"),
    ("pam", "acc-4", "en", "2026-05-04", 0.70, [("2026-05-04", 20, 4)], "detailed"),
    ("quentin", "acc-5", "en", "2026-05-11", 0.25, [("2026-05-11", 10, "")], "standard"),
    ("ria", "acc-6", "fr", "2026-05-18", 0.90, [("2026-05-25", 30, 6)], "standard"),
    ("sol", "acc-7", "fr", "2026-05-25", 0.50, [], None),
    ("tove", "acc-8", "de", "2026-06-08", 0.55, [("2026-06-08", "", 3)], "standard"),
]


def likely(share):
    return CHANCE.random() < share


def between(low, high):
    """A whole number from low to high, both included."""
    return low + int(CHANCE.random() * (high - low + 1))


def write_csv(record, rows):
    with open(HERE / f"{record}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def catalogue():
    books, pages, variants, entries = [], [], [], []
    for book, title, level, topic, count, words in BOOKS:
        books.append(
            {"id": book, "title": title, "level": level, "topic": topic,
             "length": "short" if count < 10 else "long", "pages": count}
        )
        for index in range(count):
            page = f"{book}-{index}"
            estimate = between(18, 40) + {"a1": 0, "a2": 20, "b1": 45}[level]
            pages.append({"id": page, "book": book, "index": index, "estimatedWords": estimate})
            for order, (kind, language) in enumerate([("original", "en"), ("translation", "de")]):
                variants.append(
                    {"id": f"{page}-{language}", "page": page, "kind": kind,
                     "languageCode": language, "displayOrder": order}
                )
        for word in words.split():
            entries.append(
                {"id": f"{book}-{word}", "book": book, "lemma": word, "term": word,
                 "partOfSpeech": "noun", "level": level}
            )
    with open(HERE / "Book.json", "w", newline="", encoding="utf-8") as file:
        file.write(json.dumps(books, indent=2) + "\n")
    write_csv("Page", pages)
    write_csv("TextVariant", variants)
    write_csv("DictionaryEntry", entries)


def main():
    catalogue()
    profiles, sessions, words, reviews, shelf, badges, goals, consents = ([] for _ in range(8))

    # Many more read for some days, so that groups are large enough to be shown.
    guests = [
        (f"r{n:03}", f"acc-{100 + n}", "is" if n in (51, 151) else ("de", "en", "fr")[n % 3], str(LAST_DAY - datetime.timedelta(days=2 + n % 40)),
         0.1 + n % 4 / 20, [], "standard" if n % 5 else None)
        for n in range(1, 201)
    ]
    learners = LEARNERS + guests
    for learner, account, locale, first, eagerness, wanted, consent in learners:
        if consent:
            consents.append({"userId": account, "level": consent, "dayKey": first})
        for day, minutes, days in wanted:
            goals.append(
                {"id": f"goal-{len(goals) + 1}", "user": learner, "dayKey": day,
                 "minutes": minutes, "readingDays": days}
            )
        start = datetime.date.fromisoformat(first)
        book, page, streak, last = 0, 0, 0, None
        at_page, finished, met = {}, {}, {}
        for offset in range((LAST_DAY - start).days + 1):
            day = start + datetime.timedelta(days=offset)
            if offset and not likely(eagerness):
                continue
            name, _, _, _, count, terms = BOOKS[book]
            minute = between(15 * 60, 19 * 60)
            end = min(page + between(0, 3), count - 1)
            seconds = (end - page + 1) * between(80, 200) + between(30, 120)
            known = likely(0.93)
            session = {
                "id": f"session-{len(sessions) + 1:04}", "user": learner,
                "book": name if known else "", "dayKey": str(day),
                "startedAt": f"{day}T{minute // 60:02}:{minute % 60:02}:00Z", "durationSeconds": seconds,
                "wordsRead": (end - page + 1) * between(30, 70) if likely(0.9) else "",
                "startPageIndex": page if known else "", "endPageIndex": end if known else "",
                "audioAsset": f"recording-{len(sessions) + 1:04}.m4a" if likely(0.2) else "",
            }
            sessions.append(session)
            streak = streak + 1 if last == day - datetime.timedelta(days=1) else 1
            last = day
            if known:
                at_page[name] = (end, session["startedAt"])
                page = end
                if end == count - 1:
                    finished.setdefault(name, day)
                    # Some like the story so much that they read it again.
                    book, page = (book, 0) if likely(0.2) else ((book + 1) % len(BOOKS), 0)
            for word in terms.split():
                if not likely(0.35 if learner[0] != "r" or learner == "ria" else 0.05):
                    continue
                key = f"{learner}-{word}"
                right = likely(0.75)
                met.setdefault(key, [name, word, 0, 0, ""])
                met[key][2 if right else 3] += 1
                met[key][4] = session["startedAt"]
                reviews.append(
                    {"id": f"review-{len(reviews) + 1:04}", "wordId": key, "dayKey": str(day),
                     "reviewedAt": session["startedAt"], "wasRight": right}
                )
        # The app's own streak: it was last written when the app was last open, and on a second device.
        profiles.append(
            {"id": learner, "userId": account, "preferredLocale": locale,
             "readingStreak": streak + between(0, 2), "lastSessionAt": sessions[-1]["startedAt"]}
        )
        for name, (end, opened) in at_page.items():
            count = next(b[4] for b in BOOKS if b[0] == name)
            shelf.append(
                {"id": f"{learner}-{name}", "user": learner, "book": name, "lastPageIndex": end,
                 "percentComplete": round((end + 1) / count, 2), "lastOpenedAt": opened,
                 "completedAt": f"{finished[name]}T20:00:00Z" if name in finished else ""}
            )
        for key, (name, word, right, wrong, reviewed) in met.items():
            lost = 1 if right > 3 and likely(0.2) else 0  # an answer that two devices counted once
            words.append(
                {"id": key, "user": learner, "book": name, "lemma": word,
                 "proficiency": round(right / (right + wrong), 2), "correctCount": right - lost,
                 "incorrectCount": wrong, "lastReviewedAt": reviewed}
            )
        if finished:
            day = min(finished.values())
            badges.append(
                {"id": f"badge-{len(badges) + 1}", "user": learner, "code": "first_story",
                 "earnedAt": f"{day}T20:00:00Z", "progressValue": 1}
            )

    sessions.sort(key=lambda row: (row["startedAt"], row["user"]))
    write_csv("User", [{"id": account} for _, account, *_ in learners])
    write_csv("Consent", consents)
    write_csv("UserProfile", profiles)
    write_csv("ReadingSession", sessions)
    write_csv("WordProgress", words)
    write_csv("BookProgress", shelf)
    write_csv("Achievement", badges)
    write_csv("StoryWeeklyGoal", goals)
    with open(HERE / "WordReview.ndjson", "w", newline="", encoding="utf-8") as file:
        for row in reviews:
            file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
