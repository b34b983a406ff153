import MetricSyntax

/// What the words and functions of the language mean, in a sentence, for hovers and completion.
///
/// A test holds the table against the parser's own.
package enum WordHelp {
  /// What a keyword means where it stands; nil for a word that is none there.
  static func text(of word: String, in declaration: Declaration?) -> String? {
    guard let known = Word(rawValue: word) else { return nil }
    switch declaration {
    case .metric(let metric):
      if metric.kind.rawValue == word { return kinds[known] }
      return clauses[known] ?? words[known]
    case .record(let record): return record.kind.rawValue == word ? kinds[known] : words[known]
    case .test: return known == .test ? kinds[known] : statements[known]
    case .language, .unexpected, nil: return kinds[known]
    }
  }

  /// Words that start a declaration.
  package static let kinds: [Word: String] = [
    .completion: "A question with a yes or no for each window: was it done?",
    .streak: "How many windows in a row were complete, up to and including window 0.",
    .momentum: "How many of the last windows were complete, or a strength that fades by half.",
    .progress: "A number for each subject, perhaps on its way to a target.",
    .measure: "A number, Bool, day or text for each subject, perhaps in groups.",
    .level: "How many rising thresholds a metric has reached. Nothing may rest on a level.",
    .funnel: "How many subjects came how far through steps.",
    .retention: "How many subjects came back some days after they started.",
    .fact: "A record of something that happened on a day.",
    .entity: "Something that facts speak of; its `id` is what they refer to.",
    .link: "A record that joins others and holds no day.",
    .extend: "Adds fields to a record that is declared elsewhere.",
    .test: "A small dataset, and what metrics have to be on it.",
    .language: "The version of the language that the library is written in: `language 1`.",
  ]

  /// Words that start a clause.
  package static let clauses: [Word: String] = [
    .title: "What people call the metric.",
    .unit: "What the number counts. Only metrics of equal units can be added and compared.",
    .audience: "Who sees the number: `user`, the person it is about, or `team`.",
    .deprecated: "Says what to use instead.",
    .allow: "Silences one warning here, and says why.",
    .reading: "What was seen, such as a weight or a share; it may fall, and no score may rest on it.",
    .for: "What there is a value for: an entity with a lower-case letter, or `app`; `where` chooses some.",
    .every: "How days are cut into windows: rolling ones, or calendar ones that have to be asked for.",
    .when: "When a window is complete. Without a live fact it never is.",
    .rest: "`rest when`: windows that do not exist for streaks and momentum.",
    .of: "The metric that this one rests on.",
    .best: "The greatest value that the streak ever had.",
    .grace: "The largest value read from the last windows, so that an open day does not show 0.",
    .half: "`half life N days`: a strength from 0 to 1 in which a window counts half after N days.",
    .over: "The period that is looked at; without it all time.",
    .value: "What the metric is.",
    .target: "What the value is measured against; gives the parts `target` and `fraction`.",
    .at: "Thresholds that rise; or `at least K users`, which hides small groups.",
    .step: "A step of the funnel: its name, and the fact that reaches it.",
    .within: "How long the steps may take, counted from the day of the first.",
    .order: "`any` or `strict` order of the steps.",
    .start: "The fact that starts a subject: the first one, or each day with one.",
    .return: "The fact that counts as coming back.",
    .after: "How many days after the start, such as `1, 7, 30 days`; `or later` counts later days too.",
    .by: "Groups by a field, or by the cohort of the first day.",
  ]

  /// Words inside clauses and records.
  package static let words: [Word: String] = [
    .where: "Keeps only what the condition holds for.",
    .through: "The reference or link by which a fact finds its subject.",
    .offset: "The metric as it was some days, weeks or months before.",
    .calendar: "A calendar week or month in place of rolling days.",
    .last: "A period of days that ends at the reference day.",
    .all: "`all time`: no bound.",
    .cohort: "Groups by the day, week or month of a subject's first fact.",
    .if: "One of two values. None counts as false.",
    .and: "Both conditions.", .or: "Either condition.", .not: "The opposite; of none it is none.",
    .in: "Whether a value is one of a list.", .is: "`is none`, `is not none`: whether there is a value.",
    .none: "No value.", .day: "The day: of the fact, of the window's end, or the reference day.",
    .setting: "A decision, not behaviour: logging one is not an act that could be punished.",
    .consent: "The level of consent without which team metrics pass over the fact.",
    .min: "The loader refuses a smaller number; the checker relies on it.",
    .stored: "Somebody stores a metric here: no metric may read it.",
    .observed: "Seen at that moment, such as the score of a quiz; says why it is not derived.",
    .pii: "Personal: nothing may read it but `is none`.",
    .tombstone: "A record with a value here is not live.",
  ]

  /// Words of a test.
  package static let statements: [Word: String] = [
    .given: "A record of the test's dataset.",
    .log: "Entries of a habit from a day on: `#` an entry, a digit an entry with that value, `.` none.",
    .expect: "What a metric has to be on a day.",
    .for: "The subject.", .group: "The group of a metric with `by`.", .part: "The part of a metric.",
    .at: "The reference day.", .from: "The day of the first mark.",
  ]

  /// Functions with how they are called.
  package static let functions: [String: String] = [
    "count": "`count(F …)`: how many facts, subjects or complete windows.",
    "sum": "`sum(F.x …)`: the sum of a field; 0 of nothing.",
    "min": "`min(F.x …)`: the least; none of nothing.",
    "max": "`max(F.x …)`: the greatest; none of nothing.",
    "average": "`average(F.x …)`: rounded half away from zero to 6 digits; none of nothing.",
    "percentile": "`percentile(F.x …, P)`: the value of rank (P·n+99) div 100.",
    "distinct": "`distinct(F.x …)`: how many different values.",
    "days": "`days(F …)`: on how many different days.",
    "first": "`first(F …)`, `first(F.x …)`: the first day, or a field of the earliest fact.",
    "last": "`last(F …)`, `last(F.x …)`: the last day, or a field of the latest fact.",
    "contribution": "`contribution(F through Link)`: per link a count or a sum, as the link says.",
    "least": "`least(a, b)`: the smaller of two.", "greatest": "`greatest(a, b)`: the larger of two.",
    "floor": "`floor(a)`: the whole number below.", "weekday": "`weekday(day)`: the name of the day.",
  ]
}
