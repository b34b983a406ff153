"""Writes the invented exports that the tests of `metricc import` read.

    python3 make.py

Needs nothing but the standard library. All files come out the same every time, but for the `.db` files, in
which SQLite notes its own version.
"""

import datetime
import json
import pathlib
import sqlite3

HERE = pathlib.Path(__file__).resolve().parent


def write(name, text):
    path = HERE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8"))


def loop_folder():
    write("loop/Habits.csv", "\n".join([
        "Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,"
        "Target Value,Archived?",
        "001,Meditate,YES_NO,Did you sit today?,,1,1,#FF8F00,,,,false",
        "002,\"Run, or walk\",NUMERICAL,How far?,outside,1,7,#00897B,km,AT_LEAST,12.5,false",
        "003,Sweets,NUMERICAL,,,1,1,#E53935,pieces,AT_MOST,2.0,true",
        "004,Call home,YES_NO,,,2,7,#5E35B1,,,,false",
        "005,Water plants,YES_NO,,,1,3,#43A047,,,,false",
    ]) + "\n")
    marks = {
        "001 Meditate": [
            ("2026-03-05", "YES_MANUAL", ""), ("2026-03-04", "YES_AUTO", ""), ("2026-03-03", "SKIP", "ill"),
            ("2026-03-02", "NO", ""), ("2026-03-01", "YES_MANUAL", "the first, \"really\""),
            ("2026-02-28", "UNKNOWN", ""),
        ],
        "002 Run or walk": [("2026-03-05", "5500", ""), ("2026-03-03", "12125", "rain"), ("2026-03-02", "NO", "")],
        "003 Sweets": [("2026-03-04", "1000", "")],
        "004 Call home": [("2026-03-01", "2", ""), ("2026-02-22", "YES_MANUAL", "")],
    }
    for folder, rows in marks.items():
        lines = ["Date,Value,Notes"]
        for day, value, notes in rows:
            doubled = notes.replace('"', '""')
            lines.append(f'{day},{value},"{doubled}"' if notes else f"{day},{value},")
        write(f"loop/{folder}/Checkmarks.csv", "\n".join(lines) + "\n")
        write(f"loop/{folder}/Scores.csv", "Date,Score\n2026-03-05,0.1234\n")
    # Older versions wrote no header.
    write("loop/005 Water plants/Checkmarks.csv", "2026-03-05,2\n2026-03-04,1\n2026-03-03,0\n")
    write("loop/Checkmarks.csv", "Date,Meditate,Run, or walk,\n2026-03-05,YES_MANUAL,5500,\n")
    write("loop/Scores.csv", "Date,Meditate,\n2026-03-05,0.1234,\n")


def loop_database():
    path = HERE / "loop.db"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    # Small pages, so that a small file has inner pages and rows that go over several pages.
    database.execute("pragma page_size = 512")
    database.execute("pragma user_version = 25")
    database.executescript("""
        create table android_metadata (locale text);
        create table Habits (id integer primary key autoincrement, archived integer, color integer,
            description text, freq_den integer, freq_num integer, highlight integer, name text,
            position integer, reminder_hour integer, reminder_min integer, type integer not null default(0),
            target_type integer not null default(0), target_value real not null default(0),
            unit text not null default (''));
        create table Score (id integer primary key, habit integer, score real, timestamp integer);
    """)
    habits = [
        (0, 8, "", 1, 1, "Meditate", 1, 7, 30, 0, 0, 0.0, ""),
        (0, 4, "outside", 7, 1, "Run, or walk", 0, None, None, 1, 0, 12.5, "km"),
        (1, 2, "", 3, 1, "Water plants ☘", 2, None, None, 0, 0, 0.0, ""),
    ]
    database.executemany(
        "insert into Habits (archived, color, description, freq_den, freq_num, name, position, reminder_hour,"
        " reminder_min, type, target_type, target_value, unit) values (?,?,?,?,?,?,?,?,?,?,?,?,?)", habits)
    # As later versions of the app do it.
    database.executescript("""
        alter table Habits add column question text;
        alter table habits add column uuid text;
        update Habits set question = '', uuid = 'a1b2c3' || id;
        create table Repetitions (id integer primary key autoincrement,
            habit integer not null references habits(id), timestamp integer not null, value integer not null);
        create unique index idx_repetitions_habit_timestamp on Repetitions(habit, timestamp);
        alter table Repetitions add column notes text;
    """)
    start = datetime.date(2026, 1, 1)
    rows = []
    for offset in range(120):
        day = start + datetime.timedelta(days=offset)
        milliseconds = (day - datetime.date(1970, 1, 1)).days * 86_400_000
        rows.append((1, milliseconds, [2, 2, 1, 0, 3][offset % 5], "a long note, " * 150 if offset == 7 else None))
        if offset % 3 == 0:
            rows.append((2, milliseconds, 1000 + 125 * offset, "" if offset else "rain"))
    rows.append((3, -86_400_000, 2, None))
    rows.append((9, 0, 2, None))
    database.executemany("insert into Repetitions (habit, timestamp, value, notes) values (?,?,?,?)", rows)
    database.commit()
    database.execute("vacuum")
    database.close()


def loop_odd_database():
    """What older and other versions leave behind: rows that a migration would delete, types nobody knows."""
    path = HERE / "loop-odd.db"
    path.unlink(missing_ok=True)
    database = sqlite3.connect(path)
    database.execute("pragma page_size = 512")
    database.executescript("""
        create table Habits (id integer primary key autoincrement, archived integer, color integer,
            description text, freq_den integer, freq_num integer, highlight integer, name text, position integer,
            type integer not null default(0), target_type integer not null default(0),
            target_value real not null default(0), unit text not null default (''), uuid text, mood integer);
        create table Repetitions (id integer primary key autoincrement, habit integer, timestamp integer,
            value integer not null);
    """)
    habits = [
        (0, 1, "", 1, 1, 0, "Smoking", 0, 2, 0, 0.0, "", "u1", None),
        (1, 1, "", 30, 1, 1, "Save", 1, 1, 2, 50.0, "€", "u2", 3),
        (0, 1, "", 7, 1, 0, "Coffee", 2, 1, 1, 10.0, "cups", "u3", None),
        (0, 1, "", 7, 1, 0, "Walk", 3, 1, 0, 0.0, "km", "u4", None),
    ]
    database.executemany(
        "insert into Habits (archived, color, description, freq_den, freq_num, highlight, name, position, type,"
        " target_type, target_value, unit, uuid, mood) values (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", habits)
    day = 86_400_000
    rows = [
        (1, 20_000 * day, 2), (1, 20_000 * day, 0), (1, None, 2), (1, 20_001 * day, -7), (None, 20_000 * day, 2),
        (2, 20_000 * day, 12_500), (2, 20_001 * day, 3), (2, 20_002 * day, -1), (2, 20_003 * day, -2000),
        (3, 20_000 * day, 2), (3, 20_001 * day, 0),
    ]
    database.executemany("insert into Repetitions (habit, timestamp, value) values (?,?,?)", rows)
    database.commit()
    database.execute("vacuum")
    database.close()


def habitbull():
    write("habitbull.csv", "\r\n".join([
        "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText",
        "Guitar,twenty minutes,Music,2026-03-18,1,new strings",
        "Guitar,twenty minutes,Music,2026-03-19,0,",
        "Guitar,twenty minutes,Music,2026-03-20,-2150000000,",
        "Push-ups,,Fitness,2026-03-18,30,",
        "Push-ups,,Fitness,2026-03-19,12.5,",
        "Guitar,twenty minutes,Music,2026-03-21,1,",
    ]) + "\r\n")
    write("habitbull-dates.csv", "\n".join([
        "HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText",
        "Guitar,,Music,11/5/2026,1,",
    ]) + "\n")


def table_habit():
    def day(text):
        return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days

    def record(text, kind, value, **more):
        return {"record_date": day(text), "record_type": kind, "record_value": value, "create_t": 1772400000,
                "modify_t": 1772400000, **more}

    habits = [
        {"create_t": 1, "modify_t": 2, "type": 1, "status": 1, "name": "Read", "desc": "", "color": 3,
         "daily_goal": 1, "daily_goal_unit": "times", "freq_type": 3, "freq_custom": "[1,1]",
         "start_date": day("2026-03-01"), "target_days": 30,
         "records": [record("2026-03-01", 1, 1.0), record("2026-03-02", 2, 0.0, reason="travelling"),
                     record("2026-03-03", 1, 1), record("2026-03-04", 1, 0.0)]},
        {"type": 1, "status": 3, "name": "Swim", "desc": "in the lake", "color": 1, "daily_goal": 500,
         "daily_goal_unit": "m", "daily_goal_extra": 1000, "freq_type": 2, "freq_custom": "[4]", "group_id": "g1",
         "start_date": day("2026-03-01"), "records": [record("2026-03-02", 1, 750.5)]},
        {"type": 2, "status": 1, "name": "Read", "color": 1, "daily_goal": 1, "daily_goal_unit": "times",
         "freq_type": 1, "freq_custom": "[2]", "start_date": day("2026-03-01"),
         "records": [record("2026-03-02", 1, 1)]},
    ]
    document = {"habits": habits, "groups": [{"uuid": "g1", "name": "Outside"}]}
    write("mhabit.json", json.dumps(document) + "\n")


def apple_health():
    write("apple-health.xml", """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 14 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Workout|ActivitySummary)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT ExportDate EMPTY>
]>
<HealthData locale="en_DE">
 <ExportDate value="2026-03-30 09:00:00 +0200"/>
 <Me HKCharacteristicTypeIdentifierDateOfBirth="" HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexNotSet"/>
 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Phone" unit="count" creationDate="2026-03-01 08:10:00 +0100" startDate="2026-03-01 08:00:00 +0100" endDate="2026-03-01 08:05:00 +0100" value="420"/>
 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch &amp; Co" unit="count/min" startDate="2026-03-01 08:00:00 +0100" endDate="2026-03-01 08:00:00 +0100" value="71">
  <MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>
 </Record>
 <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="Breathe" startDate="2026-03-02 23:55:00 +0100" endDate="2026-03-03 00:05:00 +0100"/>
 <Record type="HKCategoryTypeIdentifierMindfulSession" sourceName="Breathe" startDate="2026-03-04 07:00:00 +0100" endDate="2026-03-04 07:03:20 +0100">
  <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
 </Record>
 <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="31.41592653" durationUnit="min" totalDistance="5.1" totalDistanceUnit="km" sourceName="Watch" device="&lt;HKDevice: 0x1&gt;" creationDate="2026-03-05 18:40:00 +0100" startDate="2026-03-05 18:00:00 +0100" endDate="2026-03-05 18:31:25 +0100">
  <MetadataEntry key="HKIndoorWorkout" value="0"/>
  <MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>
  <WorkoutEvent type="HKWorkoutEventTypePause" date="2026-03-05 18:10:00 +0100"/>
  <WorkoutStatistics type="HKQuantityTypeIdentifierActiveEnergyBurned" sum="312" unit="Cal"/>
  <WorkoutRoute sourceName="Watch"><FileReference path="/workout-routes/route.gpx"/></WorkoutRoute>
 </Workout>
 <!-- The traveller: a swim on a Tuesday evening in Honolulu, written down with the offset of Berlin. -->
 <Workout workoutActivityType="HKWorkoutActivityTypeSwimming" duration="2700" durationUnit="s" startDate="2026-03-11 06:30:00 +0100" endDate="2026-03-11 07:15:00 +0100">
  <MetadataEntry key="HKTimeZone" value="Pacific/Honolulu"/>
 </Workout>
 <!-- The first hours of Sunday on Kiritimati, when it is still Saturday in Berlin. -->
 <Workout workoutActivityType="HKWorkoutActivityTypeYoga" duration="20" durationUnit="min" startDate="2026-03-14 11:10:00 +0100" endDate="2026-03-14 11:30:00 +0100">
  <MetadataEntry key="HKTimeZone" value="Pacific/Kiritimati"/>
 </Workout>
 <Workout workoutActivityType="HKWorkoutActivityTypeYoga" duration="20" durationUnit="min" startDate="2026-03-14 11:10:00 +0100" endDate="2026-03-14 11:30:00 +0100">
  <MetadataEntry key="HKTimeZone" value="Pacific/Kiritimati"/>
 </Workout>
 <Workout workoutActivityType="HKWorkoutActivityTypeCycling" duration="45" durationUnit="min" startDate="2026-03-29 01:45:00 +0100" endDate="2026-03-29 03:30:00 +0200"/>
 <ActivitySummary dateComponents="2026-03-05" activeEnergyBurned="512"/>
</HealthData>
""")


def cloudkit():
    def milliseconds(text):
        moment = datetime.datetime.fromisoformat(text)
        return round(moment.timestamp() * 1000)

    def field(value, kind):
        return {"value": value, "type": kind}

    def reference(name):
        return field({"recordName": name, "action": "NONE", "zoneID": {"zoneName": "_defaultZone"}}, "REFERENCE")

    def record(name, kind, fields, **more):
        return {"recordName": name, "recordType": kind, "recordChangeTag": "k1", "fields": fields,
                "created": {"timestamp": 1, "userRecordName": "_u"}, **more}

    records = [
        record("forest", "Book", {"title": field("The Forest, at Night", "STRING"), "pageCount": field(8, "INT64"),
                                  "cover": field({"fileChecksum": "abc", "size": 3}, "ASSETID")}),
        record("forest-0", "Page", {"book": reference("forest"), "index": field(0, "INT64"),
                                    "estimatedWordCount": field(42, "INT64")}),
        record("mia", "UserProfile", {"displayName": field("Mia", "STRING"), "preferredLocale": field("de", "STRING"),
                                      "readingStreak": field(4, "INT64"),
                                      "lastSessionAt": field(milliseconds("2026-03-02T22:30:00+00:00"), "TIMESTAMP")}),
        record("s1", "ReadingSession", {
            "user": reference("mia"), "book": reference("forest"),
            "startedAt": field(milliseconds("2026-03-01T23:30:00+00:00"), "TIMESTAMP"),
            "endedAt": field(milliseconds("2026-03-01T23:41:30.500+00:00"), "TIMESTAMP"),
            "startPageIndex": field(0, "INT64"), "endPageIndex": field(3, "INT64"),
            "audioAsset": field({"fileChecksum": "d00d", "size": 9, "downloadURL": "https://example.org/a"}, "ASSETID")}),
        record("s2", "ReadingSession", {
            "user": reference("mia"), "book": reference("forest"), "durationSeconds": field(300, "INT64"),
            "startedAt": field(milliseconds("2026-03-02T22:30:00+00:00"), "TIMESTAMP"),
            "timeZone": field("America/New_York", "STRING")}),
        record("s3", "ReadingSession", {}, deleted=True),
        record("mia-owl", "WordProgress", {"user": reference("mia"), "lemma": field("owl", "STRING"),
                                           "proficiency": field(0.67, "DOUBLE"), "correctCount": field(2, "INT64")}),
        record("mia-forest", "BookProgress", {"user": reference("mia"), "book": reference("forest"),
                                              "percentComplete": field(0.5, "DOUBLE")}),
        record("badge", "Achievement", {"user": reference("mia"), "code": field("first_story", "STRING")}),
        record("t1", "Theme", {"name": field("dark", "STRING")}),
    ]
    write("cloudkit.json", json.dumps({"records": records}, ensure_ascii=False) + "\n")


def generic():
    write("log.csv", "\n".join([
        "nr,habit,how,done_at,tz,amount,mood",
        "1,read,done,2026-03-28 23:59:59,Europe/Berlin,12.5,good",
        "2,read,done,2026-03-29 02:30:00,Europe/Berlin,,",
        "3,read,planned,2026-03-29 09:00:00,Europe/Berlin,,",
        "4,run,done,2026-10-25 02:30:00,Europe/Berlin,5,\"tired, but well\"",
        "5,run,done,2011-12-29T23:30:00-10:00,,3,",
        "6,run,done,2011-12-31T00:30:00+14:00,Pacific/Apia,3,",
        "7,run,done,2026-03-01T10:30:00Z,Pacific/Kiritimati,3,",
    ]) + "\n")
    time = {"zoneColumn": "tz"}
    mapping = {"records": [
        {"record": "Habit", "once": "id", "fields": {"id": {"column": "habit"}, "cadence": {"constant": "daily"}}},
        {"record": "HabitEntry", "where": {"column": "how", "in": ["done"]}, "fields": {
            "id": {"column": "nr"}, "habitId": {"column": "habit"}, "dayKey": {"dayOf": "done_at", **time},
            "timestampUtc": {"instantOf": "done_at", **time}, "value": {"column": "amount"}}},
    ]}
    write("log.mapping.json", json.dumps(mapping, indent=2) + "\n")
    write("events.ndjson", "\n".join([
        json.dumps({"who": {"id": 7}, "what": "open", "at": 1772409600, "device": "phone"}),
        "",
        json.dumps({"who": {"id": 7}, "what": "read", "at": 1772492399.25, "zone": "Asia/Tokyo"}),
    ]) + "\n")
    mapping = {"records": [{"record": "Event", "fields": {
        "userId": {"column": "who.id"}, "name": {"column": "what", "values": {"open": "app_opened", "read": "read"}},
        "dayKey": {"dayOf": "at", "unit": "seconds", "zoneColumn": "zone"},
        "timestampUtc": {"instantOf": "at", "unit": "seconds"}}}]}
    write("events.mapping.json", json.dumps(mapping, indent=2) + "\n")


def firebase():
    """Events as BigQuery exports them: whole numbers of 64 bits are texts, and what is missing is left out."""
    def event(name, at, user="a1.100", date="20260301", offset=None, **parameters):
        values = []
        for key, value in parameters.items():
            kind = "string_value" if isinstance(value, str) else "int_value" if isinstance(value, int) else "double_value"
            values.append({"key": key, "value": {kind: str(value) if isinstance(value, int) else value}})
        row = {
            "event_date": date, "event_timestamp": str(at), "event_name": name, "event_params": values,
            "user_properties": [{"key": "user_type", "value": {
                "string_value": "free", "set_timestamp_micros": "1772300000000000"}}],
            "device": {"category": "mobile", "operating_system": "iOS"},
            "app_info": {"id": "org.example.notes", "version": "2.1"}, "items": [],
        }
        if user:
            row["user_pseudo_id"] = user
        if offset is not None:
            row["device"]["time_zone_offset_seconds"] = str(offset)
        return json.dumps(row)

    noon = 1772366400000000
    write("firebase.ndjson", "\n".join([
        event("first_open", noon),
        event("session_start", noon + 1, ga_session_id=7),
        event("screen_view", noon + 2, screen_name="Timeline", firebase_screen_class="TimelineView"),
        event("search_performed", noon + 3, search_query="tea", search_result_count=4, duration=0.25),
        event("search_performed", noon + 3, search_query="tea", search_result_count=4, duration=0.25),
        # Eleven in the evening in UTC is the next day at the phone.
        event("item_created", noon + 39_600_000_000, item_id="i1", status="success", offset=3600 * 9),
        event("network_request", noon + 5, user="b2.200", endpoint="/items", method="GET", response_time=612.5,
              status="success"),
        event("performance_operation", noon + 6, user="b2.200", operation_name="parse", duration=120.0,
              status="success", memory_usage=80.5),
        event("session_start", noon + 7, user=None),
    ]) + "\n")


def fuzzed():
    """The same exports as inputs of the fuzzer, each behind the name of its kind."""
    folder = HERE.parent / "Fuzzed" / "imports"
    folder.mkdir(parents=True, exist_ok=True)
    files = [
        ("loop", "loop.db", None), ("habitbull", "habitbull.csv", None), ("mhabit", "mhabit.json", None),
        ("apple-health", "apple-health.xml", None), ("cloudkit", "cloudkit.json", None),
        ("csv", "log.csv", "log.mapping.json"), ("ndjson", "events.ndjson", "events.mapping.json"),
        ("firebase", "firebase.ndjson", None),
    ]
    for kind, name, mapping in files:
        before = (HERE / mapping).read_bytes() + b"\0" if mapping else b""
        (folder / name).write_bytes(kind.encode() + b"\n" + before + (HERE / name).read_bytes())


def main():
    loop_folder()
    loop_database()
    loop_odd_database()
    habitbull()
    table_habit()
    apple_health()
    cloudkit()
    generic()
    firebase()
    fuzzed()


main()
