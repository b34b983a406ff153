/// A clause by its word, as messages and tables name it; the kinds list their clauses in this order.
package enum ClauseWord: String, CaseIterable, Sendable {
  case subject = "for"
  case every, when, limit
  case rest = "rest when"
  case of, best, previous, grace, forgive
  case step, within, order, days, without, start
  case returns = "return"
  case value, target, after, over
  case halfLife = "half life"
  case by
  case slice = "slice by"
  case at
  case atLeast = "at least"
  case nearest, reading, title, unit, audience, owner, tags, approved, deprecated, allow, metrics

  /// The word that it starts with, and the one that is part of its name.
  package var head: Word? { words.first }
  var second: Word? { Self.seconds[self] }

  private var words: [Word] { rawValue.split(separator: " ").compactMap { Word(rawValue: String($0)) } }

  private static let seconds = Dictionary(
    uniqueKeysWithValues: allCases.compactMap { clause in clause.words.dropFirst().first.map { (clause, $0) }
    })

  /// By the word that it starts with; `at` is read before it is known whether `least` follows.
  package static let starting: [Word: ClauseWord] = Dictionary(
    allCases.compactMap { clause in clause.head.map { ($0, clause) } }
  ) { first, _ in first }

  /// How a metric writes it.
  package var example: String {
    switch self {
    case .subject: "for habit"
    case .every: "every day"
    case .when: "when count(HabitEntry) >= 1"
    case .limit: "limit count(Event where name == \"smoked\") == 0 \"my own choice\""
    case .rest: "rest when weekday(day) in [\"saturday\", \"sunday\"]"
    case .of: "of done"
    case .best: "best"
    case .previous: "previous"
    case .grace: "grace 1 day"
    case .forgive: "forgive 2 in 30 days"
    case .step: "step opened Event where name == \"opened\""
    case .within: "within 7 days"
    case .order: "order any"
    case .days: "days 50, 90"
    case .without: "without Event where name == \"cancelled\""
    case .start: "start Event where name == \"signed_up\""
    case .returns: "return Event"
    case .value: "value sum(HabitEntry.value)"
    case .target: "target habit.weeklyTarget"
    case .after: "after 1, 7, 30 days"
    case .over: "over last 7 days"
    case .halfLife: "half life 10 days"
    case .by: "by cohort week"
    case .slice: "slice by name"
    case .at: "at 7, 30, 100"
    case .atLeast: "at least 5 users"
    case .nearest: "nearest 5"
    case .reading: "reading \"the weight that was measured last\""
    case .title: "title \"Days in a row\""
    case .unit: "unit days"
    case .audience: "audience team"
    case .owner: "owner \"growth team\""
    case .tags: "tags [\"growth\", \"weekly\"]"
    case .approved: "approved \"Ana\" on 2026-06-30 meaning \"3f1c27a09be4d856\""
    case .deprecated: "deprecated \"use daily_streak\""
    case .allow: "allow W003 \"why\""
    case .metrics: "metrics dau, wau"
    }
  }

  /// What it means, in a sentence.
  package var help: String {
    switch self {
    case .subject: "The subject: an entity with a lower-case first letter, or `app`; `where` chooses some."
    case .every: "The window: rolling days or weeks, or with `calendar` a week, month, quarter or year."
    case .when: "When a window is complete. Without a live fact it never is."
    case .limit:
      "What the window may hold at most, and why: `limit count(Smoke) == 0 \"my own choice\"`. It looks at the window alone."
    case .rest: "`rest when`: windows that streaks and momentum skip."
    case .of: "The metric that this one reads."
    case .best: "The longest streak so far."
    case .previous:
      "The length of the last run that ended; in `over previous calendar month` the whole unit before the day's."
    case .grace:
      "The largest value over the last windows, so that a day that is not over yet does not show 0."
    case .forgive:
      "`forgive 2 in 30 days`: windows that may stay open without ending the streak; gives the part `left`."
    case .step: "A step of the funnel: its name, and the fact that reaches it."
    case .within: "How long the steps may take, counted from the day of the first."
    case .order: "`any` or `strict` order of the steps."
    case .days:
      "A day; `days 50, 90` in a funnel: percentiles of the days to each step; as an operand, the day of the fact, of the window's end, or the reference day."
    case .without: "`without FACT`: what lies between no two steps of a funnel."
    case .start: "The fact that starts a subject: the first one, or each day with one."
    case .returns: "The fact that counts as coming back."
    case .value: "The expression that the metric computes."
    case .target: "What the value is measured against; gives the parts `target` and `fraction`."
    case .after:
      "How many days after the start, such as `1, 7, 30 days` or `days 1 to 7`; `or later` counts later days too."
    case .over: "The period; without it all time."
    case .halfLife: "`half life N days`: a strength from 0 to 1 in which a window counts half after N days."
    case .by:
      "Groups by one to four fields; also by the cohort of the first day, or by metrics of the counted subject."
    case .slice: "`slice by country, plan`: the fields by which the metric may be asked for."
    case .at:
      "Thresholds that rise, with `days` also the day of each; or `at least K users`, which hides small groups."
    case .atLeast: "`at least K users`: smaller groups are left out."
    case .nearest: "`nearest N`: the published values are multiples of N."
    case .reading: "An observation, such as a weight or a share; it may fall, and no score may read it."
    case .title: "What people call the metric."
    case .unit: "What the number counts. Only metrics of equal units can be added and compared."
    case .audience: "Who sees the number: `user`, the person it is about, or `team`."
    case .owner: "Who answers for the metric."
    case .tags: "Words by which people find the metric."
    case .approved: "Who agreed to what the metric means, and when; `metricc approve` writes it."
    case .deprecated: "What to use instead."
    case .allow: "Silences one warning here, and says why."
    case .metrics: "The metrics of a report, in the order in which they are shown."
    }
  }

  /// Clauses of every metric.
  package static let common: [ClauseWord] = [
    .title, .unit, .audience, .owner, .tags, .approved, .deprecated, .allow,
  ]

  package static let ofReports: [ClauseWord] = [.title, .every, .metrics]

  /// Whether it is its word alone.
  var isAlone: Bool { self == .best || self == .previous }

  package func belongs(to kind: MetricKind) -> Bool {
    kind.ownClauses.required.contains(self) || kind.ownClauses.optional.contains(self)
  }

  /// The declarations that it is a clause of; none for those of every metric.
  package var owners: [String] {
    self == .metrics ? ["report"] : MetricKind.allCases.filter(belongs).map(\.rawValue)
  }

  /// How the clause is written in a metric of a kind.
  package func example(in kind: MetricKind) -> String {
    ClauseWord.examplesOfKinds[kind]?[self] ?? example
  }

  /// Where a kind writes a clause in another way than most.
  private static let examplesOfKinds: [MetricKind: [ClauseWord: String]] = [
    .level: [.of: "of best_streak"], .retention: [.value: "value sum(Event.value)"],
    .measure: [.by: "by name"],
  ]
}

extension MetricKind {
  /// The clauses that a metric cannot do without, and those that it may have beside the common ones.
  fileprivate var ownClauses: (required: [ClauseWord], optional: [ClauseWord]) {
    switch self {
    case .completion: ([.subject, .every, .when], [.limit, .rest])
    case .streak: ([.of], [.best, .previous, .grace, .forgive])
    case .momentum: ([.of], [.over, .halfLife])
    case .progress: ([.subject, .value], [.target, .over])
    case .measure: ([.subject, .value], [.over, .by, .slice, .atLeast, .nearest, .reading])
    case .level: ([.of, .at], [])
    case .funnel:
      ([.subject, .step], [.within, .order, .days, .without, .over, .by, .slice, .atLeast, .nearest])
    case .retention:
      ([.subject, .start, .returns, .after], [.value, .over, .by, .slice, .atLeast, .nearest])
    }
  }

  /// The clauses of the kind beside the common ones.
  package var clauses: [ClauseWord] { ClauseWord.allCases.filter { $0.belongs(to: self) } }

  package var required: [ClauseWord] { ownClauses.required }

  /// The clauses of the shortest metric of the kind.
  package var exampleClauses: [String] {
    var clauses = required.map { $0.example(in: self) }
    if self == .momentum { clauses.append(ClauseWord.over.example(in: self)) }
    if self == .funnel { clauses.append("step started Event where name == \"started\"") }
    return clauses
  }

  package var example: String { "\(rawValue) NAME { \(exampleClauses.joined(separator: "  ")) }" }
}
