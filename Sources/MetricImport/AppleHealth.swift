import MetricDiagnostics
import MetricValues

/// Apple Health's `export.xml`: workouts and mindful minutes. Everything else in it is counted and reported.
///
/// The file gives each moment with an offset from UTC, but with that of the phone that wrote the export, for
/// the time of year, wherever the person was. Where a record names its zone (`HKTimeZone`), that is where it
/// happened; else the zone of the command counts, and without one the offset that is written.
struct AppleHealth: Conversion {
  let file: ExportFile
  let zone: Zone?
  private(set) var report = ImportReport()
  private(set) var habits: [String: HabitOutput.Habit] = [:]

  mutating func run(_ output: DatasetOutput) throws(ImportFailure) {
    var habitOutput = HabitOutput(output)
    var scanner = XMLScanner(file)
    guard case .start(let root, let isEmpty)? = try scanner.next(), root.name == "HealthData" else {
      throw file.failure(
        "found no element `HealthData` at the top, expected Apple Health's export", at: file.start)
    }
    while !isEmpty, case .start(let element, let isEmpty)? = try scanner.next() {
      switch element.name {
      case "Workout":
        try addWorkout(element, isEmpty, &scanner, &habitOutput)
      case "Record":
        try addRecord(element, isEmpty, &scanner, &habitOutput)
      default:
        report.leftOut("element \(element.name)")
        if !isEmpty { try scanner.passContent() }
      }
    }
    while try scanner.next() != nil {}
    for id in habits.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      if let habit = habits[id] { habitOutput.add(habit) }
    }
  }

  // MARK: Elements

  private mutating func addWorkout(
    _ element: XMLScanner.Element, _ isEmpty: Bool, _ scanner: inout XMLScanner, _ output: inout HabitOutput
  ) throws(ImportFailure) {
    let zone = try zone(isEmpty: isEmpty, &scanner, of: "workout")
    let type = try element.attribute("workoutActivityType") ?? "HKWorkoutActivityTypeOther"
    let prefix = "HKWorkoutActivityType"
    let name = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
    let moment = try moment(element, "startDate", zone)
    var minutes = try duration(element)
    if minutes == nil { minutes = try minutesBetween(moment, element) }
    guard let minutes else {
      throw failure(element, "a `Workout` has neither a `duration` nor an `endDate`")
    }
    try reportAttributes(element, of: "workout")
    addEntry(id: "workout \(name)", name: name, moment, minutes, &output)
  }

  private mutating func addRecord(
    _ element: XMLScanner.Element, _ isEmpty: Bool, _ scanner: inout XMLScanner, _ output: inout HabitOutput
  ) throws(ImportFailure) {
    let type = try element.attribute("type") ?? "without a type"
    guard type == "HKCategoryTypeIdentifierMindfulSession" else {
      report.leftOut("record \(type)")
      if !isEmpty { try scanner.passContent() }
      return
    }
    let zone = try zone(isEmpty: isEmpty, &scanner, of: "mindful session")
    let moment = try moment(element, "startDate", zone)
    guard let minutes = try minutesBetween(moment, element) else {
      throw failure(element, "a mindful session has no `endDate`")
    }
    try reportAttributes(element, of: "mindful session")
    addEntry(id: "mindful minutes", name: "Mindful minutes", moment, minutes, &output)
  }

  private mutating func addEntry(
    id: String, name: String, _ moment: Moment, _ minutes: Amount, _ output: inout HabitOutput
  ) {
    habits[id] = HabitOutput.Habit(id: id, name: name, kind: "quantity", unit: "minutes")
    report.rounded(minutes)
    output.addEntry(
      of: id, mark: moment.instant?.description, day: moment.day, instant: moment.instant, value: minutes)
  }

  private func failure(_ element: XMLScanner.Element, _ message: String) -> ImportFailure {
    file.failure(message, at: element.offset)
  }

  /// Counts the attributes that say something else than what was done, when and how long.
  private mutating func reportAttributes(
    _ element: XMLScanner.Element, of kind: String
  ) throws(ImportFailure) {
    let used: Set = ["type", "workoutActivityType", "startDate", "endDate", "duration", "durationUnit"]
    for name in try element.names() where !used.contains(name) { report.leftOut("\(name) of a \(kind)") }
  }

  // MARK: What is within an element

  /// Reads up to the end of the element: gives the zone, and counts what else there is.
  private mutating func zone(
    isEmpty: Bool, _ scanner: inout XMLScanner, of kind: String
  ) throws(ImportFailure) -> String? {
    var zone: String?
    var depth = isEmpty ? 0 : 1
    while depth > 0, let event = try scanner.next() {
      guard case .start(let inner, let isEmpty) = event else {
        depth -= 1
        continue
      }
      if depth == 1 {
        if inner.name == "MetadataEntry", try inner.attribute("key") == "HKTimeZone" {
          zone = try inner.attribute("value")
        } else {
          report.leftOut("\(inner.name) of a \(kind)")
        }
      }
      if !isEmpty { depth += 1 }
    }
    return zone
  }

  // MARK: Time

  private mutating func moment(
    _ element: XMLScanner.Element, _ name: StaticString, _ ownZone: String?
  ) throws(ImportFailure) -> Moment {
    guard let time = try time(element, name) else {
      throw failure(element, "found no `\(name)`, expected a date with its offset")
    }
    guard time.offset != nil else {
      throw failure(element, "`\(name)` has no offset, expected one such as `2026-01-31 08:15:00 +0100`")
    }
    var own = ownZone ?? ""
    if !own.isEmpty, Zone.named(own) == nil {
      report.leftOut("zone that is not known", "the day is taken as if the record named none")
      own = ""
    }
    do throws(Moment.Fault) {
      let moment = try Moment(time, ownZone: own, zone: zone)
      report.decided(moment.source)
      return moment
    } catch {
      throw failure(element, "`\(name)` is \(error.message)")
    }
  }

  private func time(_ element: XMLScanner.Element, _ name: StaticString) throws(ImportFailure) -> LocalTime? {
    guard let text = try element.attribute(name) else { return nil }
    guard let time = LocalTime(text) else {
      throw failure(
        element, "`\(name)` is \(quoted(text)), expected a date such as `2026-01-31 08:15:00 +0100`")
    }
    return time
  }

  /// The `duration` in minutes.
  private func duration(_ element: XMLScanner.Element) throws(ImportFailure) -> Amount? {
    guard let text = try element.attribute("duration") else { return nil }
    let unit = try element.attribute("durationUnit") ?? "min"
    let factor: (Int64, Int64)? =
      switch unit {
      case "min": (1, 1)
      case "s", "sec": (1, 60)
      case "hr", "h": (60, 1)
      default: nil
      }
    guard let factor else { throw failure(element, "`durationUnit` is \(quoted(unit)), expected `min`") }
    guard let amount = Amount(text), amount.millionths >= 0,
      let minutes = amount.scaled(factor.0, by: factor.1)
    else { throw failure(element, "`duration` is \(quoted(text)), expected a number of 0 or more") }
    return minutes
  }

  private func minutesBetween(
    _ moment: Moment, _ element: XMLScanner.Element
  ) throws(ImportFailure) -> Amount? {
    guard let start = moment.instant, let end = try time(element, "endDate")?.instant else { return nil }
    guard end >= start else { throw failure(element, "`endDate` lies before `startDate`") }
    // Microseconds are the millionths of seconds.
    return Amount(millionths: end.microseconds - start.microseconds).scaled(1, by: 60)
  }
}
