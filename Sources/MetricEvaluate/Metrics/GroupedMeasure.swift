import MetricData
import MetricPlan

/// A measure with groups: the value of each pair of subject and group over the facts of that pair (GRP-02).
struct GroupedMeasure {
  private let value: Program
  private let over: Period
  private let contributors: Contributors
  private let atLeast: Int?
  /// Whether the groups of one subject are all there is, so that threads share them. Otherwise they share the subjects.
  private let isWhole: Bool
  private let name: (Cell) -> [UInt8]

  init(
    _ measure: Measure, _ paths: [RecordID: FieldPath], _ type: ValueType, _ base: Compiler
  ) throws(EvaluationError) {
    var compiler = base
    compiler.groups = paths
    let engine = base.engine
    name = { Array(engine.text(of: $0, type).utf8) }
    contributors = try Contributors(measure.value, compiler, needsUsers: measure.atLeast != nil)
    value = try compiler.compile(measure.value)
    over = measure.over
    atLeast = measure.atLeast
    isWhole = base.subject == nil
  }

  func columns(_ subject: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn] {
    let place = Place(subject: subject, days: days, period: over)
    // Which groups exist is unknown if a condition is out of range.
    if let column = contributors.outOfRangeColumn(place) { return [column] }
    let groups = contributors.groups(of: subject)
    let pieces = isWhole && !worker.isPart ? max(1, min(worker.engine.threads, groups.count)) : 1
    let made = Parallel.map(pieces: pieces) { piece in
      let worker = pieces == 1 ? worker : Worker(engine: worker.engine, isPart: true)
      return groups[Parallel.part(piece, of: pieces, groups.count)].compactMap { column($0, place, worker) }
    }
    var columns = made.flatMap { $0 }
    if let atLeast { hide(&columns, atLeast, days.count) }
    return columns.map(\.column)
  }

  private struct Counted {
    var column: GroupColumn
    var users: [Cell]
  }

  private func column(_ group: Cell, _ place: Place, _ worker: Worker) -> Counted? {
    var place = place
    place.group = group
    let exists = contributors.exists(place, worker)
    guard exists.contains(true) else { return nil }
    var cells: [Cell] = []
    worker.withCells(place.count) { out in
      value(place, out, worker)
      cells = Array(UnsafeBufferPointer(start: out, count: place.count))
    }
    return Counted(
      column: GroupColumn(group: group, parts: [cells], exists: exists),
      users: atLeast == nil ? [] : contributors.counts(place, worker))
  }

  private func hide(_ columns: inout [Counted], _ atLeast: Int, _ count: Int) {
    let names = columns.map { name($0.column.group) }
    for lane in 0..<count {
      let shown = columns.indices.filter { columns[$0].column.exists[lane] }
      let hidden = Hiding.hidden(
        users: shown.map { Int(columns[$0].users[lane]) }, order: shown.map { names[$0] }, atLeast: atLeast)
      for (index, isHidden) in zip(shown, hidden) where isHidden {
        if columns[index].column.parts[0][lane] != outOfRange {
          columns[index].column.parts[0][lane] = noValue
        }
      }
    }
  }
}

/// `at least K users`: which groups show no value (PRIV-06, PRIV-07).
enum Hiding {
  /// - Parameters:
  ///   - users: distinct users behind each group, of its aggregate that has the fewest.
  ///   - order: the groups' names as UTF-8 bytes, for ties.
  /// - Returns: whether each group is hidden.
  static func hidden(users: [Int], order: [[UInt8]], atLeast minimum: Int) -> [Bool] {
    var hidden = users.map { $0 < minimum }
    guard hidden.contains(true) else { return hidden }
    // The sum of the hidden groups could be computed from a visible total.
    let shown = users.indices.filter { !hidden[$0] }
    let smallest = shown.min { left, right in
      users[left] != users[right]
        ? users[left] < users[right] : order[left].lexicographicallyPrecedes(order[right])
    }
    if let smallest { hidden[smallest] = true }
    return hidden
  }
}
