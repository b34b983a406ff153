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
}

/// Everything about a clause: its row in the table.
package struct ClauseTraits {
  /// What the parser reads after the word.
  enum Argument {
    case nothing, expression, fact
    /// A text or a number, in the words of a finding where it is not there.
    case text(String)
    case number(String)
    case length([Word])
    /// A form that no other clause has.
    case own
  }

  /// The kinds that cannot do without it, and those that may have it. Neither for the clauses of every metric.
  var required: [MetricKind] = []
  var optional: [MetricKind] = []
  var argument = Argument.own
  package var example: String
  /// What it means, in a sentence.
  package var help: String
}

extension ClauseWord {
  package var traits: ClauseTraits {
    switch self {
    case .subject:
      ClauseTraits(
        required: [.completion, .progress, .measure, .funnel, .retention], example: "for habit",
        help: "The subject: an entity with a lower-case first letter, or `app`; `where` chooses some.")
    case .every:
      ClauseTraits(
        required: [.completion], example: "every day",
        help: "The window: rolling days or weeks, or with `calendar` a week, month, quarter or year.")
    case .when:
      ClauseTraits(
        required: [.completion], argument: .expression,
        example: "when count(HabitEntry) >= 1",
        help: "When a window is complete. Without a live fact it never is.")
    case .limit:
      ClauseTraits(
        optional: [.completion],
        example: "limit count(Event where name == \"smoked\") == 0 \"my own choice\"",
        help:
          "What the window may hold at most, and why: `limit count(Smoke) == 0 \"my own choice\"`. It looks at the window alone."
      )
    case .rest:
      ClauseTraits(
        optional: [.completion], argument: .expression,
        example: "rest when weekday(day) in [\"saturday\", \"sunday\"]",
        help: "`rest when`: windows that streaks and momentum skip.")
    case .of:
      ClauseTraits(
        required: [.streak, .momentum, .level], example: "of done", help: "The metric that this one reads.")
    case .best:
      ClauseTraits(
        optional: [.streak], argument: .nothing, example: "best", help: "The longest streak so far.")
    case .previous:
      ClauseTraits(
        optional: [.streak], argument: .nothing, example: "previous",
        help:
          "The length of the last run that ended; in `over previous calendar month` the whole unit before the day's."
      )
    case .grace:
      ClauseTraits(
        optional: [.streak], argument: .length(Units.counted), example: "grace 1 day",
        help: "The largest value over the last windows, so that a day that is not over yet does not show 0.")
    case .forgive:
      ClauseTraits(
        optional: [.streak], example: "forgive 2 in 30 days",
        help:
          "`forgive 2 in 30 days`: windows that may stay open without ending the streak; gives the part `left`."
      )
    case .step:
      ClauseTraits(
        required: [.funnel], example: "step opened Event where name == \"opened\"",
        help: "A step of the funnel: its name, and the fact that reaches it.")
    case .within:
      ClauseTraits(
        optional: [.funnel], argument: .length(Units.rolling), example: "within 7 days",
        help: "How long the steps may take, counted from the day of the first.")
    case .order:
      ClauseTraits(
        optional: [.funnel], example: "order any", help: "`any` or `strict` order of the steps.")
    case .days:
      ClauseTraits(
        optional: [.funnel], example: "days 50, 90",
        help:
          "A day; `days 50, 90` in a funnel: percentiles of the days to each step; as an operand, the day of the fact, of the window's end, or the reference day."
      )
    case .without:
      ClauseTraits(
        optional: [.funnel], argument: .fact,
        example: "without Event where name == \"cancelled\"",
        help: "`without FACT`: what lies between no two steps of a funnel.")
    case .start:
      ClauseTraits(
        required: [.retention], example: "start Event where name == \"signed_up\"",
        help: "The fact that starts a subject: the first one, or each day with one.")
    case .returns:
      ClauseTraits(
        required: [.retention], argument: .fact, example: "return Event",
        help: "The fact that counts as coming back.")
    case .value:
      ClauseTraits(
        required: [.progress, .measure], optional: [.retention], argument: .expression,
        example: "value sum(HabitEntry.value)", help: "The expression that the metric computes.")
    case .target:
      ClauseTraits(
        optional: [.progress], argument: .expression,
        example: "target habit.weeklyTarget",
        help: "What the value is measured against; gives the parts `target` and `fraction`.")
    case .after:
      ClauseTraits(
        required: [.retention], example: "after 1, 7, 30 days",
        help:
          "How many days after the start, such as `1, 7, 30 days` or `days 1 to 7`; `or later` counts later days too."
      )
    case .over:
      ClauseTraits(
        optional: [.momentum, .progress, .measure, .funnel, .retention], example: "over last 7 days",
        help: "The period; without it all time.")
    case .halfLife:
      ClauseTraits(
        optional: [.momentum], argument: .length(Units.counted),
        example: "half life 10 days",
        help: "`half life N days`: a strength from 0 to 1 in which a window counts half after N days.")
    case .by:
      ClauseTraits(
        optional: [.measure, .funnel, .retention], example: "by cohort week",
        help:
          "Groups by one to four fields; also by the cohort of the first day, or by metrics of the counted subject."
      )
    case .slice:
      ClauseTraits(
        optional: [.measure, .funnel, .retention], example: "slice by name",
        help: "`slice by country, plan`: the fields by which the metric may be asked for.")
    case .at:
      ClauseTraits(
        required: [.level], example: "at 7, 30, 100",
        help:
          "Thresholds that rise, with `days` also the day of each; or `at least K users`, which hides small groups."
      )
    case .atLeast:
      ClauseTraits(
        optional: [.measure, .funnel, .retention], example: "at least 5 users",
        help: "`at least K users`: smaller groups are left out.")
    case .nearest:
      ClauseTraits(
        optional: [.measure, .funnel, .retention],
        argument: .number("a number to round to"),
        example: "nearest 5", help: "`nearest N`: the published values are multiples of N.")
    case .reading:
      ClauseTraits(
        optional: [.measure], argument: .text("a text that says what is read"),
        example: "reading \"the weight that was measured last\"",
        help: "An observation, such as a weight or a share; it may fall, and no score may read it.")
    case .title:
      ClauseTraits(
        argument: .text("the title as a text"), example: "title \"Days in a row\"",
        help: "What people call the metric.")
    case .unit:
      ClauseTraits(
        example: "unit days",
        help: "What the number counts. Only metrics of equal units can be added and compared.")
    case .audience:
      ClauseTraits(
        example: "audience team",
        help: "Who sees the number: `user`, the person it is about, or `team`.")
    case .owner:
      ClauseTraits(
        argument: .text("a text that names who answers for it"),
        example: "owner \"growth team\"", help: "Who answers for the metric.")
    case .tags:
      ClauseTraits(
        example: "tags [\"growth\", \"weekly\"]", help: "Words by which people find the metric.")
    case .approved:
      ClauseTraits(
        example: "approved \"Ana\" on 2026-06-30 meaning \"3f1c27a09be4d856\"",
        help: "Who agreed to what the metric means, and when; `metricc approve` writes it.")
    case .deprecated:
      ClauseTraits(
        argument: .text("a text that says what to use instead"),
        example: "deprecated \"use daily_streak\"", help: "What to use instead.")
    case .allow:
      ClauseTraits(
        example: "allow W003 \"why\"", help: "Silences one warning here, and says why.")
    case .metrics:
      ClauseTraits(
        example: "metrics dau, wau",
        help: "The metrics of a report, in the order in which they are shown.")
    }
  }

  /// Clauses of every metric.
  package static let common: [ClauseWord] = [
    .title, .unit, .audience, .owner, .tags, .approved, .deprecated, .allow,
  ]

  package static let ofReports: [ClauseWord] = [.title, .every, .metrics]

  /// Whether it is its word alone.
  var isAlone: Bool { if case .nothing = traits.argument { true } else { false } }

  package func belongs(to kind: MetricKind) -> Bool {
    let traits = traits
    return traits.required.contains(kind) || traits.optional.contains(kind)
  }

  /// The declarations that it is a clause of; none for those of every metric.
  package var owners: [String] {
    self == .metrics ? ["report"] : MetricKind.allCases.filter(belongs).map(\.rawValue)
  }

  /// How the clause is written in a metric of a kind.
  package func example(in kind: MetricKind) -> String {
    ClauseWord.examplesOfKinds[kind]?[self] ?? traits.example
  }

  /// Where a kind writes a clause in another way than most.
  private static let examplesOfKinds: [MetricKind: [ClauseWord: String]] = [
    .level: [.of: "of best_streak"], .retention: [.value: "value sum(Event.value)"],
    .measure: [.by: "by name"],
  ]
}

extension MetricKind {
  /// The clauses of the kind beside the common ones.
  package var clauses: [ClauseWord] { ClauseWord.allCases.filter { $0.belongs(to: self) } }

  package var required: [ClauseWord] { ClauseWord.allCases.filter { $0.traits.required.contains(self) } }

  /// The clauses of the shortest metric of the kind.
  package var exampleClauses: [String] {
    var clauses = required.map { $0.example(in: self) }
    if self == .momentum { clauses.append(ClauseWord.over.example(in: self)) }
    if self == .funnel { clauses.append("step started Event where name == \"started\"") }
    return clauses
  }

  package var example: String { "\(rawValue) NAME { \(exampleClauses.joined(separator: "  ")) }" }
}
