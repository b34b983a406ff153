/// The functions that aggregate facts and subjects.
///
/// All that there is to know of one, apart from the arithmetic, is a row of `traits`: resolver, checker, search, prose,
/// help and completion read it there. A new function is a case, its row, and how the evaluator and SQL compute it.
package enum AggregateFunction: Hashable, Sendable {
  case count, sum, min, max, average, stddev, distinct
  /// The value of rank (P·n+99) div 100, P in 1…100.
  case percentile(Int)
  case days, first, last
  /// Count or sum per (goal, habit, contribution), as the link says.
  case contribution

  /// Each function once, `percentile` with a rank that stands for all.
  package static let all: [AggregateFunction] = [
    .count, .sum, .min, .max, .average, .stddev, .percentile(50), .distinct, .days, .first, .last,
    .contribution,
  ]

  package var word: String { traits.word }

  package var traits: AggregateTraits {
    switch self {
    case .count:
      AggregateTraits(
        word: "count", argument: .record, form: .counts, sentence: "the number of % records",
        help: "`count(F …)`: how many facts, subjects or complete windows.")
    case .sum:
      AggregateTraits(
        word: "sum", argument: .number, form: .adds, addsUp: true, sentence: "the sum of %",
        falls: "falls when a negative value is logged, and nothing rules that out",
        help: "`sum(F.x …)`: the sum of a field; 0 if there is nothing.")
    case .min:
      AggregateTraits(
        word: "min", argument: .number, form: .least, sentence: "the smallest %",
        falls: "falls when a smaller or earlier one is logged",
        help: "`min(F.x …)`: the least; none if there is nothing.")
    case .max, .percentile(100):
      AggregateTraits(
        word: self == .max ? "max" : "percentile", argument: .number, form: .greatest,
        sentence: self == .max ? "the greatest %" : "the 100th percentile of %",
        help: "`max(F.x …)`: the greatest; none if there is nothing.")
    case .average:
      AggregateTraits(
        word: "average", argument: .number, form: .mixes, isDecimal: true, addsUp: true,
        sentence: "the average of %", falls: "falls when a value below it is logged",
        help: "`average(F.x …)`: rounded half away from zero to 6 digits; none if there is nothing.")
    case .stddev:
      AggregateTraits(
        word: "stddev", argument: .number, form: .mixes, isDecimal: true, liesWithin: false, addsUp: true,
        sentence: "the standard deviation of %", falls: "falls when a value near the others is logged",
        help: "`stddev(F.x …)`: of the whole population, to 6 digits; none if there is nothing.")
    case .percentile(let rank):
      AggregateTraits(
        word: "percentile", argument: .number, form: .mixes, sentence: "the \(ordinal(rank)) percentile of %",
        falls: "falls when smaller values are logged",
        help: "`percentile(F.x …, P)`: the value of rank (P·n+99) div 100.")
    case .distinct:
      AggregateTraits(
        word: "distinct", argument: .field, form: .counts, sentence: "the number of different %",
        help: "`distinct(F.x …)`: how many different values.")
    case .days:
      AggregateTraits(
        word: "days", argument: .record, form: .counts, isOfSubjects: false,
        sentence: "the number of days with %", help: "`days(F …)`: on how many different days.")
    case .first:
      AggregateTraits(
        word: "first", argument: .recordOrField, form: .picks, isOfSubjects: false, sentence: "the first %",
        falls: "falls when a smaller or earlier one is logged",
        help: "`first(F …)`, `first(F.x …)`: the first day, or a field of the earliest fact.")
    case .last:
      AggregateTraits(
        word: "last", argument: .recordOrField, form: .picks, isOfSubjects: false, sentence: "the last %",
        falls: "falls when a smaller value is logged later",
        help: "`last(F …)`, `last(F.x …)`: the last day, or a field of the latest fact.")
    case .contribution:
      AggregateTraits(
        word: "contribution", argument: .record, form: .adds, isOfSubjects: false,
        sentence: "what % contributes",
        falls: "falls when a negative value is logged, and nothing rules that out",
        help: "`contribution(F through Link)`: per link a count or a sum, as the link says.")
    }
  }

  /// `1st`, `22nd`, `95th`.
  private func ordinal(_ number: Int) -> String {
    let isTeen = (11...13).contains(number % 100)
    let ending = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    return "\(number)\(ending)"
  }

  /// The rank of a percentile: it needs K users on each side (PRIV-06).
  package var rank: Int? { if case .percentile(let rank) = self { rank } else { nil } }

  /// Whether it has a value also where there is nothing to aggregate (AGG-07).
  package var isNeverNone: Bool { traits.form == .counts || traits.form == .adds }

  /// Whether its value is that of one fact or subject, whatever the number of others.
  package var isOfOne: Bool {
    switch traits.form {
    case .greatest, .least, .picks: rank == nil
    case .counts, .adds, .mixes: false
    }
  }
}

/// Everything about an aggregate, apart from how it is computed.
package struct AggregateTraits: Sendable {
  /// What is in the parentheses.
  package enum Argument: Sendable {
    case record, recordOrField, field, number
  }

  /// How the value follows from those that it is taken of. Proofs and privacy rest on this.
  package enum Form: Sendable {
    /// A number from 0 that no fact lowers.
    case counts
    /// Of nothing 0; moves by the sign of what is added.
    case adds
    case greatest
    case least
    /// Made of all of them, so that it moves either way.
    case mixes
    /// The value of the first or the last.
    case picks
  }

  package var word: String
  package var argument: Argument
  package var form: Form
  /// Whether it is a Decimal whatever it is taken of.
  package var isDecimal = false
  /// Whether it lies between the least and the greatest of them; else it is a number from 0.
  package var liesWithin = true
  /// Whether 0 adds nothing to it, so that a person with a 0 does not count for it (PRIV-05).
  package var addsUp = false
  /// Whether it can be taken of subjects, which have no days.
  package var isOfSubjects = true
  /// In the middle of a sentence, with `%` for what it is taken of.
  package var sentence: String
  /// When it falls, for a finding.
  package var falls = "moves when a fact is logged"
  /// How it is called, and what it gives.
  package var help: String
}
