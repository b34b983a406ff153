import ArgumentParser

/// How often a series has a value.
enum Step: String, CaseIterable, ExpressibleByArgument { case day, week, month, quarter, year }

/// The days asked for: one, or those of a series.
struct DaySelection: Hashable {
  /// The first day of a series; nil where one day is asked for.
  var from: DayKey?
  /// The one day, or the last one of a series; nil is the last DayKey of the data.
  var to: DayKey?
  /// What a series has a value for.
  var every = CalendarUnit.day

  /// The last of the days, where its calendar unit is open.
  func open(in days: [DayKey]) -> DayKey? {
    days.last.flatMap { from != nil && every.isOpen($0) ? $0 : nil }
  }

  /// - Parameter hasEarlier: whether days before these are asked for, too.
  func asked(hasEarlier: Bool) -> AskedDays {
    from == nil && !hasEarlier ? .one(to) : .several(from: hasEarlier ? nil : from, through: to)
  }

  /// Whether a series has a value for each month, quarter or year.
  var isOfMonths: Bool { if case .months = every { true } else { false } }
}

/// `--at`, or `--from`, `--to` and `--every`.
struct DayOptions: ParsableArguments {
  @Option(help: .referenceDay)
  var at: String?

  @Option(help: .value("day", "The first day of a series."))
  var from: String?

  @Option(help: .value("day", "The last day of a series. Without it, the last DayKey of all fact files."))
  var to: String?

  @Option(
    help: .value(
      "step",
      "A value for each day, or for the last day of each calendar week, month, quarter or year; a period that is not over at the end of the series is marked as open."
    ))
  var every: Step?

  /// - Parameter unit: what a series has a value for where `--every` does not say.
  func selection(every unit: CalendarUnit? = nil) throws -> DaySelection {
    try refuse(at != nil && from != nil, "--at and --from exclude each other")
    if from == nil, let extra = to != nil ? "--to" : every != nil ? "--every" : nil {
      throw ValidationError(
        at == nil ? "\(extra) needs --from" : "--at is one day; \(extra) belongs to --from")
    }
    guard let first = try DayOptions.day(from, "--from") else {
      return DaySelection(to: try DayOptions.day(at, "--at"))
    }
    let last = try DayOptions.day(to, "--to")
    if let last, last < first { throw ValidationError("--from \(first) is after --to \(last)") }
    let step = every.flatMap { CalendarUnit(name: $0.rawValue) }
    return DaySelection(from: first, to: last, every: step ?? unit ?? .day)
  }

  func validate() throws { _ = try selection() }

  /// The last DayKey of the data in place of an option that is not given; says so on standard error.
  static func lastDay(_ day: DayKey?, insteadOf option: String) throws(CommandFailure) -> DayKey {
    guard let day else {
      throw .unreadable("\(option) is not given, and the data holds no fact whose DayKey could be used")
    }
    Remarks.say("\(option) is not given; using the last DayKey, \(day)")
    return day
  }

  /// The day that an option says, where it is given.
  static func day(_ text: String?, _ option: String) throws(ValidationError) -> DayKey? {
    guard let text else { return nil }
    guard let day = DayKey(text) else {
      throw ValidationError(
        "\(option) \(text.quoted) is not a day; write a real date from \(DayKey.range) as YYYY-MM-DD"
      )
    }
    return day
  }
}
