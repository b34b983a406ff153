/// The values of one group of a metric on some days.
struct GroupColumn {
  /// The group's cell; `noValue` is the empty group.
  var group: Cell
  /// By part and then by day; `noRow` where the group is not there.
  var cells: [Cell]
  let dayCount: Int

  func exists(on day: Int) -> Bool { cells[day] != noRow }

  subscript(part: Int, day: Int) -> Cell {
    get { cells[part * dayCount + day] }
    set { cells[part * dayCount + day] = newValue }
  }

  /// Calls `body` with the days when the group is there.
  func forEachDay(_ body: (Int) -> Void) {
    for day in 0..<dayCount where exists(on: day) { body(day) }
  }
}

extension GroupColumn {
  /// A group that is not there.
  init(group: Cell, parts: Int, dayCount: Int) {
    self.init(group: group, cells: Array(repeating: noRow, count: parts * dayCount), dayCount: dayCount)
  }
}

/// A compiled metric: for each subject, a column of days for each part.
final class CompiledMetric {
  let id: MetricID
  let plan: Metric
  /// Whether it has one value for the whole dataset instead of one for each subject.
  let isWhole: Bool
  /// Whether several expressions read it, so that its column is worth keeping.
  let isReadOften: Bool
  /// Whether a value reads all windows up to its day, so that all days cost little more than one.
  let readsWindows: Bool
  /// By subject, whether `for … where` keeps it; nil keeps all (MET-02).
  private let included: [Bool]?
  /// Whether its parts are computed one by one, without groups.
  let hasParts: Bool
  /// What aggregates of the parts without a period of their own look at.
  private let period: Period
  private let evaluatePart: Part
  private let evaluateGroups: Groups

  /// A function for all parts. A call through an array retains the function, and threads that do so for each row wait for
  /// each other: it took a tenth of the processor time of habit metrics.
  private typealias Part = (
    _ part: Int, _ place: Place, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker
  ) -> Void
  typealias Groups = (_ subject: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn]

  private enum Shape {
    /// A program for each part, with what aggregates without a period of their own look at.
    case parts([Program], Period)
    /// All parts at once, for each group; without groups there is one, the empty one.
    case groups(Groups)

    /// `nearest N` (PRIV-15).
    func rounded(_ plan: Metric) -> Shape {
      guard let nearest = plan.nearest else { return self }
      switch self {
      case .parts(let programs, let period):
        return .parts(
          zip(plan.parts, programs).map { part, program in
            let (step, isDecimal) = (part.step(nearest) ?? 1, part.type == .decimal)
            return Operators.each(program) {
              $0.map { Operators.rounded($0, to: step, isDecimal: isDecimal) }
            }
          }, period)
      case .groups(let evaluate):
        return .groups { subject, days, worker in
          evaluate(subject, days, worker).map { column in
            var rounded = column
            for (part, form) in plan.parts.enumerated() {
              let step = form.step(nearest)
              column.forEachDay { day in
                rounded[part, day] =
                  step.map { Operators.rounded(column[part, day], to: $0, isDecimal: form.type == .decimal) }
                  ?? Operators.rate(
                    rounded[part - 1, day], rounded[part - 2, day],
                    isDecimal: plan.parts[part - 1].type == .decimal)
              }
            }
            return rounded
          }
        }
      }
    }
  }

  /// What its rows are grouped by.
  let grouping: [GroupField]
  var isGrouped: Bool { !grouping.isEmpty }

  init(_ compiler: Compiler) throws(EvaluationError) {
    let engine = compiler.engine
    id = compiler.metric
    plan = engine.library.metrics[compiler.metric]
    isWhole = plan.subject.entity == nil || plan.kind.countsSubjects
    isReadOften = engine.readers[compiler.metric, default: 0] > 1
    included = try CompiledMetric.included(plan, compiler)
    grouping = engine.library.grouping(of: plan)
    switch try CompiledMetric.shape(plan, compiler).rounded(plan) {
    case .parts(let programs, let period):
      (hasParts, self.period) = (true, period)
      evaluatePart = CompiledMetric.joined(programs)
      evaluateGroups = { _, _, _ in [] }
      readsWindows = CompiledMetric.readsWindows(plan.body, compiler)
    case .groups(let groups):
      (hasParts, period, readsWindows) = (false, .allTime, false)
      evaluatePart = CompiledMetric.joined([])
      evaluateGroups = groups
    }
  }

  private static func joined(_ programs: [Program]) -> Part {
    let none: Part = { _, _, _, _ in }
    return programs.reversed().reduce(none) { rest, program in
      { part, place, out, worker in
        if part == 0 { program(place, out, worker) } else { rest(part - 1, place, out, worker) }
      }
    }
  }

  func includes(_ subject: Int) -> Bool { included?[subject] ?? true }

  /// The column of one part; of a metric with groups that of the empty group.
  func evaluate(
    part: Int, subject: Int, days: DayRange, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker
  ) {
    if hasParts {
      return evaluatePart(part, Place(subject: subject, days: days, period: period), out, worker)
    }
    let own = groups(subject: subject, days: days, worker).first { $0.group == noValue }
    for lane in 0..<days.count {
      out[lane] = own.map { $0.exists(on: lane) ? $0[part, lane] : noValue } ?? noValue
    }
  }

  /// All parts for each group.
  func groups(subject: Int, days: DayRange, _ worker: Worker) -> [GroupColumn] {
    guard hasParts else {
      guard isWhole else { return evaluateGroups(subject, days, worker) }
      return worker.engine.wholeColumns.groups(id, days) { evaluateGroups(subject, days, worker) }
    }
    var cells: [Cell] = []
    for part in plan.parts.indices {
      worker.withCells(days.count) { column in
        evaluate(part: part, subject: subject, days: days, column, worker)
        cells += UnsafeBufferPointer(start: column, count: days.count)
      }
    }
    return [GroupColumn(group: noValue, cells: cells, dayCount: days.count)]
  }

  private static func shape(_ plan: Metric, _ compiler: Compiler) throws(EvaluationError) -> Shape {
    switch plan.body {
    case .completion:
      return .parts([complete(try compiler.engine.completion(compiler.metric))], .allTime)
    case .windows(let metric):
      let windows = try compiler.engine.completion(metric.completion)
      switch metric.reading {
      case .current, .grace, .best, .previous, .bestForgiving:
        return .parts([Streaks.program(metric.reading, windows)], .allTime)
      case .forgiving(let forgiveness):
        let momentum = Momentums.counts(last: forgiveness.windows, windows)
        let none = Cell(forgiveness.leastMomentum)
        let left = Operators.each(momentum) { $0.mapValues { max(0, $0 - none) } }
        return .parts([Streaks.program(metric.reading, windows), left], .allTime)
      case .last(let count): return .parts([Momentums.counts(last: count, windows)], .allTime)
      case .halfLife(let count): return .parts([Momentums.strength(halfLife: count, windows)], .allTime)
      }
    case .measure(let measure):
      if !measure.grouping.isEmpty { return .groups(try GroupedMeasure(measure, compiler).columns) }
      // The lists of those who contribute have rows, and serve the value, too.
      let users = try measure.atLeast == nil ? nil : Contributors(measure.value, compiler, needsGroups: false)
      let value: Program = try compiler.compile(measure.value)
      if let target = measure.target {
        return .parts(try parts(measure.value, value, target, compiler), measure.over)
      }
      guard let users, let atLeast = measure.atLeast else { return .parts([value], measure.over) }
      return .parts([users.hiding(value, atLeast: atLeast)], measure.over)
    case .level(let level):
      let level = try LevelEvaluation(level, compiler)
      return level.program.map { .parts([$0], .allTime) } ?? .groups(level.columns)
    case .funnel(let funnel):
      return .groups(try FunnelEvaluation(funnel, compiler).columns)
    case .retention(let retention):
      return .groups(try RetentionEvaluation(retention, compiler).columns)
    }
  }

  /// Whether a body, or a metric that it reads, is a recurrence over windows.
  private static func readsWindows(_ body: Body, _ compiler: Compiler) -> Bool {
    func reads(_ id: MetricID) -> Bool {
      // Metrics that are read have been compiled by now.
      compiler.engine.metrics[id]?.readsWindows ?? false
    }
    if let base = body.base { return body.kind != .level || reads(base) }
    return body.expressions.flatMap(\.allParts).contains { part in
      switch part {
      case .completions: true
      case .metric(let reference): reads(reference.metric)
      case .literal, .field, .day, .aggregate, .subjects, .arithmetic, .negated, .comparison, .membership,
        .isNone, .and, .or, .not, .conditional, .function, .widened:
        false
      }
    }
  }

  /// CMP-01
  private static func complete(_ completion: CompiledCompletion) -> Program {
    { place, out, worker in
      completion.fill(out, subject: place.subject, endingOn: place.days, worker)
      guard completion.rest != nil else { return }
      for lane in 0..<place.count where out[lane] == WindowCell.rest { out[lane] = WindowCell.incomplete }
    }
  }

  /// PRG-01
  private static func parts(
    _ value: Expression, _ program: @escaping Program, _ target: Expression, _ compiler: Compiler
  ) throws(EvaluationError) -> [Program] {
    let goal: Program = try compiler.compile(target)
    func decimal(_ program: @escaping Program, _ type: ValueType) -> Program {
      type == .int ? Operators.each(program) { $0.mapValues { $0 * FixedDecimal.scale } } : program
    }
    let fraction = Operators.each(decimal(program, value.type), decimal(goal, target.type)) {
      $0.map($1, Operators.divide)
    }
    return [program, goal, fraction]
  }

  /// By subject, whether `for … where` keeps it.
  static func included(_ plan: Metric, _ compiler: Compiler) throws(EvaluationError) -> [Bool]? {
    guard let entity = plan.subject.entity, let condition = plan.subject.condition else { return nil }
    return try compiler.cells(condition, ofEach: entity).map { $0 == 1 }
  }
}
