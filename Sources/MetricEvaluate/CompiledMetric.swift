import MetricData
import MetricPlan

/// A metric made ready for evaluation.
final class CompiledMetric {
  let plan: Metric
  /// Whether it has one value for the whole dataset and not one for each subject.
  let isWhole: Bool
  /// By subject, whether `for … where` keeps it; nil keeps all.
  private let included: [Bool]?
  private let evaluate: Evaluation

  /// The cell of a part (its index in the plan) for a subject at a day.
  typealias Evaluation = (_ part: Int, _ subject: Int, _ day: Int32, _ worker: Worker) -> Cell

  init(_ id: MetricID, engine: Engine) throws(EvaluationError) {
    plan = engine.library.metrics[id]
    let subject = plan.subject.entity
    isWhole = subject == nil || plan.kind == .funnel || plan.kind == .retention
    included = try CompiledMetric.included(plan, id, engine)
    evaluate = try CompiledMetric.evaluation(plan, id, engine)
  }

  func includes(_ subject: Int) -> Bool { included?[subject] ?? true }

  func value(part: Int, subject: Int, day: Int32, _ worker: Worker) -> Cell {
    evaluate(part, subject, day, worker)
  }

  private static func included(
    _ plan: Metric, _ id: MetricID, _ engine: Engine
  ) throws(EvaluationError) -> [Bool]? {
    guard let entity = plan.subject.entity, let condition = plan.subject.condition else { return nil }
    let compiler = Compiler(engine: engine, metric: id, subject: entity, row: entity)
    let program = try compiler.compile(condition)
    let worker = Worker(engine: engine)
    return engine.dataset.space(entity).rows.map { row in
      var place = Place()
      place.row = Int(row)
      return worker.at(place) { program(worker) == 1 }
    }
  }

  private static func evaluation(
    _ plan: Metric, _ id: MetricID, _ engine: Engine
  ) throws(EvaluationError) -> Evaluation {
    let compiler = Compiler(engine: engine, metric: id, subject: plan.subject.entity)
    switch plan.body {
    case .completion:
      let completion = engine.completion(id)
      return { _, subject, day, worker in
        completion.isComplete(subject, endingAt: day, worker) ? 1 : 0
      }
    case .streak(let streak):
      try engine.compile(streak.completion)
      return self.streak(streak)
    case .momentum(let momentum):
      try engine.compile(momentum.completion)
      return self.momentum(momentum)
    case .progress(let progress):
      return try self.progress(progress, compiler)
    case .measure(let measure):
      guard measure.grouping == nil, measure.atLeast == nil else {
        throw .notEvaluated(metric: plan.name, what: "groups and `at least`")
      }
      let value = try over(measure.over, compiler.compile(measure.value))
      return { _, subject, day, worker in value(subject, day, worker) }
    case .level(let level):
      return try self.level(level, engine)
    case .funnel, .retention:
      throw .notEvaluated(metric: plan.name, what: "a \(plan.kind.rawValue)")
    }
  }

  // MARK: Kinds

  private static func streak(_ streak: Streak) -> Evaluation {
    let id = streak.completion
    return switch streak.reading {
    case .current:
      { _, subject, day, worker in
        Cell(worker.timeline(of: id, subject: subject).streak(at: day, worker))
      }
    case .best:
      { _, subject, day, worker in
        Cell(worker.timeline(of: id, subject: subject).best(through: day, worker))
      }
    case .grace(let windows):
      { _, subject, day, worker in
        Cell(worker.timeline(of: id, subject: subject).streak(at: day, grace: windows, worker))
      }
    }
  }

  private static func momentum(_ momentum: Momentum) -> Evaluation {
    let id = momentum.completion
    switch momentum.reading {
    case .last(let windows):
      return { _, subject, day, worker in
        var seen = 0
        var complete: Cell = 0
        worker.timeline(of: id, subject: subject).forEachWindow(at: day, worker) { isComplete in
          seen += 1
          if isComplete { complete += 1 }
          return seen < windows
        }
        return complete
      }
    case .halfLife(let windows):
      let weights = HalfLife.weights(windows: windows)
      return { _, subject, day, worker in
        var index = 0
        var strength: Int64 = 0
        worker.timeline(of: id, subject: subject).forEachWindow(at: day, worker) { isComplete in
          guard index < weights.count else { return false }
          if isComplete { strength += weights[index] }
          index += 1
          return true
        }
        return HalfLife.millionths(strength)
      }
    }
  }

  private static func progress(
    _ progress: Progress, _ compiler: Compiler
  ) throws(EvaluationError) -> Evaluation {
    let value = try over(progress.over, compiler.compile(progress.value))
    guard let expression = progress.target else {
      return { _, subject, day, worker in value(subject, day, worker) }
    }
    let target = try over(progress.over, compiler.compile(expression))
    let valueScale = progress.value.type == .int ? FixedDecimal.scale : 1
    let targetScale = expression.type == .int ? FixedDecimal.scale : 1
    return { part, subject, day, worker in
      switch part {
      case 0: return value(subject, day, worker)
      case 1: return target(subject, day, worker)
      default:
        let (reached, wanted) = (value(subject, day, worker), target(subject, day, worker))
        if reached == noValue || wanted == noValue { return noValue }
        return Arithmetic.divide(reached * valueScale, wanted * targetScale, &worker.overflow)
      }
    }
  }

  /// An expression at a reference day, whose aggregates look at a period that ends there.
  private static func over(
    _ period: Period, _ program: @escaping Program
  ) -> (_ subject: Int, _ day: Int32, _ worker: Worker) -> Cell {
    { subject, day, worker in
      let place = Place(
        subject: subject, row: -1, counted: 0, day: day, windowStart: period.start(endingAt: day),
        windowEnd: day)
      return worker.at(place) { program(worker) }
    }
  }

  private static func level(_ level: Level, _ engine: Engine) throws(EvaluationError) -> Evaluation {
    let metric = try engine.compile(level.metric)
    let part = metric.plan.parts.firstIndex { $0.name == level.part } ?? 0
    let isDecimal = metric.plan.parts[part].type == .decimal
    // An Int reaches a threshold where it reaches the next whole number.
    let thresholds = level.thresholds.map { isDecimal ? $0.millionths : ceiling($0) }
    let id = level.metric
    return { _, subject, day, worker in
      let value = worker.value(of: id, part: part, subject: subject, day: day)
      return value == noValue ? 0 : Cell(thresholds.count { $0 <= value })
    }
  }

  private static func ceiling(_ value: FixedDecimal) -> Int64 {
    -Arithmetic.floor(-value.millionths)
  }
}
