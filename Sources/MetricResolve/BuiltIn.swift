/// The records that the language brings along, declared in the language itself.
package enum BuiltIn {
  /// The path under which findings show the built-in records.
  package static let path = "<built-in>"

  package static let source = """
    /// Something a person wants to do again and again.
    entity Habit {
      id           : ID
      userId       : User?
      name         : Text?
      cadence      : "daily" | "weekly" ?
      kind         : "binary" | "frequency" | "quantity" ?
      weeklyTarget : Decimal? min 0
      unit         : Text?
    }

    /// What was done: the truth that habit metrics are derived from.
    fact HabitEntry {
      id           : ID
      habitId      : Habit
      dayKey       : DayKey
      timestampUtc : Instant?
      value        : Decimal? min 0
      deletedAt    : Instant? tombstone
    }

    /// Something that habits contribute to.
    entity Goal {
      id     : ID
      userId : User?
      name   : Text?
      unit   : Text?
      target : Decimal? min 0
    }

    /// A habit, or a bundle of habits, that contributes to a goal.
    link GoalLink {
      id           : ID
      goalId       : Goal
      habitId      : Habit?
      bundleId     : Bundle?
      contribution : "count" | "sum"
    }

    /// A named set of habits and of further bundles.
    entity Bundle {
      id   : ID
      name : Text?
    }

    /// One member of a bundle: a habit or another bundle.
    link BundleMember {
      bundleId      : Bundle
      habitId       : Habit?
      childBundleId : Bundle?
    }

    /// A person.
    entity User {
      id : ID
    }

    /// Something that happened in the app.
    fact Event {
      id           : ID?
      userId       : User
      name         : Text
      dayKey       : DayKey
      timestampUtc : Instant?
      value        : Decimal?
    }

    /// What a person agreed to, from this day on; of several switches, the one with this purpose.
    fact Consent {
      userId  : User
      level   : "none" | "essential" | "standard" | "detailed"
      dayKey  : DayKey
      purpose : Text?
    }

    """
}
