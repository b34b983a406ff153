import MetricData
import MetricPlan

/// Aggregates over facts, of completions and over subjects.
extension Compiler {
  func compile(_ aggregate: Aggregate) throws(EvaluationError) -> Program {
    if let all = try activeValues(aggregate) { return all }
    if let program = compileFolded(aggregate) { return program }
    if let program = try compileFoldedContribution(aggregate) { return program }
    let list = try factList(aggregate)
    let slots = slotsProgram(list, aggregate.period)
    let isDecimal = aggregate.type == .decimal
    switch aggregate.function {
    case .count: return { Cell(slots($0).count) }
    case .days: return { list.distinctDays(slots($0)) }
    case .distinct: return { list.distinct(slots($0)) }
    case .sum, .contribution:
      return { Arithmetic.checked(list.sum(slots($0)), isDecimal: isDecimal, &$0.overflow) }
    case .average:
      return { worker in
        let slots = slots(worker)
        guard !slots.isEmpty else { return noValue }
        let average = Statistics.average(sum: list.sum(slots), count: slots.count)
        return Arithmetic.checked(average, isDecimal: true, &worker.overflow)
      }
    case .min: return { list.minimum(slots($0)) }
    case .max: return { list.maximum(slots($0)) }
    case .percentile(let rank):
      return { Statistics.percentile(list.values[slots($0)], rank: rank) }
    case .first, .last:
      let picksFirst = aggregate.function == .first
      let isDay = aggregate.argument == nil
      return { worker in
        let slots = slots(worker)
        guard let slot = picksFirst ? slots.first : slots.last else { return noValue }
        return isDay ? Cell(list.index.days[slot]) : list.values[slot]
      }
    }
  }

  /// The slots of the subject in the aggregate's own period, or in the place's window.
  private func slotsProgram(_ list: FactList, _ period: Period?) -> (Worker) -> Range<Int> {
    let isGrouped = groups != nil
    return { worker in
      let place = worker.place
      let start = period?.start(endingAt: place.windowEnd) ?? place.windowStart
      if let beyond = list.beyond,
        !beyond.slots(of: place.subject, from: start, through: place.windowEnd).isEmpty
      {
        worker.overflow = true
      }
      return list.index.slots(
        of: isGrouped ? place.pair : place.subject, from: start, through: place.windowEnd)
    }
  }

  /// The facts of an aggregate, by pairs of subject and group inside a grouped measure.
  func factList(_ aggregate: Aggregate) throws(EvaluationError) -> FactList {
    let list = try engine.factList(aggregate, self)
    guard let groups, let program = groups.programs[aggregate.record] else { return list }
    let worker = Worker(engine: engine)
    return list.regrouped(
      groups.space,
      { subject, row in
        worker.place.subject = subject
        worker.place.row = Int(row)
        return program(worker)
      }, sums: aggregate.function.needsSums, countsDays: aggregate.function == .days)
  }

  func compile(_ aggregate: CompletionAggregate) throws(EvaluationError) -> Program {
    let id = engine.variant(aggregate.completion, isTeam: isTeam)
    let metric = try engine.compile(id)
    let (function, period) = (aggregate.function, aggregate.period)
    let isCounted = aggregate.root == .row
    if let days = engine.completion(id).wholeDays {
      return compile(function, of: days, metric, period, isCounted: isCounted)
    }
    return { worker in
      let subject = isCounted ? worker.place.counted : worker.place.subject
      // Of a subject that the completion leaves out no window is complete.
      guard metric.includes(subject) else { return function == .count ? 0 : noValue }
      let timeline = worker.timeline(of: id, subject: subject)
      let day = worker.place.day
      let start = period?.start(endingAt: day) ?? .min
      return switch function {
      case .first: timeline.firstDay(from: start, through: day, worker).map { Cell($0) } ?? noValue
      case .last: timeline.lastDay(from: start, through: day, worker).map { Cell($0) } ?? noValue
      case .count: Cell(timeline.completeCount(from: start, through: day, worker))
      }
    }
  }

  /// The same where the complete days are known as such.
  private func compile(
    _ function: CompletionFunction, of days: WholeDays, _ metric: CompiledMetric, _ period: Period?,
    isCounted: Bool
  ) -> Program {
    { worker in
      let subject = isCounted ? worker.place.counted : worker.place.subject
      guard metric.includes(subject) else { return function == .count ? 0 : noValue }
      let day = worker.place.day
      let start = period?.start(endingAt: day) ?? .min
      return days.withDays(of: subject, worker) { days in
        switch function {
        case .first: days.firstDay(from: start, through: day).map { Cell($0) } ?? noValue
        case .last: days.lastDay(from: start, through: day).map { Cell($0) } ?? noValue
        case .count: Cell(days.count(from: start, through: day))
        }
      }
    }
  }

  func compile(_ aggregate: SubjectAggregate) throws(EvaluationError) -> Program {
    if let all = try activeSubjects(aggregate) { return all }
    let inner = with(row: aggregate.entity, isFact: false)
    var filter: Program?
    if let expression = aggregate.filter { filter = try inner.compile(expression) }
    var argument: Program?
    if let expression = aggregate.argument { argument = try inner.compile(expression) }
    let members = engine.members(of: aggregate, self)
    let rows = dataset.space(aggregate.entity).rows
    let function = aggregate.function
    let isDecimal = aggregate.type == .decimal
    return { worker in
      var values: [Cell] = []
      for number in members(worker.place.subject) {
        var place = worker.place
        place.counted = Int(number)
        place.row = Int(rows[Int(number)])
        worker.at(place) {
          guard filter.map({ $0(worker) == 1 }) ?? true else { return }
          let value = argument.map { $0(worker) } ?? 1
          if value != noValue { values.append(value) }
        }
      }
      return summarize(values, function, isDecimal: isDecimal, worker)
    }
  }

  private func summarize(
    _ values: [Cell], _ function: AggregateFunction, isDecimal: Bool, _ worker: Worker
  ) -> Cell {
    func sum() -> Int128 { values.reduce(into: Int128(0)) { $0 += Int128($1) } }
    switch function {
    case .count: return Cell(values.count)
    case .distinct: return Cell(Set(values).count)
    case .sum: return Arithmetic.checked(sum(), isDecimal: isDecimal, &worker.overflow)
    case .min: return values.min() ?? noValue
    case .max: return values.max() ?? noValue
    case .average:
      guard !values.isEmpty else { return noValue }
      return Arithmetic.checked(
        Statistics.average(sum: sum(), count: values.count), isDecimal: true, &worker.overflow)
    case .percentile(let rank): return Statistics.percentile(values, rank: rank)
    case .days, .first, .last, .contribution:
      // The resolver lets none of these meet subjects.
      return noValue
    }
  }
}

extension AggregateFunction {
  /// Whether it is made from the sum of its cells.
  var needsSums: Bool { self == .sum || self == .average || self == .contribution }
}
