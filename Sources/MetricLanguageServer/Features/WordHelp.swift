/// What the words and functions of the language mean, in a sentence, for hovers and completion.
package enum WordHelp {
  /// What a keyword means where it is; nil for a text that is not a word of the language.
  static func text(of word: String, in declaration: Declaration?) -> String? {
    guard let known = Word(rawValue: word) else { return types[word] ?? (word == "app" ? app : nil) }
    if case .test = declaration, let meaning = known.helpInTest { return meaning }
    return known.help
  }

  /// Types of fields that are not records.
  package static let types: [String: String] = [
    "ID": "The id of the record itself.",
    "Text": "A text; an empty one is a missing value.", "Int": "A whole number.",
    "Decimal": "A number with up to six digits after the point.", "Bool": "`true` or `false`.",
    "DayKey": "A day as it was where the person was, such as `2026-01-31`.",
    "Instant": "A moment; nothing reads it, it orders the facts of a day.",
  ]

  /// The subject that is not an entity.
  private static let app = "The whole dataset as one subject; its metrics are for the team."

  /// Functions with how they are called.
  package static let functions = [
    "least": "`least(a, b)`: the smaller of two.", "greatest": "`greatest(a, b)`: the larger of two.",
    "floor": "`floor(a)`: the whole number below.", "weekday": "`weekday(day)`: the name of the day.",
  ].merging(AggregateFunction.all.map { ($0.word, $0.traits.help) }) { $1 }

  /// A word or a function of the language in a few lines: what it means, how it is written, where it belongs.
  package static func page(of word: String) -> String? {
    if let help = functions[word] { return "\(help)\n" }
    if let help = types[word] ?? (word == "app" ? app : nil) { return "\(word): \(help)\n" }
    if let record = builtInRecords.first(where: { $0.name.text == word }) { return page(of: record) }
    // `at least` is a clause of two words.
    let head = ClauseWord(rawValue: word) == nil ? word : String(word.prefix { $0 != " " })
    guard let known = Word(rawValue: head), !Word.forbidden.contains(known) else { return nil }
    var text = "\(word): \(known.help)\n"
    if let kind = MetricKind(rawValue: word) {
      text +=
        "\n    \(kind.example)\n\nIts clauses are \(kind.clauses.map { "`\($0.rawValue)`" }.joined(separator: ", ")).\n"
    }
    for clause in ClauseWord.allCases where clause.rawValue.split(separator: " ").contains(Substring(head)) {
      let kind = clause.owners.first.flatMap(MetricKind.init(rawValue:)) ?? .measure
      let owners = clause.owners.isEmpty ? ["every metric"] : clause.owners.map { "`\($0)`" }
      text += "\n    \(clause.example(in: kind))\n\nA clause of \(owners.joined(separator: ", ")).\n"
    }
    return text
  }

  private static let builtIn = SourceFile(path: BuiltIn.path, text: BuiltIn.source)

  private static let builtInRecords = parse(builtIn, file: 0).tree.records

  /// A built-in record as the language declares it.
  private static func page(of record: RecordDeclaration) -> String {
    let lines = builtIn.text(record.span).split(separator: "\n").map { "    \($0)\n" }.joined()
    return
      "\(record.name.text): \(record.doc ?? "A built-in record.")\n\n\(lines)\nA record of every library; `extend \(record.name.text) { … }` adds fields.\n"
  }

  /// Every word that has a page.
  package static var words: [String] {
    Word.allCases.map(\.rawValue).filter { page(of: $0) != nil }
      + (Array(functions.keys) + types.keys + ["app"]).sorted() + builtInRecords.map(\.name.text)
  }

  /// The ways to call a function: `first(F …)` and `first(F.x …)`, and what it gives.
  static func signatures(of function: String) -> (calls: [String], meaning: String)? {
    guard let help = functions[function], let colon = help.firstRange(of: ": ") else { return nil }
    let calls = help[..<colon.lowerBound].split(separator: "`").map(String.init).filter { $0.contains("(") }
    return (calls, String(help[colon.upperBound...]))
  }
}

extension Word {
  /// The word in a sentence. The compiler asks for one for every word that the parser knows.
  package var help: String {
    switch self {
    case .completion: "Whether something was done in each window: yes or no."
    case .streak: "How many windows in a row were complete, up to and including window 0."
    case .momentum: "How many of the last windows were complete, or a strength that fades over time."
    case .progress: "A number for each subject, with an optional target."
    case .measure: "A number, Bool, day or text for each subject or for the app, optionally in groups."
    case .level:
      "How many rising thresholds a metric has reached, and on which days. No metric may read a level."
    case .funnel: "How many subjects reached each step."
    case .retention: "How many subjects came back some days after they started."
    case .metrics, .title, .unit, .audience, .owner, .tags, .approved, .deprecated, .allow, .reading, .for,
      .every, .when, .limit, .rest, .of, .best, .nearest, .previous, .grace, .forgive, .half, .over, .value,
      .target, .at, .step, .within, .order, .start, .return, .after, .by, .slice, .without, .days:
      ClauseWord.starting[self]?.help ?? ""
    case .life: ClauseWord.halfLife.help
    case .on, .meaning: ClauseWord.approved.help
    case .least, .users: ClauseWord.atLeast.help
    case .to: ClauseWord.after.help
    case .day: ClauseWord.days.help
    case .fact: "A record of something that happened on a day."
    case .entity: "Something that facts refer to by its `id`, such as a habit or a user."
    case .link: "A record that joins others and has no day."
    case .extend: "Adds fields to a record that is declared elsewhere."
    case .test: "A small dataset, and the values that metrics must have on it."
    case .report: "Metrics that people look at together. Nothing reads a report."
    case .language: "The version of the language that the library is written in: `language 1`."
    case .any: "`order any`: the steps in any order."
    case .strict: "`order strict`: nothing else between the steps."
    case .as: "`over each [last 7 days as weekly]`: the word that the metric's name starts with."
    case .user: "`audience user`: the person whom the number is about."
    case .team: "`audience team`: those who make the app; question C4 does not bind it."
    case .first: "`start first`: the subject's first such fact."
    case .each: "`start each`: every day with such a fact. `over each`: a metric for each period."
    case .or: "Either condition; in `after`, `or later` counts later days too."
    case .later: "`or later`: later days count too."
    case .cohort: "Groups by the day, week, month, quarter or year of a subject's first fact."
    case .calendar: "A calendar week, month, quarter or year in place of rolling days."
    case .from: "The weekday that a calendar week starts on, or the month that a year or quarter starts with."
    case .last: "A period of days that ends at the reference day."
    case .all, .time: "`all time`: no limit."
    case .week, .weeks: "Seven days; with `calendar`, from Monday or the day after `from`."
    case .window, .windows: "A length in windows of the completion: `last 10 windows`."
    case .month, .months: "A calendar month."
    case .quarter: "Three calendar months, from January or the month after `from`."
    case .year: "Twelve calendar months, from January or the month after `from`."
    case .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday: "A day of the week."
    case .january, .february, .march, .april, .may, .june, .july, .august, .september, .october, .november,
      .december:
      "The month that a calendar year or quarter starts with."
    case .if, .then, .else: "`if E then A else B`: one of two values. None counts as false."
    case .and: "Both conditions."
    case .not: "The opposite; of none it is none."
    case .in: "Whether a value is one of a list."
    case .is: "`is none`, `is not none`: whether there is a value."
    case .none: "No value."
    case .true, .false: "A Bool."
    case .offset: "The metric some days, weeks or months earlier."
    case .where: "Keeps only what the condition holds for."
    case .through: "The reference or link by which a fact finds its subject."
    case .setting: "A decision, not behaviour: logging one is not an act that could be punished."
    case .consent: "The level of consent that team metrics need to read the fact."
    case .default: "`consent LEVEL default LEVEL`: the level of users who have no `Consent` record."
    case .essential, .standard, .detailed:
      "A level of consent, from `none` over `essential` and `standard` to `detailed`."
    case .min: "The least value: the loader rejects smaller numbers, and the checker relies on it."
    case .stored: "A metric that somebody keeps in a database: no metric may read it."
    case .observed:
      "Observed at that moment, such as the score of a quiz; says why it is not derived."
    case .pii: "Personal: it supports only `is none`."
    case .tombstone: "A record with a value here is not live."
    case .given: "A record of the test's dataset."
    case .log: "Entries of a habit from a day on: `#` an entry, a digit an entry with that value, `.` none."
    case .expect: "The value that a metric must have on a day."
    case .group: "The group of a metric with `by`: a text for each of its fields."
    case .part: "The part of a metric."
    case .cached, .persist, .store, .cache, .save, .increment, .decrement, .reset, .override, .expire,
      .rollover,
      .carry, .penalty, .missed, .late, .deadline, .punish, .lose, .timezone, .timestamp, .now, .today:
      "Not in the language: a metric is computed from facts and DayKeys alone, and punishes nobody. The finding says what to write."
    }
  }

  /// Where a word means something else in a test.
  fileprivate var helpInTest: String? {
    switch self {
    case .for: "The subject."
    case .at: "The reference day."
    case .from: "The day of the first mark."
    default: nil
    }
  }
}
