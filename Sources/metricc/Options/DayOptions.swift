import ArgumentParser

/// How often a series has a value.
enum Step: String, CaseIterable, ExpressibleByArgument {
  case day, week, month, quarter, year

  var unit: CalendarUnit {
    switch self {
    case .day: .day
    case .week: .week(from: .monday)
    case .month: .month
    case .quarter: .quarter
    case .year: .year
    }
  }
}

enum DaySelection: Hashable {
  /// One day; nil is the last DayKey of the data.
  case at(DayKey?)
  /// A series; without an end it goes to the last DayKey of the data.
  case series(from: DayKey, to: DayKey?, every: CalendarUnit)

  /// The last of the days, where its calendar unit is open.
  func open(in days: [DayKey]) -> DayKey? {
    guard case .series(_, _, let unit) = self, let last = days.last else { return nil }
    return unit.isOpen(last) ? last : nil
  }

  /// - Parameter hasEarlier: whether days before these are asked for, too.
  func asked(hasEarlier: Bool) -> AskedDays {
    switch self {
    case .at(let day): hasEarlier ? .several(through: day) : .one(day)
    case .series(let from, let to, _): .several(from: hasEarlier ? nil : from, through: to)
    }
  }

  /// Whether a series has a value for each month, quarter or year.
  var isOfMonths: Bool { if case .series(_, _, .months) = self { true } else { false } }

  var needsLastDay: Bool {
    switch self {
    case .at(let day): day == nil
    case .series(_, let to, _): to == nil
    }
  }
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
    if let at {
      guard from == nil else { throw ValidationError("--at and --from exclude each other") }
      guard to == nil, every == nil else {
        throw ValidationError("--at is one day; \(to == nil ? "--every" : "--to") belongs to --from")
      }
      return .at(try DayOptions.day(at, "--at"))
    }
    guard let from else {
      guard to == nil else { throw ValidationError("--to needs --from") }
      guard every == nil else { throw ValidationError("--every needs --from") }
      return .at(nil)
    }
    let first = try DayOptions.day(from, "--from")
    let last = try to.map { try DayOptions.day($0, "--to") }
    if let last, last < first { throw ValidationError("--from \(first) is after --to \(last)") }
    return .series(from: first, to: last, every: every?.unit ?? unit ?? .day)
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

  static func day(_ text: String, _ option: String) throws -> DayKey {
    guard let day = DayKey(text) else {
      throw ValidationError(
        "\(option) \(Quoting.quoted(text)) is not a day; write a real date from \(DayKey.range) as YYYY-MM-DD"
      )
    }
    return day
  }
}
