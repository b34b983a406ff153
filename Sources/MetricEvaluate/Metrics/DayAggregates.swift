/// Days as rows (OPD-09): a day on which a metric has a value is to its aggregate what a fact is to others.
extension Compiler {
  func compile(_ reference: MetricReference, of aggregate: DayAggregate) throws(EvaluationError) -> Program {
    let metric = try engine.compile(reference.metric)
    let part = metric.plan.parts.firstIndex { $0.name == reference.part } ?? 0
    let inner = Compiler(
      engine: engine, metric: reference.metric,
      subject: metric.isWhole ? nil : metric.plan.subject.entity)
    var presence: [FactSource] = []
    for fact in aggregate.mayBeAllTime ? engine.library.presence(of: reference.metric) : [] {
      presence.append(try inner.facts(Aggregate(.days, of: fact.record, fact.route)))
    }
    let isDecimal = reference.type == .decimal
    let scale = isDecimal && metric.plan.parts[part].type == .int ? FixedDecimal.scale : 1
    let reduce = reduction(aggregate.function, isDecimal: isDecimal)
    return { place, out, worker in
      let period = aggregate.period ?? place.period
      let subject = metric.isWhole ? 0 : place.subject
      let last = place.days.last
      let first =
        period == .allTime
        ? presence.compactMap { $0.firstDay(of: subject, worker) }.min() ?? last + 1
        : period.days(at: place.days.first).lowerBound
      let days = DayRange(from: first, through: period.days(at: last).upperBound)
      worker.withCells(days.count) { values in
        worker.with(Int32.self, days.count) { kept in
          if days.count > 0 { worker.read(metric, part: part, subject: subject, days: days, values) }
          var beyond: [Int32] = []
          var count = 0
          for lane in 0..<days.count where values[lane] != noValue {
            if values[lane] == outOfRange { beyond.append(days[lane]) }
            (kept[count], values[count]) = (days[lane], values[lane] == outOfRange ? 0 : values[lane] * scale)
            count += 1
          }
          reduce(
            FactSlice(count: count, days: kept, numbers: values, rows: nil), period, place.days, out, worker)
          beyond.withUnsafeBufferPointer {
            FactSlice(count: $0.count, days: $0.baseAddress, numbers: nil, rows: nil)
              .mark(outOfRange, period, place.days, out)
          }
        }
      }
    }
  }
}
