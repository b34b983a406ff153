/// Table Habit's (mhabit's) JSON export: `{"habits": [{…, "records": […]}], "groups": […]}`.
///
/// A record's date is a number of days since 1970-01-01, so no zone is needed.
struct TableHabit {
  let file: ExportFile
  let output: HabitOutput
  private var report: ImportReport { output.report }

  func run() throws(ImportFailure) {
    var parser = JSONParser(file)
    let document = try parser.document()
    guard let habits = document["habits"]?.items else {
      throw file.failure("found \(document.described) without `habits`, expected Table Habit's export", at: 0)
    }
    var ids = NamedIDs()
    var known: [HabitOutput.Habit] = []
    for (number, node) in habits.enumerated() {
      guard node.members != nil else { throw node.fault("a habit", expected: "an object") }
      let id = ids.id(for: try node.text("name") ?? "", fallback: "habit \(number + 1)")
      known.append(try habit(node, id: id))
      output.add(known[number])
    }
    for (node, habit) in zip(habits, known) { try addEntries(of: node, to: habit) }
    report.leftOut("group of habits", count: document["groups"]?.items?.count ?? 0)
    for (key, _) in document.members ?? [] where key != "habits" && key != "groups" {
      report.leftOut("field \(key) of the export")
    }
  }

  private func habit(_ node: JSONNode, id: String) throws(ImportFailure) -> HabitOutput.Habit {
    let isQuantity = try isQuantity(node)
    var habit = HabitOutput.Habit(id: id, name: try node.text("name") ?? "")
    habit.kind = isQuantity ? "quantity" : "binary"
    let unit = try node.text("daily_goal_unit") ?? ""
    habit.unit = isQuantity ? unit : ""
    report.leftOut("unit of a yes-or-no habit", count: isQuantity || unit.isEmpty ? 0 : 1)
    try setCadence(of: &habit, node)
    if isQuantity, node["daily_goal"] != nil {
      report.leftOut("daily goal of a habit", "a habit holds a target for the week only")
    }
    report.leftOut("upper daily goal of a habit", count: node["daily_goal_extra"] == nil ? 0 : 1)
    switch try whole(node, "type") ?? 1 {
    case 1: break
    case 2: report.leftOut("mark of a habit to do less of", "the amounts count as what was done")
    case let other: report.leftOut("type `\(other)` of a habit", "it is read like a habit to do more of")
    }
    if let status = try whole(node, "status"), status != 1 {
      let marks: [Int64: String] = [2: "deleted mark", 3: "archived mark"]
      report.leftOut(
        "\(marks[status] ?? "status `\(status)`") of a habit", "the habit is imported like any other")
    }
    for (key, kind) in TableHabit.unheld { report.leftOut(kind, count: isEmpty(node[key]) ? 0 : 1) }
    let known = TableHabit.held.union(TableHabit.unheld.map(\.0))
    for (key, value) in node.members ?? [] where !known.contains(key) && !isEmpty(value) {
      report.leftOut("field \(key) of a habit")
    }
    return habit
  }

  private static let held: Set = [
    "name", "type", "status", "daily_goal", "daily_goal_unit", "daily_goal_extra", "freq_type", "freq_custom",
    "records", "modify_t",
  ]

  private static let unheld = [
    ("desc", "description of a habit"), ("color", "color of a habit"), ("reminder", "reminder of a habit"),
    ("reminder_quest", "question of a habit"), ("start_date", "start date of a habit"),
    ("target_days", "length that a habit is meant for"), ("group_id", "group that a habit belongs to"),
    ("custom_color", "custom color of a habit"), ("custom_color_tinted", "custom color of a habit"),
    ("create_t", "time of making or changing a habit"),
  ]

  private func isEmpty(_ node: JSONNode?) -> Bool { node == nil || node?.string == "" }

  /// `freq_type` 1 is n times a week, 2 n times a month, 3 n times in m days.
  private func setCadence(
    of habit: inout HabitOutput.Habit, _ node: JSONNode
  ) throws(ImportFailure) {
    let arguments = try frequency(node)
    let type = try whole(node, "freq_type")
    guard let times = arguments.first, times > 0 else {
      if node["freq_type"] != nil || node["freq_custom"] != nil {
        report.leftOut("frequency that cannot be read", "the habit is imported without a cadence")
      }
      return
    }
    let days = type == 1 ? 7 : type == 3 && arguments.count > 1 ? arguments[1] : 0
    // Seven or more times a week, and 31 times a month, are daily for the app.
    let isDaily = type == 1 && times > 7 || type == 2 && times >= 31
    habit.setCadence(times, inDays: isDaily ? times : days, report)
    if habit.cadence == "weekly", habit.kind == "quantity" {
      report.leftOut("number of days a week of a habit with amounts", "its target would be an amount")
    }
  }

  /// `freq_custom` is JSON within a text: `[3]`, `[2,5]`.
  private func frequency(_ node: JSONNode) throws(ImportFailure) -> [Int64] {
    let text = try node.text("freq_custom") ?? ""
    let numbers = text.split(whereSeparator: { "[], ".contains($0) }).map { Int64($0) }
    return numbers.contains(nil) ? [] : numbers.compactMap { $0 }
  }

  /// Whether an amount is kept: the goal is another than 1, or a record has another value than it.
  private func isQuantity(_ node: JSONNode) throws(ImportFailure) -> Bool {
    if let goal = try amount(node, "daily_goal"), goal.millionths != FixedDecimal.scale { return true }
    guard let records = node["records"]?.items else { return false }
    for record in records {
      let value = try amount(record, "record_value")?.millionths ?? 0
      if value != 0, value != FixedDecimal.scale { return true }
    }
    return false
  }

  private func addEntries(of node: JSONNode, to habit: HabitOutput.Habit) throws(ImportFailure) {
    guard let records = node["records"] else { return }
    guard let items = records.items else { throw records.fault("`records`", expected: "an array") }
    for record in items {
      guard record.members != nil else { throw record.fault("a record", expected: "an object") }
      guard let number = try whole(record, "record_date"), let day = DayKey(checking: number) else {
        throw record.failure("found no `record_date`, expected a number of days since 1970-01-01")
      }
      report.leftOut("reason of a record", count: isEmpty(record["reason"]) ? 0 : 1, "an entry holds no text")
      report.leftOut(
        "time of making or changing a record", count: record["create_t"] == nil ? 0 : 1,
        "it says when the record was typed in, not when it was done")
      let known: Set = ["record_date", "record_type", "record_value", "create_t", "modify_t", "reason"]
      for (key, value) in record.members ?? [] where !known.contains(key) && !isEmpty(value) {
        report.leftOut("field \(key) of a record")
      }
      switch try whole(record, "record_type") ?? 0 {
      case 1:
        let value = try amount(record, "record_value")
        report.rounded(value)
        if let value, value.millionths > 0 {
          output.addEntry(of: habit.id, day: day, value: habit.kind == "quantity" ? value : nil)
        } else {
          let amount = (value?.millionths ?? 0) < 0 ? "below 0" : "of 0"
          report.leftOut("record with an amount \(amount)", "an entry would say that the habit was done")
        }
      case 2: output.addSkip(of: habit.id, day: day)
      default: report.leftOut("record of no known type")
      }
    }
  }

  private func amount(_ node: JSONNode, _ key: String) throws(ImportFailure) -> Amount? {
    guard let value = node[key] else { return nil }
    guard let amount = value.number.flatMap({ Amount($0) }) else {
      throw value.fault("`\(key)`", expected: "a number of the allowed range")
    }
    return amount
  }

  private func whole(_ node: JSONNode, _ key: String) throws(ImportFailure) -> Int64? {
    guard let value = node[key] else { return nil }
    guard let number = value.integer else { throw value.fault("`\(key)`", expected: "a whole number") }
    return number
  }
}
