/// Days as rows (OPD-09): a day on which a metric has a value is to its aggregate what a fact is to others.
extension Compiler {
  func compile(_ reference: MetricReference, of aggregate: DayAggregate) throws(EvaluationError) -> Program {
    let metric = try engine.compile(reference.metric)
    let part = metric.plan.parts.firstIndex { $0.name == reference.part } ?? 0
    let inner = Compiler(
      engine: engine, metric: reference.metric,
      subject: metric.isWhole ? nil : metric.plan.subject.entity)
    let presence = try inner.sources(
      aggregate.mayBeAllTime ? engine.library.presence(of: reference.metric) : [])
    let isDecimal = reference.type == .decimal
    let scale = isDecimal && metric.plan.parts[part].type == .int ? FixedDecimal.scale : 1
    return { place, out, worker in
      let period = aggregate.period ?? place.period
      let subject = metric.isWhole ? 0 : place.subject
      let last = place.days.last
      let first =
        period == .allTime
        ? presence.firstDay(of: subject, worker) ?? last + 1
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
          FactSlice(count: count, days: kept, numbers: values, rows: nil).fill(
            out, aggregate.function, period, place.days, isDecimal: isDecimal, worker)
          beyond.withUnsafeBufferPointer {
            FactSlice(count: $0.count, days: $0.baseAddress, numbers: nil, rows: nil)
              .mark(outOfRange, period, place.days, out)
          }
        }
      }
    }
  }
}
