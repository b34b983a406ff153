/// What a name says was derived from other facts (CHK-08): one classification for the fields of facts, entities,
/// links and settings, and for records. `Documentation/Checker.md` says where the line is.
///
///     isComplete : Bool    currentStreak : Int    completedOn : DayKey    status : "open" | "done"
struct DerivedName {
  /// In lower case, without digits at the end: `streak2` is `streak`.
  let words: [String]

  init(_ name: String) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    words = Words.split(name).map { word in
      let last = word.utf8.lastIndex { !digits.contains($0) }
      return last.map { String(word[...$0]) } ?? ""
    }
  }

  /// A number: `currentStreak`, `pages_total`, but not `targetCount`, which somebody chose.
  ///
  /// - Parameter isKept: of an entity, a link or a setting, where `best` and `earned` can only be kept up to date.
  func isDerivedNumber(isKept: Bool) -> Bool {
    if has(Self.verdicts) || contains(Self.verdictStems) { return true }
    guard !has(Self.chosen), !(isKept && isCountOfParts) else { return false }
    return has(Self.amounts, Self.kinds, Self.awards) || contains(Self.amountStems)
      || (isKept && has(Self.deeds, Self.latest))
  }

  /// Of an entity: `pageCount` says what the thing is, `visitCount` what was done with it.
  private var isCountOfParts: Bool {
    words.count > 1 && words.contains { $0 == "count" || $0 == "counts" }
      && !has(Self.activities, Self.verdicts, Self.deeds, Self.calendar, Self.kinds, Self.awards)
      && !containsStem
  }

  func isDerivedBool(isKept: Bool) -> Bool {
    has(Self.verdicts, Self.switches, Self.amounts, Self.kinds) || (isKept && has(Self.deeds)) || containsStem
  }

  /// A free text. One that names a kind stays one: `level`, and of an entity its `summary`.
  func isDerivedText(isKept: Bool) -> Bool {
    has(Self.verdicts, Self.amounts) && !(isKept && has(Self.descriptions)) || containsStem
  }

  /// A day of an entity or link that dates a verdict or the last activity: `completedOn`, `lastActiveOn`.
  var isDerivedDay: Bool {
    has(Self.verdicts, Self.deeds) || containsStem
      || (has(["last", "latest", "recent"]) && has(Self.activities))
  }

  /// A reference that is there only where something was done: `completedBy`.
  var isDerivedReference: Bool {
    has(Self.verdicts, Self.deeds, ["completed", "achieved", "accomplished"])
  }

  /// A free text that may hold a verdict.
  var isOutcome: Bool { has(["outcome", "outcomes", "result", "results", "verdict"]) }

  /// Of a fact: that it names what happened, step by step, so that `finished` is a step.
  var namesEvents: Bool { words.last.map(Self.events.contains) ?? false }

  /// Of a fact: whether it says what a person feels or a sensor shows: `painScore`, the `level` of a `Mood`.
  var isSensed: Bool { has(Self.sensed) }
  var isOnlyALevel: Bool {
    has(Self.kinds, ["score"]) && !has(Self.verdicts, Self.amounts.subtracting(["score"])) && !containsStem
  }

  /// A text that is a verdict as a whole: `done`, `not_done`, `day missed`, but not `login_failed`.
  ///
  /// - Parameter amongEvents: where `done` and `goal_done` are what happened, and only `missed` is not.
  func isVerdict(amongEvents: Bool = false) -> Bool {
    let said = words.filter { !Self.fillers.contains($0) && !Self.nouns.contains($0) }
    let verdicts = [Self.verdicts, Self.textVerdicts, Self.steps]
    guard !said.isEmpty, said.allSatisfy({ word in verdicts.contains { $0.contains(word) } }) else {
      return false
    }
    return !amongEvents || has(Self.omissions, ["not", "never", "late"])
  }

  /// `CachedLog`, `DailySummary`, `HabitStats`, `Achievement`.
  func isDerivedRecord(_ kind: RecordKind) -> Bool {
    if has(Self.records) || contains(["streak", "momentum", "leaderboard", "levelup"]) { return true }
    if has(Self.calendar, Self.goals), has(Self.conditions) { return true }
    guard has(Self.verdicts, Self.steps, ["achieved", "incomplete"]) else { return false }
    // `LessonFinished` is what happened; a day or a goal is only found to be complete.
    return kind != .fact || has(Self.calendar, Self.goals, Self.omissions)
  }

  private func has(_ sets: Set<String>...) -> Bool {
    words.contains { word in
      let bare = Self.prefixes.first(where: word.hasPrefix).map { String(word.dropFirst($0.count)) }
      return sets.contains { $0.contains(word) || bare.map($0.contains) == true }
    }
  }

  private var containsStem: Bool { contains(Self.verdictStems) || contains(Self.amountStems) }

  private func contains(_ stems: [String]) -> Bool { Words.contain(words, anyOf: stems) }
}

extension DerivedName {
  /// Of one word with what follows: `isdone`.
  fileprivate static let prefixes = ["is", "has", "was"]

  /// Whether something is as it should be.
  fileprivate static let verdicts: Set = [
    "done", "undone", "finished", "unfinished", "checked", "unchecked", "ticked", "met", "unmet", "missed",
    "skipped", "failed", "passed", "succeeded", "overdue", "unlocked", "mastered", "perfect",
  ]
  /// Verdicts of a Bool; `minutesLate` is a measurement.
  fileprivate static let switches: Set = ["late", "behind", "reached", "earned"]
  fileprivate static let textVerdicts: Set = [
    "late", "behind", "complete", "incomplete", "uncompleted", "fail", "successful", "unsuccessful",
    "fulfilled", "unfulfilled", "accomplished", "achieved", "unachieved", "ontime", "ontrack", "offtrack",
  ]
  /// Steps of something that happens, and verdicts elsewhere.
  fileprivate static let steps: Set = ["completed", "finished", "earned", "reached", "won"]
  /// What happened in a fact, and a kept state anywhere else.
  fileprivate static let deeds: Set = ["earned", "reached", "won", "success", "successful"]
  fileprivate static let latest: Set = ["current", "latest", "best", "highest", "balance", "remaining"]

  fileprivate static let amounts: Set = [
    "subtotal", "score", "scores", "summary", "count", "counts", "counter", "tally", "sum", "average", "avg",
    "flag", "longest", "lifetime", "overall", "mastery",
  ]
  /// A number of these was given for what was done.
  fileprivate static let awards: Set = [
    "karma", "badge", "badges", "medal", "medals", "trophy", "trophies",
  ]
  /// Amounts as numbers, kinds as texts.
  fileprivate static let kinds: Set = ["level", "levels", "rank", "ranks", "ranking"]
  fileprivate static let descriptions: Set = ["summary", "flag", "score"]
  /// Found inside a word, too: `currentstreak`.
  fileprivate static let verdictStems = [
    "complete", "progress", "achiev", "accomplish", "fulfil", "inarow", "ontrack",
  ]
  fileprivate static let amountStems = [
    "completion", "streak", "momentum", "total", "percent", "consecutive", "cumulat",
  ]
  /// A number beside one of these was chosen: `targetStreak`, `pointsPerLevel`, `taxPercent`.
  fileprivate static let chosen: Set = [
    "target", "limit", "planned", "wanted", "desired", "required", "allowed", "per", "discount", "tax", "vat",
    "interest",
  ]
  fileprivate static let sensed: Set = [
    "mood", "pain", "energy", "stress", "anxiety", "effort", "noise", "water", "battery", "glucose", "oxygen",
    "hunger", "craving", "focus", "comfort", "feeling", "symptom",
  ]
  fileprivate static let activities: Set = [
    "active", "activity", "seen", "visit", "visited", "entry", "log", "logged", "login", "read", "reviewed",
    "opened", "used", "played", "practiced", "trained", "session", "workout", "checkin", "entries", "logs",
    "logins", "visits", "sessions", "workouts", "checkins", "reads", "reviews", "event", "events",
  ]
  fileprivate static let events: Set = [
    "event", "action", "step", "kind", "type", "name", "move", "feature", "activity",
  ]

  fileprivate static let fillers: Set = [
    "", "not", "is", "was", "has", "been", "yet", "never", "already", "all", "almost", "nearly", "partially",
    "partly", "fully", "half",
  ]
  fileprivate static let nouns: Set = [
    "day", "week", "today", "habit", "goal", "target", "task", "streak", "it",
  ]
  fileprivate static let calendar: Set = [
    "day", "days", "daily", "week", "weeks", "weekly", "month", "months", "monthly", "year", "yearly",
  ]
  fileprivate static let goals: Set = ["habit", "goal", "target", "milestone", "level"]
  fileprivate static let conditions: Set = ["status", "state", "result", "results", "outcome"]
  /// What nobody does, so no fact can record it.
  fileprivate static let omissions: Set = ["missed", "overdue", "undone", "unfinished", "incomplete"]
  fileprivate static let records: Set = [
    "cache", "cached", "summary", "summaries", "stat", "stats", "statistic", "statistics", "rollup",
    "aggregate", "aggregates", "aggregated", "snapshot", "snapshots", "digest", "progress", "total", "totals",
    "tally", "counter", "counters", "counts", "score", "scores", "scoreboard", "ranking", "rankings",
    "achievement", "achievements", "badge", "badges", "trophy", "trophies", "award", "awards", "medal",
    "medals", "metric", "metrics", "kpi",
  ]
}

extension DerivedName {
  /// What a list of texts stands for if it is not a kind: `"yes" | "no"`, `"0" | "50" | "100"`.
  static func isSwitch(_ texts: [String]) -> Bool {
    let words = texts.map { $0.lowercased() }
    return words.contains { ["yes", "true", "on", "y", "t", "1"].contains($0) }
      && words.allSatisfy {
        ["yes", "no", "true", "false", "on", "off", "y", "n", "t", "f", "0", "1", "unknown"].contains($0)
      }
  }
}
