import MetricData
import MetricPlan

/// The rows of one metric.
struct RowJob: Sendable {
  let variant: VariantID
  let days: [DayKey]
  /// Numbers of the subjects, rising, so by the bytes of their ids.
  let subjects: [Int32]
  let engine: Engine
  /// The ids of the subjects' entity, where they are written as text.
  let names: EntityNames?

  /// - Parameter isText: whether `text` will be asked for.
  init(_ id: MetricID, request: EvaluationRequest, engine: Engine, isText: Bool) {
    self.engine = engine
    names = isText ? engine.library.metrics[id].subject.entity.map { engine.names($0) } : nil
    variant = engine.variant(id)
    days = request.days
    let metric = engine.metric(variant)
    guard let entity = metric.plan.subject.entity, !metric.isWhole,
      !metric.plan.isLevelOfWhole(engine.library)
    else {
      subjects = request.subjects.isEmpty || request.subjects.contains("") ? [0] : []
      return
    }
    let exists = engine.existing(
      entity, reads: engine.needs.reads[id] ?? [], isTeam: metric.plan.audience == .team)
    let space = engine.dataset.space(entity)
    let chosen = Set(request.subjects.compactMap { engine.dataset.pool.lookup($0) })
    subjects = (0..<Int32(exists.count)).filter { number in
      exists[Int(number)] && metric.includes(Int(number))
        && (request.subjects.isEmpty || chosen.contains(space.ids[Int(number)]))
    }
  }

  init(variant: VariantID, days: [DayKey], subjects: [Int32], engine: Engine) {
    self.variant = variant
    self.days = days
    self.subjects = subjects
    self.engine = engine
    names = nil
  }

  var metric: CompiledMetric { engine.metric(variant) }

  /// Whether it has one row for the whole dataset, without a subject.
  var isWhole: Bool { metric.isWhole || metric.plan.isLevelOfWhole(engine.library) }

  /// The rows of some of the subjects.
  func rows(_ range: Range<Int>, _ worker: Worker) throws(EvaluationError) -> [ResultRow] {
    let (metric, isWhole) = (metric, isWhole)
    let plan = metric.plan
    var rows: [ResultRow] = []
    rows.reserveCapacity(range.count * days.count * plan.parts.count)
    for index in range {
      let subject = Int(subjects[index])
      let name = isWhole ? "" : engine.id(plan.subject.entity, subject)
      try forEachRow(metric, subject, name, worker) { group, part, day, value in
        rows.append(
          ResultRow(
            metric: plan.name, subject: name, group: groupName(group, metric), part: plan.parts[part].name,
            at: days[day], value: engine.value(of: value, plan.parts[part].type)))
      }
    }
    return rows
  }

  /// The same rows as text.
  func text(
    _ range: Range<Int>, _ worker: Worker, _ format: RowFormat
  ) throws(EvaluationError) -> [UInt8] {
    let (metric, isWhole) = (metric, isWhole)
    var text = RowText(format, job: self, metric)
    if !isWhole, days.count == 1, let evaluate = metric.onlyPart {
      try appendSingleValues(range, worker, evaluate, to: &text)
      return text.finish()
    }
    for index in range {
      let subject = Int(subjects[index])
      text.start(isWhole ? nil : subject)
      // The name is wanted for an error only.
      try forEachRow(metric, subject, nil, worker) { group, part, day, value in
        text.append(group: group, part: part, day: day, value: value)
      }
    }
    return text.finish()
  }

  /// The rows of a metric with one value a subject, for one day.
  private func appendSingleValues(
    _ range: Range<Int>, _ worker: Worker, _ evaluate: CompiledMetric.PartEvaluation, to text: inout RowText
  ) throws(EvaluationError) {
    let day = days[0]
    for index in range {
      let subject = Int(subjects[index])
      worker.forget()
      let value = evaluate(0, subject, day.number, worker)
      if worker.overflow { throw overflow(metric, subject, nil, day) }
      text.start(subject)
      text.append(group: noValue, part: 0, day: 0, value: value)
    }
  }

  func groupName(_ group: Cell, _ metric: CompiledMetric) -> String {
    metric.isGrouped ? engine.text(of: group, metric.groupType) : ""
  }

  /// Calls `body` with the rows of one subject in their order: by group, part and day.
  ///
  /// - Parameter name: the subject as an error calls it; nil is its id.
  @inline(__always)
  private func forEachRow(
    _ metric: CompiledMetric, _ subject: Int, _ name: String?, _ worker: Worker,
    _ body: (_ group: Cell, _ part: Int, _ day: Int, _ value: Cell) -> Void
  ) throws(EvaluationError) {
    worker.forget()
    let parts = metric.plan.parts.count
    guard metric.hasParts else {
      return try forEachGroupRow(metric, subject, name, worker, body)
    }
    if days.count == 1, parts == 1 {
      let value = metric.value(part: 0, subject: subject, day: days[0].number, worker)
      if worker.overflow { throw overflow(metric, subject, name, days[0]) }
      return body(noValue, 0, 0, value)
    }
    var values: [Cell] = []
    values.reserveCapacity(days.count * parts)
    for day in days {
      for part in 0..<parts {
        values.append(metric.value(part: part, subject: subject, day: day.number, worker))
      }
      if worker.overflow { throw overflow(metric, subject, name, day) }
    }
    for part in 0..<parts {
      for day in days.indices { body(noValue, part, day, values[day * parts + part]) }
    }
  }

  private func forEachGroupRow(
    _ metric: CompiledMetric, _ subject: Int, _ name: String?, _ worker: Worker,
    _ body: (_ group: Cell, _ part: Int, _ day: Int, _ value: Cell) -> Void
  ) throws(EvaluationError) {
    var byGroup: [Cell: [(day: Int, values: [Cell])]] = [:]
    for (index, day) in days.enumerated() {
      let groups = metric.groups(subject: subject, day: day.number, worker)
      if worker.overflow { throw overflow(metric, subject, name, day) }
      for group in groups { byGroup[group.group, default: []].append((index, group.values)) }
    }
    let named = byGroup.map { (name: groupName($0, metric), group: $0, rows: $1) }
    for (_, group, rows) in named.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      for part in metric.plan.parts.indices {
        for (day, values) in rows { body(group, part, day, values[part]) }
      }
    }
  }

  private func overflow(
    _ metric: CompiledMetric, _ subject: Int, _ name: String?, _ day: DayKey
  ) -> EvaluationError {
    let subject = name ?? (isWhole ? "" : engine.id(metric.plan.subject.entity, subject))
    return .overflow(metric: metric.plan.name, subject: subject, day: day)
  }
}

extension Metric {
  /// Whether it is a level of a metric that speaks of many subjects at once.
  func isLevelOfWhole(_ library: Library) -> Bool {
    guard case .level(let level) = body else { return false }
    let kind = library.metrics[level.metric].kind
    return kind == .funnel || kind == .retention
  }
}
