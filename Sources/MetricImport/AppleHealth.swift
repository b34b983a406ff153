/// Apple Health's `export.xml`: workouts and mindful minutes. Everything else in it is counted and reported.
///
/// The file gives each moment with an offset from UTC, but with that of the phone that wrote the export, for
/// the time of year, wherever the person was. Where a record names its zone (`HKTimeZone`), that is where it
/// happened; else the zone of the command counts, and without one the offset that is written.
struct AppleHealth {
  let file: ExportFile
  let zone: Zone?
  let output: HabitOutput
  private var report: ImportReport { output.report }
  private var habits: [String: HabitOutput.Habit] = [:]
  private var scanner: XMLScanner

  init(file: ExportFile, zone: Zone?, output: HabitOutput) {
    (self.file, self.zone, self.output, scanner) = (file, zone, output, XMLScanner(file))
  }

  mutating func run() throws(ImportFailure) {
    guard case .start(let root)? = try scanner.next(), root.name == "HealthData" else {
      throw file.failure(
        "found no element `HealthData` at the top, expected Apple Health's export", at: file.start)
    }
    while case .start(let element)? = try scanner.next() { try add(element) }
    while try scanner.next() != nil {}
    for habit in habits.values.sorted(by: { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }) {
      output.add(habit)
    }
  }

  private mutating func add(_ element: XMLScanner.Element) throws(ImportFailure) {
    switch element.name {
    case "Workout":
      let type = try element.attribute("workoutActivityType") ?? "HKWorkoutActivityTypeOther"
      let prefix = "HKWorkoutActivityType"
      let name = type.hasPrefix(prefix) ? String(type.dropFirst(prefix.count)) : type
      try addEntry(element, of: "workout", id: "workout \(name)", name: name)
    case "Record":
      let type = try element.attribute("type") ?? "without a type"
      if type == "HKCategoryTypeIdentifierMindfulSession" {
        try addEntry(element, of: "mindful session", id: "mindful minutes", name: "Mindful minutes")
      } else {
        report.leftOut("record \(type)")
        try scanner.passContent()
      }
    default:
      report.leftOut("element \(element.name)")
      try scanner.passContent()
    }
  }

  private mutating func addEntry(
    _ element: XMLScanner.Element, of kind: String, id: String, name: String
  ) throws(ImportFailure) {
    let isWorkout = element.name == "Workout"
    let zone = try passContent(of: kind)
    let moment = try moment(element, "startDate", zone)
    var minutes = isWorkout ? try duration(element) : nil
    if minutes == nil { minutes = try minutesBetween(moment, element) }
    guard let minutes else {
      throw element.failure(
        isWorkout
          ? "a `Workout` has neither a `duration` nor an `endDate`" : "a mindful session has no `endDate`")
    }
    // Other attributes say something else than what was done, when and how long.
    let used: Set = ["type", "workoutActivityType", "startDate", "endDate", "duration", "durationUnit"]
    for name in try element.names() where !used.contains(name) { report.leftOut("\(name) of a \(kind)") }
    habits[id] = HabitOutput.Habit(id: id, name: name, kind: "quantity", unit: "minutes")
    report.rounded(minutes)
    output.addEntry(
      of: id, mark: moment.instant?.description, day: moment.day, instant: moment.instant, value: minutes)
  }

  /// Reads up to the end of the element: gives its zone, and counts what else there is.
  private mutating func passContent(of kind: String) throws(ImportFailure) -> String? {
    var zone: String?
    while case .start(let inner)? = try scanner.next() {
      if inner.name == "MetadataEntry", try inner.attribute("key") == "HKTimeZone" {
        zone = try inner.attribute("value")
      } else {
        report.leftOut("\(inner.name) of a \(kind)")
      }
      try scanner.passContent()
    }
    return zone
  }

  private func moment(
    _ element: XMLScanner.Element, _ name: StaticString, _ ownZone: String?
  ) throws(ImportFailure) -> Moment {
    guard let time = try time(element, name) else {
      throw element.failure("found no `\(name)`, expected a date with its offset")
    }
    guard time.offset != nil else {
      throw element.failure("`\(name)` has no offset, expected one such as `2026-01-31 08:15:00 +0100`")
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
      throw element.failure("`\(name)` is \(error.message)")
    }
  }

  private func time(_ element: XMLScanner.Element, _ name: StaticString) throws(ImportFailure) -> LocalTime? {
    guard let text = try element.attribute(name) else { return nil }
    guard let time = LocalTime(text) else {
      throw element.failure(
        "`\(name)` is \(quoted(text)), expected a date such as `2026-01-31 08:15:00 +0100`")
    }
    return time
  }

  /// How many minutes the units of a `duration` have, as fractions.
  private static let minutes: [String: (Int64, Int64)] = [
    "min": (1, 1), "s": (1, 60), "sec": (1, 60), "hr": (60, 1), "h": (60, 1),
  ]

  /// The `duration` in minutes.
  private func duration(_ element: XMLScanner.Element) throws(ImportFailure) -> Amount? {
    guard let text = try element.attribute("duration") else { return nil }
    let unit = try element.attribute("durationUnit") ?? "min"
    guard let factor = AppleHealth.minutes[unit] else {
      throw element.failure("`durationUnit` is \(quoted(unit)), expected `min`")
    }
    guard let amount = Amount(text), amount.millionths >= 0,
      let minutes = amount.scaled(factor.0, by: factor.1)
    else { throw element.failure("`duration` is \(quoted(text)), expected a number of 0 or more") }
    return minutes
  }

  private func minutesBetween(
    _ moment: Moment, _ element: XMLScanner.Element
  ) throws(ImportFailure) -> Amount? {
    guard let start = moment.instant, let end = try time(element, "endDate")?.instant else { return nil }
    guard end >= start else { throw element.failure("`endDate` lies before `startDate`") }
    // Microseconds are the millionths of seconds.
    return Amount(millionths: end.microseconds - start.microseconds).scaled(1, by: 60)
  }
}
