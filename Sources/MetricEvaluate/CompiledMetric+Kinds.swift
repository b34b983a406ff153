import MetricData
import MetricPlan

/// What each kind of metric evaluates to.
extension CompiledMetric {
  private typealias Value = (_ subject: Int, _ day: Int32, _ worker: Worker) -> Cell

  static func evaluation(
    _ plan: Metric, _ compiler: Compiler
  ) throws(EvaluationError) -> Evaluation {
    let engine = compiler.engine
    switch plan.body {
    case .completion:
      let completion = engine.completion(engine.variant(compiler.metric, isTeam: compiler.isTeam))
      if let days = completion.wholeDays {
        return .parts { _, subject, day, worker in
          days.withDays(of: subject, worker) { $0.contains(day) ? 1 : 0 }
        }
      }
      return .parts { _, subject, day, worker in
        completion.isComplete(subject, endingAt: day, worker) ? 1 : 0
      }
    case .streak(let streak):
      let id = engine.variant(streak.completion, isTeam: compiler.isTeam)
      try engine.compile(id)
      if let days = engine.completion(id).wholeDays, let best = streak.reading.isBest {
        return .parts { _, subject, day, worker in
          days.withDays(of: subject, worker) {
            Cell(best ? $0.longestRun(through: day) : $0.run(endingAt: day))
          }
        }
      }
      return self.streak(streak.reading, id)
    case .momentum(let momentum):
      let id = engine.variant(momentum.completion, isTeam: compiler.isTeam)
      try engine.compile(id)
      if let days = engine.completion(id).wholeDays, case .last(let count) = momentum.reading {
        return .parts { _, subject, day, worker in
          let first = Int32(clamping: Int(day) - count + 1)
          return days.withDays(of: subject, worker) { Cell($0.count(from: first, through: day)) }
        }
      }
      return self.momentum(momentum.reading, id)
    case .progress(let progress):
      return try self.progress(progress, compiler)
    case .measure(let measure):
      return try self.measure(measure, compiler)
    case .level(let level):
      return try self.level(level, compiler)
    case .funnel(let body):
      let funnel = try FunnelEvaluation(body, compiler)
      return whole(engine, funnel.values)
    case .retention(let body):
      let retention = try RetentionEvaluation(body, compiler)
      return whole(engine, retention.values)
    }
  }

  /// A metric of many subjects at once, computed for all reference days together.
  private static func whole(_ engine: Engine, _ compute: @escaping WholeSeries.Compute) -> Evaluation {
    let series = WholeSeries(engine, compute)
    return .groups { _, day, worker in series.values(day, worker) }
  }

  // MARK: Windows

  private static func streak(_ reading: StreakReading, _ id: VariantID) -> Evaluation {
    switch reading {
    case .current:
      .parts { _, subject, day, worker in
        Cell(worker.timeline(of: id, subject: subject).streak(at: day, worker))
      }
    case .best:
      .parts { _, subject, day, worker in
        Cell(worker.timeline(of: id, subject: subject).best(through: day, worker))
      }
    case .grace(let windows):
      .parts { _, subject, day, worker in
        Cell(worker.timeline(of: id, subject: subject).streak(at: day, grace: windows, worker))
      }
    }
  }

  private static func momentum(_ reading: MomentumReading, _ id: VariantID) -> Evaluation {
    switch reading {
    case .last(let windows):
      return .parts { _, subject, day, worker in
        worker.timeline(of: id, subject: subject).momentum(at: day, last: windows, worker)
      }
    case .halfLife(let windows):
      let weights = Weights(halfLife: windows)
      return .parts { _, subject, day, worker in
        HalfLife.millionths(
          worker.timeline(of: id, subject: subject).strength(at: day, weights, worker))
      }
    }
  }

  // MARK: Values

  private static func progress(
    _ progress: Progress, _ compiler: Compiler
  ) throws(EvaluationError) -> Evaluation {
    let value = try over(progress.over, compiler.compile(progress.value))
    guard let expression = progress.target else {
      return .parts { _, subject, day, worker in value(subject, day, worker) }
    }
    let target = try over(progress.over, compiler.compile(expression))
    let valueScale = progress.value.type == .int ? FixedDecimal.scale : 1
    let targetScale = expression.type == .int ? FixedDecimal.scale : 1
    return .parts { part, subject, day, worker in
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

  private static func measure(
    _ measure: Measure, _ compiler: Compiler
  ) throws(EvaluationError) -> Evaluation {
    if measure.grouping != nil || measure.atLeast != nil {
      let evaluation = try MeasureEvaluation(measure, compiler)
      return .groups(evaluation.values)
    }
    let value = try over(measure.over, compiler.compile(measure.value))
    return .parts { _, subject, day, worker in value(subject, day, worker) }
  }

  /// Where aggregates without a period of their own look at one that ends at the reference day.
  private static func place(_ subject: Int, _ day: Int32, _ period: Period) -> Place {
    Place(
      subject: subject, row: -1, counted: 0, day: day, windowStart: period.start(endingAt: day),
      windowEnd: day)
  }

  private static func over(_ period: Period, _ program: @escaping Program) -> Value {
    { subject, day, worker in worker.at(place(subject, day, period)) { program(worker) } }
  }

  // MARK: Levels

  private static func level(
    _ level: Level, _ compiler: Compiler
  ) throws(EvaluationError) -> Evaluation {
    let metric = try compiler.engine.compile(compiler.engine.variant(level.metric, isTeam: compiler.isTeam))
    let part = metric.plan.parts.firstIndex { $0.name == level.part } ?? 0
    let isDecimal = metric.plan.parts[part].type == .decimal
    // An Int reaches a threshold where it reaches the next whole number.
    let thresholds = level.thresholds.map { isDecimal ? $0.millionths : ceiling($0) }
    func reached(_ value: Cell) -> Cell {
      value == noValue ? 0 : Cell(thresholds.count { $0 <= value })
    }
    if metric.isGrouped {
      return .groups { subject, day, worker in
        metric.groups(subject: subject, day: day, worker).map { row in
          GroupValues(group: row.group, values: [reached(row.values[part])])
        }
      }
    }
    return .parts { _, subject, day, worker in
      reached(metric.value(part: part, subject: subject, day: day, worker))
    }
  }

  private static func ceiling(_ value: FixedDecimal) -> Int64 {
    -Arithmetic.floor(-value.millionths)
  }
}

extension StreakReading {
  /// Whether it is the greatest of all streaks and not the current one; nil with grace.
  fileprivate var isBest: Bool? {
    switch self {
    case .current: false
    case .best: true
    case .grace: nil
    }
  }
}
