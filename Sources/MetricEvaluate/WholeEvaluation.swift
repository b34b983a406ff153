import MetricData
import MetricPlan

/// What funnels and retentions share: whom they speak of, groups, and the hiding of small ones.
struct WholeEvaluation {
  /// Numbers of the subjects, rising.
  let subjects: [Int]
  private let grouping: Grouping?
  private let groupProgram: Program?
  private let groupType: ValueType
  private let atLeast: Int?
  /// By row of the first step's facts, the number of the user; empty where it is not asked for.
  private let users: [Int32]
  /// By number of the subject, the user behind it.
  private let subjectUsers: [Int32]
  private let engine: Engine

  init(
    grouping: Grouping?, atLeast: Int?, first: EventSource, _ compiler: Compiler
  ) throws(EvaluationError) {
    let engine = compiler.engine
    self.engine = engine
    self.grouping = grouping
    self.atLeast = atLeast
    let plan = engine.library.metrics[compiler.metric]
    let included = try CompiledMetric.included(plan, compiler)
    let count = engine.routing.subjectCount(plan.subject.entity)
    subjects = (0..<count).filter { included?[$0] ?? true }
    var program: Program?
    var type = ValueType.text
    if case .field(let paths, let fieldType) = grouping, case .fact(let record, _, _) = first, let path = paths[record] {
      program = try compiler.with(row: record, isFact: true).compile(.field(path))
      type = fieldType
    } else if case .cohort = grouping {
      type = .dayKey
    }
    groupProgram = program
    groupType = type
    if atLeast != nil, case .fact(let record, _, _) = first {
      users = engine.users(behind: record)
    } else {
      users = []
    }
    subjectUsers = plan.subject.entity.map { engine.users(behindEntity: $0) } ?? []
  }

  /// The group that an attempt or a day 0 belongs to.
  func group(of event: Event?, day: Int32) -> Cell {
    switch grouping {
    case nil: return noValue
    case .cohort(let unit):
      let key = DayKey(number: day)
      return switch unit {
      case .day: Cell(day)
      case .week: Cell(key.startOfWeek(from: .monday).number)
      case .month: Cell(key.startOfMonth.number)
      }
    case .field:
      guard let event, event.row >= 0, let groupProgram else { return noValue }
      let worker = Worker(engine: engine)
      worker.place.row = Int(event.row)
      return groupProgram(worker)
    }
  }

  /// The user behind an event, or behind the subject where the event is a day of a completion.
  func user(of event: Event?, subject: Int) -> Int32? {
    let user =
      if let event, event.row >= 0, !users.isEmpty { users[Int(event.row)] } else if subject < subjectUsers.count {
        subjectUsers[subject]
      } else { Int32(-1) }
    return user >= 0 ? user : nil
  }

  /// Sorted rows, with the values of small groups taken away.
  ///
  /// - Parameters:
  ///   - users: for each set of parts, the users behind each group.
  ///   - partsPerSet: how many parts a set has (all of a funnel; three of a retention).
  func hide(_ rows: [GroupValues], users: [[Cell: Set<Int32>]], partsPerSet: Int) -> [GroupValues] {
    let names = rows.map { Array(engine.text(of: $0.group, groupType).utf8) }
    guard let atLeast else { return rows }
    var rows = rows
    for (set, users) in users.enumerated() {
      let counts = rows.map { users[$0.group]?.count ?? 0 }
      let hidden = Hiding.hidden(users: counts, order: names, atLeast: atLeast)
      for index in rows.indices where hidden[index] {
        for part in set * partsPerSet..<(set + 1) * partsPerSet { rows[index].values[part] = noValue }
      }
    }
    return rows
  }
}
