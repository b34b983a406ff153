import MetricDiagnostics
import MetricValues

extension Page {
  /// The codes of the readers and of evaluation.
  package static let data = read(
    #"""
    D001 empty-file: A file without a header
    A CSV file names its fields in the first row; a JSON file holds an array, if only an empty one. A record
    type without records has no file.
    In: csv
    +id,userId,dayKey

    D002 missing-column: A column is missing
    Every record must have the field, and the header does not name it.
    In: csv
    -id,userId
    -1,ada
    +id,userId,dayKey
    +1,ada,2026-01-31

    D003 repeated-column: A column appears twice
    Nothing tells which of the two is meant.
    In: csv
    -id,userId,dayKey,dayKey
    -1,ada,2026-01-31,2026-02-01
    +id,userId,dayKey
    +1,ada,2026-01-31

    D004 wrong-cell-count: A row is longer or shorter than the header
    A comma too many moves all cells after it into the wrong column.
    In: csv
     id,userId,dayKey,minutes
    -1,ada,2026-01-31,7,5
    +1,ada,2026-01-31,7.5

    D005 stray-quote: A quote within a cell
    A cell that contains a quote is quoted as a whole, and the quote is doubled (RFC 4180).
    In: csv
     id,userId,dayKey
    -1,ada "the first",2026-01-31
    +1,"ada ""the first""",2026-01-31

    D006 unterminated-quote: A quoted cell does not end
    All records after the quote would be one cell.
    In: csv
     id,userId,dayKey
    -1,"ada,2026-01-31
    +1,"ada",2026-01-31

    D007 not-utf8: Bytes that are not UTF-8
    The bytes of a value are not valid UTF-8, as in text in Latin-1, or the whole file is something else:
    UTF-16, or packed with gzip, zstd or zip.
    See: S001
    In: csv
     id,userId,dayKey
    -1,ren\xE9,2026-01-31
    +1,rené,2026-01-31

    D008 wrong-separator: Other separators than commas and line feeds
    The names of the header are separated by semicolons, tabs or bars, or lines end with a carriage return
    alone.
    In: csv
    -id;userId;dayKey
    -1;ada;2026-01-31
    +id,userId,dayKey
    +1,ada,2026-01-31

    D010 missing-value: A value is missing
    The field is not optional and its cell is empty, absent or `null`. An empty text is missing too.
    In: csv
     id,userId,dayKey
    -1,ada,
    +1,ada,2026-01-31

    D011 no-real-date: A day that the calendar does not have
    A DayKey is a real date from \#(DayKey.range).
    See: D012, T018
    In: csv
     id,userId,dayKey
    -1,ada,2026-02-29
    +1,ada,2026-02-28

    D012 not-a-day: Something that is not a day
    A DayKey is `YYYY-MM-DD`. It is never computed from an instant: another zone would make it another day.
    See: D011
    In: csv
     id,userId,dayKey
    -1,ada,2026-01-31T22:15:00Z
    +1,ada,2026-01-31

    D013 not-a-number: Something that is not a number
    The field is an `Int` or a `Decimal`. Units, commas and words are not guessed at.
    In: csv
     id,userId,dayKey,minutes
    -1,ada,2026-01-31,12 min
    +1,ada,2026-01-31,12

    D014 not-whole: A number that is not whole
    The field is an `Int`, and nothing is rounded.
    In: csv
     id,userId,dayKey,pages
    -1,ada,2026-01-31,12.5
    +1,ada,2026-01-31,12

    D015 too-many-digits: More than 6 digits after the decimal point
    A Decimal is a whole number of millionths, and nothing is rounded.
    In: csv
     id,userId,dayKey,minutes
    -1,ada,2026-01-31,0.1234567
    +1,ada,2026-01-31,0.123457

    D016 out-of-range: A number out of range
    Numbers lie within ±9,000,000,000,000.
    See: T017, D033
    In: csv
     id,userId,dayKey,pages
    -1,ada,2026-01-31,9000000000001
    +1,ada,2026-01-31,9000000000000

    D017 below-minimum: A number below the declared minimum
    The field says `min`. That a sum never falls was proved from this minimum.
    See: C401, C405
    In: csv
     id,userId,dayKey,minutes
    -1,ada,2026-01-31,-5
    +1,ada,2026-01-31,5

    D018 text-not-allowed: A text that is not among the allowed ones
    The field lists its texts. Conditions compare with these and would skip the record.
    See: T013
    In: csv
     id,userId,dayKey,mood
    -1,ada,2026-01-31,happy
    +1,ada,2026-01-31,calm

    D019 not-true-or-false: Something that is neither `true` nor `false`
    The field is a `Bool`. `yes`, `1` and `Y` mean different things to different exports.
    In: csv
     id,userId,dayKey,aloud
    -1,ada,2026-01-31,yes
    +1,ada,2026-01-31,true

    D020 not-an-instant: Something that is not an instant
    An instant carries its zone: `2026-01-31T08:15:00Z`, `2026-01-31T09:15:00+01:00`.
    In: csv
     id,userId,dayKey,startedAt
    -1,ada,2026-01-31,2026-01-31 08:15
    +1,ada,2026-01-31,2026-01-31T08:15:00Z

    D021 wrong-json-type: A value of another JSON type
    Numbers are JSON numbers, truths JSON booleans, days and texts JSON strings, records objects.
    In: ndjson
    -{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "minutes": "7.5"}
    +{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "minutes": 7.5}

    D022 repeated-key: A key appears twice in one object
    Readers disagree on which of the two counts.
    In: ndjson
    -{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "dayKey": "2026-02-01"}
    +{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}

    D023 malformed-json: Something that is not JSON
    A sign is missing or misplaced. What comes after it cannot be read with certainty.
    See: D025
    In: ndjson
    -{"id": 1, "userId": "ada", "dayKey": "2026-01-31"
    +{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}

    D024 not-an-array: A JSON file that is not an array
    A `.json` file holds one array of objects. One object a line is `.ndjson`.
    In: json
    -{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}
    +[{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}]

    D025 truncated-json: A JSON file that ends too early
    The array has no end: the export was cut off.
    See: D023
    In: json
    -[{"id": 1, "userId": "ada", "dayKey": "2026-01-31"},
    +[{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}]

    D026 nested-too-deeply: JSON that is nested too deeply
    A skipped value holds arrays or objects more than 128 deep.
    In: ndjson
    -{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": [[[[[ … ]]]]]}
    +{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": [[]]}

    D027 record-too-long: A record without an end
    A record, from its first byte to its line end, has more than 16 MB. The usual cause is a quote that is never
    closed.
    See: D006
    In: ndjson
    -{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": "aaaaaaaa … 17 MB … aaaaaaaa"}
    +{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": "aaaaaaaa"}

    D030 bundle-cycle: Circular bundles
    A bundle resolves to its habits. This one holds itself, directly or through others.
    See: D031
     progress total { for goal  value contribution(HabitEntry through GoalLink) }
     test "bundles" {
       given Goal { id: "g" }
       given GoalLink { goalId: "g", bundleId: "b1", contribution: "count" }
       given BundleMember { bundleId: "b1", childBundleId: "b2" }
    -  given BundleMember { bundleId: "b2", childBundleId: "b1" }
    +  given BundleMember { bundleId: "b2", habitId: "read" }
       expect total for "g" at 2026-01-01 = 0
     }

    D031 bundle-too-deep: Bundles nest too deeply
    Bundles nest at most 8 deep.
    See: D030
     progress total { for goal  value contribution(HabitEntry through GoalLink) }
     test "bundles" {
       given Goal { id: "g" }
       given GoalLink { goalId: "g", bundleId: "b1", contribution: "count" }
       given BundleMember { bundleId: "b1", childBundleId: "b2" }
    -  // and so on up to
    -  given BundleMember { bundleId: "b9", childBundleId: "b10" }
       expect total for "g" at 2026-01-01 = 0
     }

    D032 unit-mismatch: A sum link joins two units
    A `sum` link leads from a habit to a goal that is counted in another unit; no unit is one of its own. A
    `count` link may join them where the goal is counted in entries.
    See: T019, D043
     progress total { for goal  value contribution(HabitEntry through GoalLink) }
     test "units" {
       given Goal { id: "g", unit: "minutes" }
    -  given Habit { id: "read", unit: "pages" }
    +  given Habit { id: "read", unit: "minutes" }
       given GoalLink { goalId: "g", habitId: "read", contribution: "sum" }
       given HabitEntry { habitId: "read", dayKey: 2026-01-01, value: 20 }
       expect total for "g" at 2026-01-01 = 20
     }

    D033 overflow: A result out of range
    A result lies outside ±9,000,000,000,000. The finding names the metric and the subject.
    See: T017, D016
     measure total { for habit  value sum(HabitEntry.value) }
     test "large" {
       given HabitEntry { habitId: "read", dayKey: 2026-01-01, value: 8_000_000_000_000 }
    -  given HabitEntry { habitId: "read", dayKey: 2026-01-02, value: 2_000_000_000_000 }
    +  given HabitEntry { habitId: "read", dayKey: 2026-01-02, value: 1_000_000_000_000 }
       expect total for "read" at 2026-01-02 = 9_000_000_000_000
     }

    D034 identity-cycle: Identities lead in a circle
    The `Identity` links from an id lead back to it, or form a chain of more than 16. No id at the end could
    stand for the person.
     link Identity { guestId : User  userId : User }
     measure events { audience team  for user  value count(Event) }
     test "one person" {
       given Identity { guestId: "g1", userId: "g2" }
    -  given Identity { guestId: "g2", userId: "g1" }
    +  given Identity { guestId: "g2", userId: "u" }
       given Event { userId: "g2", name: "open", dayKey: 2026-01-01 }
       expect events for "u" at 2026-01-01 = 1
     }

    D035 identity-targets: An id stands for two others
    Two `Identity` links replace one id by different ids. Link the two targets if they are one person.
     link Identity { guestId : User  userId : User }
     measure events { audience team  for user  value count(Event) }
     test "one person" {
       given Identity { guestId: "g1", userId: "g2" }
    -  given Identity { guestId: "g1", userId: "u" }
    +  given Identity { guestId: "g2", userId: "u" }
       given Event { userId: "g2", name: "open", dayKey: 2026-01-01 }
       expect events for "u" at 2026-01-01 = 1
     }
    """#,
    inFull: [
      "D026": {
        #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": "#
          + String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000) + "}"
      },
      "D027": {
        #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": ""#
          + String(repeating: "a", count: 17 << 20) + #""}"#
      },
      "D031": { nestedBundles },
    ])

  /// Nine bundles, each in the next, and a link to the outermost.
  private static let nestedBundles =
    """
    progress total { for goal  value contribution(HabitEntry through GoalLink) }
    test "bundles" {
      given Goal { id: "g" }
      given GoalLink { goalId: "g", bundleId: "b1", contribution: "count" }

    """
    + (1...9).map { number in
      "  given BundleMember { bundleId: \"b\(number)\", childBundleId: \"b\(number + 1)\" }\n"
    }.joined() + "  expect total for \"g\" at 2026-01-01 = 0\n}"
}
