import MetricDiagnostics

extension Page {
  package static let data: [Page] = files + values + json + together

  /// The file as a whole.
  private static let files: [Page] = [
    Page(
      "D001", "empty-file", "A file without a header",
      what: """
        A CSV file names its fields in the first row; a JSON file holds an array, if only an empty one.
        """,
      why: """
        An export that failed looks like one without records. A record type without records has no file.
        """,
      language: .csv,
      wrong: "",
      right: "id,userId,dayKey"),
    Page(
      "D002", "missing-column", "A column is missing",
      what: "Every record must have the field, and the header does not name it.",
      why: "Every record of the file would be malformed; one finding covers all.",
      language: .csv,
      wrong: """
        id,userId
        1,ada
        """,
      right: """
        id,userId,dayKey
        1,ada,2026-01-31
        """),
    Page(
      "D003", "repeated-column", "A column appears twice",
      what: "The header names a field twice.",
      why: "Nothing tells which of the two is meant.",
      language: .csv,
      wrong: """
        id,userId,dayKey,dayKey
        1,ada,2026-01-31,2026-02-01
        """,
      right: """
        id,userId,dayKey
        1,ada,2026-01-31
        """),
    Page(
      "D004", "wrong-cell-count", "A row is longer or shorter than the header",
      what: "Every row has a cell for each column.",
      why: "A comma too many moves all cells after it into the wrong column.",
      language: .csv,
      wrong: """
        id,userId,dayKey,minutes
        1,ada,2026-01-31,7,5
        """,
      right: """
        id,userId,dayKey,minutes
        1,ada,2026-01-31,7.5
        """),
    Page(
      "D005", "stray-quote", "A quote within a cell",
      what: "A cell that contains a quote is quoted as a whole, and the quote is doubled (RFC 4180).",
      why: "Where the cell ends would depend on the reader.",
      language: .csv,
      wrong: """
        id,userId,dayKey
        1,ada "the first",2026-01-31
        """,
      right: #"""
        id,userId,dayKey
        1,"ada ""the first""",2026-01-31
        """#),
    Page(
      "D006", "unterminated-quote", "A quoted cell does not end",
      what: "No closing quote follows before the end of the file.",
      why: "All records after it would be one cell.",
      language: .csv,
      wrong: """
        id,userId,dayKey
        1,"ada,2026-01-31
        """,
      right: """
        id,userId,dayKey
        1,"ada",2026-01-31
        """),
    Page(
      "D007", "not-utf8", "Bytes that are not UTF-8",
      what: """
        The bytes of a value are not valid UTF-8, as in text in Latin-1, or the whole file is something else: UTF-16, \
        or packed with gzip, zstd or zip.
        """,
      why: "Ids and texts are compared byte by byte; two encodings make two subjects of one.",
      language: .csv,
      wrong: #"""
        id,userId,dayKey
        1,ren\xE9,2026-01-31
        """#,
      right: """
        id,userId,dayKey
        1,rené,2026-01-31
        """,
      seeAlso: ["S001"]),
    Page(
      "D008", "wrong-separator", "Other separators than commas and line feeds",
      what: """
        The names of the header are separated by semicolons, tabs or bars, or lines end with a carriage return alone.
        """,
      why: "The whole header would be one name that no field has, and the file a table without records.",
      language: .csv,
      wrong: """
        id;userId;dayKey
        1;ada;2026-01-31
        """,
      right: """
        id,userId,dayKey
        1,ada,2026-01-31
        """),
  ]

  /// A CSV file with one record.
  private static func csv(_ field: String, _ value: String) -> String {
    "id,userId,dayKey,\(field)\n1,ada,2026-01-31,\(value)"
  }

  /// One value.
  private static let values: [Page] = [
    Page(
      "D010", "missing-value", "A value is missing",
      what: """
        The field is not optional and its cell is empty, absent or `null`. An empty text is missing too.
        """,
      why: "A fact without a day belongs to no window. Nothing is filled in.",
      language: .csv,
      wrong: """
        id,userId,dayKey
        1,ada,
        """,
      right: """
        id,userId,dayKey
        1,ada,2026-01-31
        """),
    Page(
      "D011", "no-real-date", "A day that the calendar does not have",
      what: "A DayKey is a real date from \(DayKey.range).",
      why: """
        A date that does not exist has no place between other days. One of another century is a placeholder or a slip.
        """,
      language: .csv,
      wrong: """
        id,userId,dayKey
        1,ada,2026-02-29
        """,
      right: """
        id,userId,dayKey
        1,ada,2026-02-28
        """,
      seeAlso: ["D012", "T018"]),
    Page(
      "D012", "not-a-day", "Something that is not a day",
      what: "A DayKey is `YYYY-MM-DD` and nothing more.",
      why: "It is never computed from an instant: that would take a zone, and another zone another day.",
      language: .csv,
      wrong: """
        id,userId,dayKey
        1,ada,2026-01-31T22:15:00Z
        """,
      right: """
        id,userId,dayKey
        1,ada,2026-01-31
        """,
      seeAlso: ["D011"]),
    Page(
      "D013", "not-a-number", "Something that is not a number",
      what: "The field is an `Int` or a `Decimal`.",
      why: "Units, commas and words are not guessed at.",
      language: .csv, wrong: csv("minutes", "12 min"), right: csv("minutes", "12")),
    Page(
      "D014", "not-whole", "A number that is not whole",
      what: "The field is an `Int`.",
      why: "Rounding would silently change the data.",
      language: .csv, wrong: csv("pages", "12.5"), right: csv("pages", "12")),
    Page(
      "D015", "too-many-digits", "More than 6 digits after the decimal point",
      what: "A Decimal is a whole number of millionths.",
      why: "Rounding would silently change the data, and sums with it.",
      language: .csv, wrong: csv("minutes", "0.1234567"), right: csv("minutes", "0.123457")),
    Page(
      "D016", "out-of-range", "A number out of range",
      what: "Numbers lie within ±9,000,000,000,000.",
      why: "It would no longer be exact.",
      language: .csv, wrong: csv("pages", "9000000000001"), right: csv("pages", "9000000000000"),
      seeAlso: ["T017", "D033"]),
    Page(
      "D017", "below-minimum", "A number below the declared minimum",
      what: "The field says `min` and the value is smaller.",
      why: "The checker relies on it: that a sum never falls was proved from this minimum.",
      language: .csv, wrong: csv("minutes", "-5"), right: csv("minutes", "5"), seeAlso: ["C401", "C405"]),
    Page(
      "D018", "text-not-allowed", "A text that is not among the allowed ones",
      what: "The field lists its texts.",
      why: "Conditions compare with these and would skip the record.",
      language: .csv, wrong: csv("mood", "happy"), right: csv("mood", "calm"), seeAlso: ["T013"]),
    Page(
      "D019", "not-true-or-false", "Something that is neither `true` nor `false`",
      what: "The field is a `Bool`.",
      why: "`yes`, `1` and `Y` mean different things to different exports.",
      language: .csv, wrong: csv("aloud", "yes"), right: csv("aloud", "true")),
    Page(
      "D020", "not-an-instant", "Something that is not an instant",
      what: "An instant carries its zone: `2026-01-31T08:15:00Z`, `2026-01-31T09:15:00+01:00`.",
      why: "Without the zone it orders nothing.",
      language: .csv, wrong: csv("startedAt", "2026-01-31 08:15"),
      right: csv("startedAt", "2026-01-31T08:15:00Z")),
  ]

  private static let json: [Page] = [
    Page(
      "D021", "wrong-json-type", "A value of another JSON type",
      what: "Numbers are JSON numbers, truths JSON booleans, days and texts JSON strings, records objects.",
      why: "A number in quotes is a sign that the export took it for something else.",
      language: .ndjson,
      wrong: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "minutes": "7.5"}"#,
      right: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "minutes": 7.5}"#),
    Page(
      "D022", "repeated-key", "A key appears twice in one object",
      what: "Each field is given once.",
      why: "Readers disagree on which of the two counts.",
      language: .ndjson,
      wrong: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "dayKey": "2026-02-01"}"#,
      right: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}"#),
    Page(
      "D023", "malformed-json", "Something that is not JSON",
      what: "A sign is missing or misplaced.",
      why: "What comes after it cannot be read with certainty.",
      language: .ndjson,
      wrong: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31""#,
      right: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}"#,
      seeAlso: ["D025"]),
    Page(
      "D024", "not-an-array", "A JSON file that is not an array",
      what: "A `.json` file holds one array of objects. One object a line is `.ndjson`.",
      why: "The file name decides the format.",
      language: .json,
      wrong: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}"#,
      right: #"[{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}]"#),
    Page(
      "D025", "truncated-json", "A JSON file that ends too early",
      what: "The array has no end.",
      why: "The export was cut off; how much is missing cannot be seen.",
      language: .json,
      wrong: #"[{"id": 1, "userId": "ada", "dayKey": "2026-01-31"},"#,
      right: #"[{"id": 1, "userId": "ada", "dayKey": "2026-01-31"}]"#,
      seeAlso: ["D023"]),
    Page(
      "D026", "nested-too-deeply", "JSON that is nested too deeply",
      what: "A skipped value holds arrays or objects more than 128 deep.",
      why: "No record looks like that; a limit keeps a hostile file from exhausting the reader.",
      language: .ndjson,
      wrong: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": [[[[[ … ]]]]]}"#,
      wrongInFull: {
        #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": "#
          + String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000) + "}"
      },
      right: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "extra": [[]]}"#),
    Page(
      "D027", "record-too-long", "A record without an end",
      what: "A record, from its first byte to its line end, has more than 16 MB.",
      why: """
        A reader holds one record at a time, so this bounds its memory. The usual cause is a quote that is \
        never closed.
        """,
      language: .ndjson,
      wrong: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": "aaaaaaaa … 17 MB … aaaaaaaa"}"#,
      wrongInFull: {
        #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": ""#
          + String(repeating: "a", count: 17 << 20) + #""}"#
      },
      right: #"{"id": 1, "userId": "ada", "dayKey": "2026-01-31", "note": "aaaaaaaa"}"#,
      seeAlso: ["D006"]),
  ]

  /// Nine bundles, each in the next, and a link to the outermost.
  private static let nestedBundles =
    goalOfBundles
    + (1...9).map { number in
      "  given BundleMember { bundleId: \"b\(number)\", childBundleId: \"b\(number + 1)\" }\n"
    }.joined() + "  expect total for \"g\" at 2026-01-01 = 0\n}"

  private static let goalOfBundles = """
    progress total { for goal  value contribution(HabitEntry through GoalLink) }
    test "bundles" {
      given Goal { id: "g" }
      given GoalLink { goalId: "g", bundleId: "b1", contribution: "count" }

    """

  /// What is wrong with records only together.
  private static let together: [Page] = [
    Page(
      "D030", "bundle-cycle", "Circular bundles",
      what: "A bundle resolves to its habits. This one holds itself, directly or through others.",
      why: "There is no list of habits that it stands for.",
      wrong: goalOfBundles + """
          given BundleMember { bundleId: "b1", childBundleId: "b2" }
          given BundleMember { bundleId: "b2", childBundleId: "b1" }
          expect total for "g" at 2026-01-01 = 0
        }
        """,
      right: goalOfBundles + """
          given BundleMember { bundleId: "b1", childBundleId: "b2" }
          given BundleMember { bundleId: "b2", habitId: "read" }
          log "read" from 2026-01-01 "#"
          expect total for "g" at 2026-01-01 = 1
        }
        """,
      seeAlso: ["D031"]),
    Page(
      "D031", "bundle-too-deep", "Bundles nest too deeply",
      what: "Bundles nest at most 8 deep.",
      why: "The limit lets every engine resolve bundles in the same way; no real list reaches it.",
      wrong: goalOfBundles + """
          given BundleMember { bundleId: "b1", childBundleId: "b2" }
          // and so on up to
          given BundleMember { bundleId: "b9", childBundleId: "b10" }
          expect total for "g" at 2026-01-01 = 0
        }
        """,
      wrongInFull: { nestedBundles },
      right: goalOfBundles + """
          given BundleMember { bundleId: "b1", childBundleId: "b2" }
          given BundleMember { bundleId: "b2", habitId: "read" }
          log "read" from 2026-01-01 "#"
          expect total for "g" at 2026-01-01 = 1
        }
        """,
      seeAlso: ["D030"]),
    Page(
      "D032", "unit-mismatch", "A sum link joins two units",
      what: """
        A `sum` link leads from a habit to a goal that is counted in another unit. No unit is one of its own: a \
        habit with a unit and a goal without one do not fit, nor the other way round.
        """,
      why: "Pages do not add up to minutes, nor to a number without a unit. A `count` link may join them.",
      wrong: goalOfUnits + """
          given GoalLink { goalId: "g", habitId: "read", contribution: "sum" }
          given HabitEntry { habitId: "read", dayKey: 2026-01-01, value: 20 }
          expect total for "g" at 2026-01-01 = 20
        }
        """,
      right: goalOfUnits + """
          given GoalLink { goalId: "g", habitId: "read", contribution: "count" }
          given HabitEntry { habitId: "read", dayKey: 2026-01-01, value: 20 }
          expect total for "g" at 2026-01-01 = 1
        }
        """,
      seeAlso: ["T019"]),
    Page(
      "D033", "overflow", "A result out of range",
      what: "A result lies outside ±9,000,000,000,000. The finding names the metric and the subject.",
      why: "A wrong number is worse than none, and the order of addition must not matter.",
      wrong: tests("9_000_000_000_000", "0"),
      right: tests("4_000_000_000_000", "8_000_000_000_000"),
      seeAlso: ["T017", "D016"]),
    Page(
      "D034", "identity-cycle", "Identities lead in a circle",
      what: "The `Identity` links from an id lead back to it, or form a chain of more than 16.",
      why: "No id at the end could stand for the person.",
      wrong: identities("g2", "g1"), right: identities("g2", "u")),
    Page(
      "D035", "identity-targets", "An id stands for two others",
      what: "Two `Identity` links replace one id by different ids.",
      why:
        "Its facts would have to be split, or two people taken for one. Link the two targets if they are one person.",
      wrong: identities("g1", "u"), right: identities("g2", "u")),
  ]

  private static func identities(_ alias: String, _ target: String) -> String {
    """
    link Identity { guestId : User  userId : User }
    measure events { audience team  for user  value count(Event) }
    test "one person" {
      given Identity { guestId: "g1", userId: "g2" }
      given Identity { guestId: "\(alias)", userId: "\(target)" }
      given Event { userId: "g2", name: "open", dayKey: 2026-01-01 }
      expect events for "\(target)" at 2026-01-01 = 1
    }
    """
  }

  private static let goalOfUnits = """
    progress total { for goal  value contribution(HabitEntry through GoalLink) }
    test "units" {
      given Goal { id: "g", unit: "minutes" }
      given Habit { id: "read", unit: "pages" }

    """

  private static func tests(_ value: String, _ total: String) -> String {
    """
    measure total { for habit  value sum(HabitEntry.value) }
    test "large" {
      given HabitEntry { habitId: "read", dayKey: 2026-01-01, value: \(value) }
      given HabitEntry { habitId: "read", dayKey: 2026-01-02, value: \(value) }
      expect total for "read" at 2026-01-02 = \(total)
    }
    """
  }
}
