import MetricData
import MetricPlan

/// A measure with groups or with `at least K users`.
struct MeasureEvaluation {
  private let value: Program
  private let over: Period
  private let contributors: Contributors
  private let atLeast: Int?
  private let groups: GroupSpace?
  private let groupName: (Cell) -> [UInt8]

  init(_ measure: Measure, _ base: Compiler) throws(EvaluationError) {
    var compiler = base
    if case .field(let paths, let type) = measure.grouping {
      var programs: [RecordID: Program] = [:]
      for (record, path) in paths {
        programs[record] = try base.with(row: record, isFact: true).compile(.field(path))
      }
      compiler.groups = GroupContext(space: GroupSpace(), programs: programs)
      let engine = base.engine
      groupName = { Array(engine.text(of: $0, type).utf8) }
    } else {
      groupName = { _ in [] }
    }
    // The contributors come first: all pairs of subject and group are met among their facts.
    contributors = try compiler.contributors(of: measure.value, needsUsers: measure.atLeast != nil)
    value = try compiler.compile(measure.value)
    over = measure.over
    atLeast = measure.atLeast
    groups = compiler.groups?.space
  }

  private func place(_ subject: Int, _ day: Int32, pair: Int) -> Place {
    Place(
      subject: subject, row: -1, counted: 0, day: day, windowStart: over.start(endingAt: day), windowEnd: day,
      pair: pair)
  }

  func values(_ subject: Int, _ day: Int32, _ worker: Worker) -> [GroupValues] {
    guard let groups else {
      return worker.at(place(subject, day, pair: subject)) {
        let isHidden = atLeast.map { contributors.users(subject, worker).count < $0 } ?? false
        return [GroupValues(group: noValue, values: [isHidden ? noValue : value(worker)])]
      }
    }
    if worker.at(place(subject, day, pair: subject), { contributors.isBeyondRange(subject, worker) }) {
      worker.overflow = true
      return []
    }
    var rows: [GroupValues] = []
    var users: [Int] = []
    for pair in groups.pairs(of: subject) {
      worker.at(place(subject, day, pair: Int(pair))) {
        guard contributors.hasFacts(Int(pair), worker) else { return }
        rows.append(GroupValues(group: groups.groups[Int(pair)], values: [value(worker)]))
        if atLeast != nil { users.append(contributors.users(Int(pair), worker).count) }
      }
    }
    guard let atLeast else { return rows }
    let hidden = Hiding.hidden(users: users, order: rows.map { groupName($0.group) }, atLeast: atLeast)
    for index in rows.indices where hidden[index] { rows[index].values = [noValue] }
    return rows
  }
}
