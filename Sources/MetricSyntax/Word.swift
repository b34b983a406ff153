/// Every word that the parser knows: the one table of keywords.
///
/// A word is a keyword only where the grammar asks for it; everywhere else it is a name. The
/// grammar test holds this table against `Grammar/metric.ebnf`, in both directions.
package enum Word: String, CaseIterable, Hashable, Sendable {
  // declarations
  case completion, streak, momentum, progress, measure, level, funnel, retention
  case fact, entity, link, extend, test, report, language

  // clauses
  case title, unit, audience, owner, tags, approved, deprecated, allow, reading
  case `for`, every, when, limit, rest, of, best, previous, grace, forgive, half, over, value, target, at
  case step, within, order, start, `return`, after, by, slice, nearest, metrics, without

  // inside clauses
  case life, on, meaning, least, users, user, team, any, strict, first, each, `as`, or, later, to, cohort
  case calendar, from, last, all, time
  case day, days, week, weeks, window, windows, month, months, quarter, year
  case january, february, march, april, may, june, july, august, september, october, november, december
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  // expressions
  case `if`, then, `else`, and, not, `in`, `is`, none, `true`, `false`, offset, `where`, through

  // records
  case setting, consent, `default`, min, stored, observed, pii, tombstone
  case essential, standard, detailed

  // tests
  case given, log, expect, group, part

  // the anti-patterns that have a diagnosis of their own (and `stored`)
  case cached, persist, store, cache, save, increment, decrement, reset, override, expire, rollover, carry
  case penalty, missed, late, deadline, punish, lose, timezone, timestamp, now, today

  /// The word that some bytes spell. Making a text of each name took a tenth of the time of parsing.
  init?(_ bytes: ArraySlice<UInt8>) {
    guard bytes.count <= 16, let word = Word.byBytes[Word.packed(bytes)] else { return nil }
    self = word
  }

  /// By the bytes of their spelling; none has more than 16.
  private static let byBytes = Dictionary(
    uniqueKeysWithValues: allCases.map { (packed($0.rawValue.utf8), $0) })

  private static func packed(_ bytes: some Sequence<UInt8>) -> UInt128 {
    bytes.reduce(0) { $0 << 8 | UInt128($1) }
  }

  package static let declarations: [Word] =
    MetricKind.allCases.compactMap { Word(rawValue: $0.rawValue) }
    + RecordKeyword.allCases.compactMap { Word(rawValue: $0.rawValue) } + [.test, .report, .language]

  /// Words that start a clause of a metric.
  package static let clauses: [Word] = ClauseWord.allCases.filter { $0 != .atLeast }.compactMap(\.head)

  /// Words of the anti-patterns: read where a clause may start, refused by the resolver.
  package static let forbidden: [Word] = ForbiddenWord.allCases.compactMap { Word(rawValue: $0.rawValue) }

  /// Words that may follow a complete operand inside an expression or its surroundings.
  static let operators: [Word] = [
    .or, .and, .not, .in, .is, .offset, .then, .else, .where, .through, .over,
  ]

  /// Words that an expression takes for itself where an operand may stand: no metric of that name could be read.
  package static let operandWords: [Word] = [.true, .false, .none, .if, .not]

  package static let weekdays: [Word] = [
    .monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday,
  ]

  package static let monthNames: [Word] = [
    .january, .february, .march, .april, .may, .june, .july, .august, .september, .october, .november,
    .december,
  ]

  static let consentLevels: [Word] = [.none, .essential, .standard, .detailed]

  var isDeclaration: Bool { Self.declarationSet.contains(self) }

  /// Whether the word starts a clause, an anti-pattern included.
  var startsClause: Bool { Self.clauseSet.contains(self) }

  /// Whether the word may come right after an operand.
  var followsOperand: Bool { startsClause || Self.operatorSet.contains(self) }

  private static let declarationSet = Set(declarations)
  private static let clauseSet = Set(clauses + forbidden)
  private static let operatorSet = Set(operators)
}

/// The words of a length, in pairs that mean the same.
enum Units {
  static let days: [Word] = [.day, .days]
  static let weeks: [Word] = [.week, .weeks]
  static let windows: [Word] = [.window, .windows]
  static let months: [Word] = [.month, .months]

  /// `every 2 weeks`, `within 30 days`
  static let rolling = days + weeks
  /// `last 7 days`, `grace 1 window`
  static let counted = days + weeks + windows
  /// `offset 1 month`, `by cohort month`
  static let shifted = days + weeks + months
  /// `calendar week`, `by cohort quarter`
  static let namedCalendar: [Word] = [.week, .month, .quarter, .year]
  static let calendar = weeks + months + [.quarter, .year]
}
