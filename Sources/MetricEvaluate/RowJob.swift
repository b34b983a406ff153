import MetricData
import MetricPlan

/// The rows of one metric.
struct RowJob: Sendable {
  let variant: VariantID
  let days: [DayKey]
  /// Numbers of the subjects, rising, so by the bytes of their ids.
  let subjects: [Int32]
  let engine: Engine

  init(_ id: MetricID, request: EvaluationRequest, engine: Engine) {
    self.engine = engine
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
  }

  /// The rows of some of the subjects.
  func rows(_ range: Range<Int>, _ worker: Worker) throws(EvaluationError) -> [ResultRow] {
    let metric = engine.metric(variant)
    let isWhole = metric.isWhole || metric.plan.isLevelOfWhole(engine.library)
    var rows: [ResultRow] = []
    rows.reserveCapacity(range.count * days.count * metric.plan.parts.count)
    for index in range {
      let subject = Int(subjects[index])
      let name = isWhole ? "" : engine.id(metric.plan.subject.entity, subject)
      worker.forget()
      try append(&rows, metric, subject, name, worker)
    }
    return rows
  }

  /// The rows of one subject: by group, part and day.
  private func append(
    _ rows: inout [ResultRow], _ metric: CompiledMetric, _ subject: Int, _ name: String, _ worker: Worker
  ) throws(EvaluationError) {
    var byGroup: [Cell: [(day: DayKey, values: [Cell])]] = [:]
    for day in days {
      let groups = metric.groups(subject: subject, day: day.number, worker)
      if worker.overflow { throw .overflow(metric: metric.plan.name, subject: name, day: day) }
      for group in groups { byGroup[group.group, default: []].append((day, group.values)) }
    }
    let named = byGroup.map { group, rows in
      (name: metric.isGrouped ? engine.text(of: group, metric.groupType) : "", rows: rows)
    }
    for (group, groupRows) in named.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
      for (part, plan) in metric.plan.parts.enumerated() {
        for (day, values) in groupRows {
          rows.append(
            ResultRow(
              metric: metric.plan.name, subject: name, group: group, part: plan.name, at: day,
              value: engine.value(of: values[part], plan.type)))
        }
      }
    }
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
