import MetricValues

/// What both kinds of Loop Habit Tracker's exports say of a habit, and how it becomes records.
///
/// Loop asks for a habit so many times in so many days. Of that a habit of the model can hold every day and
/// so many times a week. An amount is kept in thousandths, whatever its unit.
struct LoopHabit {
  var id: String
  var name: String
  var isNumerical = false
  var times: Int64 = 0
  /// 0 where the export does not say how often.
  var days: Int64 = 0
  var unit = ""
  var target: Amount?
  /// Whether the target is a most and no least.
  var isAtMost = false
  var isArchived = false
  var question = ""
  var description = ""

  static let readLikeYesOrNo = "it is read like a yes-or-no habit"
  static let readLikeALeast = "it is read like an at-least target"

  /// Adds the habit, and reports what of it the model does not hold.
  func add(to output: HabitOutput, _ report: inout ImportReport) {
    var habit = HabitOutput.Habit(id: id, name: name)
    habit.kind = isNumerical ? "quantity" : "binary"
    habit.unit = isNumerical ? unit : ""
    if days == 0 {
      // Without a cadence the metrics of every day count it.
    } else if times == days {
      habit.cadence = "daily"
      if isNumerical, hasTarget {
        report.leftOut("daily target of a habit", "a habit holds a target for the week only")
      }
    } else if days == 7, isNumerical {
      habit.cadence = "weekly"
      habit.weeklyTarget = isAtMost || !hasTarget ? "" : target?.text ?? ""
    } else if days == 7 {
      habit.cadence = "weekly"
      habit.kind = "frequency"
      habit.weeklyTarget = String(times)
    } else {
      report.leftOut(
        "frequency that is neither daily nor weekly", "the habit is imported without a cadence")
      if isNumerical, hasTarget {
        report.leftOut("target for another time than a week", "a habit holds a target for the week only")
      }
    }
    report.leftOut("unit of a yes-or-no habit", count: isNumerical || unit.isEmpty ? 0 : 1)
    if isAtMost {
      report.leftOut("at-most target", "the model has no upper bounds; the amounts are imported")
    }
    if isArchived { report.leftOut("archived mark of a habit", "the habit is imported like any other") }
    report.leftOut("question of a habit", count: question.isEmpty ? 0 : 1)
    report.leftOut("description of a habit", count: description.isEmpty ? 0 : 1)
    output.add(habit)
  }

  private var hasTarget: Bool { (target?.millionths ?? 0) > 0 }

  /// Adds what stands for a day. `code` is Loop's number: 3 skipped and -1 unknown for any habit; otherwise
  /// thousandths of a numerical habit, and 2 done, 1 counted as done by the app, 0 not done.
  func addEntry(
    _ code: Int64, day: DayKey, hasNotes: Bool, to output: inout HabitOutput, _ report: inout ImportReport
  ) throws(ImportFailure) {
    report.leftOut("note of an entry", count: hasNotes ? 1 : 0, "an entry holds no text")
    switch code {
    case -1: return
    case 3: return output.addSkip(of: id, day: day)
    default: break
    }
    if isNumerical {
      guard code >= 0 else { return report.leftOut("amount below 0", "the app counts it as 0") }
      guard code > 0 else {
        return report.leftOut("amount of 0", "an entry would say that the habit was done")
      }
      guard let value = Amount(String(code))?.scaled(1, by: 1000) else {
        throw ImportFailure("found an amount that is out of range, \(code)")
      }
      return output.addEntry(of: id, day: day, value: value)
    }
    switch code {
    case 2: output.addEntry(of: id, day: day)
    case 1:
      report.leftOut(
        "day that the app counted as done by itself", "it follows from the frequency; nothing was done")
    case 0: report.leftOut("day marked as not done", "the same as no entry")
    default:
      report.leftOut("entry with an unknown mark", "a yes-or-no habit has the marks 0 to 3")
    }
  }
}
