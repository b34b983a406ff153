import MetricData
import MetricPlan

/// A deliberately naive evaluator that reads like the language page: sentences in quotes are that
/// page's (or the tool page's) own. It shares no logic with the fast evaluator, so that the two can
/// be held against each other.
///
///     let rows = try ReferenceEvaluator(library, dataset).evaluate(["daily_streak"], at: [day])
///
/// The memos only spare what naive recursion would compute again and again.
package final class ReferenceEvaluator {
  let library: Library
  let dataset: ReferenceDataset

  var liveMemo: [RecordID: [ReferenceRow]] = [:]
  var factsMemo: [FactsKey: [ReferenceFact]] = [:]
  var completeMemo: [StateKey: Bool] = [:]
  var restMemo: [StateKey: Bool] = [:]
  var consentMemo: [ConsentKey: DayKey?] = [:]
  var pathsMemo: [RecordID: [[FieldReference]]] = [:]
  private var tableMemo: [StateKey: [GroupRow]] = [:]
  private var existingMemo: [ExistingKey: [ByteText]] = [:]

  struct FactsKey: Hashable {
    var record: RecordID
    var route: Route
    var subject: ByteText
    var asksConsent: Bool
  }

  struct StateKey: Hashable {
    var metric: MetricID
    var subject: ByteText
    var day: DayKey
    var asksConsent: Bool
  }

  struct ConsentKey: Hashable {
    var asked: AskedConsent
    var user: ByteText
  }

  private struct ExistingKey: Hashable {
    var entity: RecordID
    var metric: MetricID
    var asksConsent: Bool
  }

  /// The values of a metric's parts for one group, in the order of the parts.
  struct GroupRow {
    var group: ReferenceGroup
    var values: [ReferenceValue]
  }

  package init(_ library: Library, _ dataset: ReferenceDataset) {
    self.library = library
    self.dataset = dataset.merged(library)
  }

  /// The result table of some metrics (all where nil): "Rows are sorted by metric name, subject, group
  /// (as UTF-8 bytes), part (in its own order), at."
  package func evaluate(_ names: [String]? = nil, at days: [DayKey]) throws(ReferenceError)
    -> [ReferenceResult]
  {
    let metrics = library.metrics.indices.filter { names?.contains(library.metrics[$0].name) ?? true }
    do {
      return try metrics.sorted { ByteText(library.metrics[$0].name) < ByteText(library.metrics[$1].name) }
        .flatMap { try rows($0, at: days) }
    } catch let error as ReferenceError {
      throw error
    } catch {
      preconditionFailure("\(error) outside a metric")
    }
  }

  private func rows(_ id: MetricID, at days: [DayKey]) throws -> [ReferenceResult] {
    try checkLinks(of: id)
    let metric = library.metrics[id]
    var sorted: [(key: [[UInt8]], part: Int, row: ReferenceResult)] = []
    for subject in try subjects(of: id) {
      for day in days {
        for row in try table(id, subject, at: day, asksConsent: false) {
          for (index, part) in metric.parts.enumerated() {
            let result = ReferenceResult(
              metric: metric.name, subject: subject.string, group: row.group.text, part: part.name,
              day: day,
              value: row.values[index].literal(of: part.type))
            sorted.append(([subject.bytes] + row.group.map(\.bytes), index, result))
          }
        }
      }
    }
    sorted.sort { left, right in
      for (one, other) in zip(left.key, right.key) where one != other {
        return one.lexicographicallyPrecedes(other)
      }
      if left.part != right.part { return left.part < right.part }
      return left.row.day < right.row.day
    }
    return sorted.map(\.row)
  }

  // MARK: Subjects

  /// "every subject that exists has a row"; "`app` metrics and funnels have an empty subject".
  private func subjects(of id: MetricID) throws -> [ByteText] {
    let metric = library.metrics[id]
    switch metric.body {
    case .funnel, .retention: return [""]
    // The subjects of a level are those of its metric; which records it reads is the same, too.
    case .level(let level) where [.funnel, .retention].contains(library.metrics[level.metric].kind):
      return [""]
    case .completion, .windows, .measure, .level:
      guard let entity = metric.subject.entity else { return [""] }
      return existing(entity, readBy: id, asksConsent: metric.audience == .team)
    }
  }

  /// "A subject of a metric exists when its entity's file names it or a live record that the metric
  /// reads (directly or through metrics) refers to it, whatever the day."
  func existing(_ entity: RecordID, readBy metric: MetricID, asksConsent: Bool) -> [ByteText] {
    let key = ExistingKey(entity: entity, metric: metric, asksConsent: asksConsent)
    if let known = existingMemo[key] { return known }
    var found: Set<ByteText> = []
    if let field = library.records[entity].idField {
      for row in liveRows(entity) {
        if case .text(let id)? = row.values[field], !id.isEmpty { found.insert(ByteText(id)) }
      }
    }
    for record in recordsRead(by: metric) {
      let fields = library.records[record].fields.indices.filter { index in
        let field = library.records[record].fields[index]
        return field.computed == nil && field.type == .reference(entity)
      }
      let isFact = library.records[record].kind == .fact
      for row in liveRows(record) {
        if isFact, asksConsent, !hasConsent(ReferenceFact(record: record, row: row)) { continue }
        for field in fields {
          if case .text(let id)? = row.values[field], !id.isEmpty { found.insert(ByteText(id)) }
        }
      }
    }
    if asksConsent {
      found = found.filter { agrees($0, of: entity, readBy: metric, on: nil) }
    }
    let ids = found.sorted()
    existingMemo[key] = ids
    return ids
  }

  /// "`for S where E` keeps the subjects for which E, over the entity's own fields, holds; the others
  /// have no row."
  func isSubject(_ subject: ByteText, of id: MetricID) throws -> Bool {
    let metric = library.metrics[id]
    guard let condition = metric.subject.condition, let entity = metric.subject.entity else { return true }
    let row = RowScope(record: entity, row: self.entity(entity, subject), id: subject)
    let scope = ReferenceScope(
      metric: id, subject: subject, day: .first, span: DaySpan(.allTime, at: .first),
      asksConsent: false, row: row)
    return try evaluate(condition, scope).isTrue
  }

  // MARK: Values

  /// A part of another metric. A row that is not there is none; "a hidden value is none to every metric
  /// that reads it".
  func value(
    of id: MetricID, part: String, for subject: ByteText, in group: ReferenceGroup = [""], at day: DayKey,
    asksConsent: Bool
  ) throws -> ReferenceValue {
    guard let index = library.metrics[id].parts.firstIndex(where: { $0.name == part }) else {
      preconditionFailure("\(library.metrics[id].name) has no part \(part)")
    }
    let rows = try table(id, subject, at: day, asksConsent: asksConsent)
    return rows.first { $0.group == group }?.values[index] ?? .none
  }

  /// All groups of a metric for a subject on a day; an ungrouped one has the empty group.
  ///
  /// - Parameter asksConsent: "a team metric that reads a user metric applies consent to the facts
  ///   below it".
  func table(
    _ id: MetricID, _ subject: ByteText, at day: DayKey, asksConsent: Bool
  ) throws -> [GroupRow] {
    let metric = library.metrics[id]
    let asksConsent = asksConsent || metric.audience == .team
    let key = StateKey(metric: id, subject: subject, day: day, asksConsent: asksConsent)
    if let known = tableMemo[key] { return known }
    do {
      let rows = try computeTable(id, subject, at: day, asksConsent: asksConsent).map {
        GroupRow(group: $0.group, values: try rounded($0.values, metric))
      }
      tableMemo[key] = rows
      return rows
    } catch is NumberOverflow {
      throw ReferenceError.overflow(metric: metric.name, subject: subject.string)
    }
  }

  /// "`nearest N` … the nearest multiple of N, of two the one farther from 0; `dN.rate` and `dN.mean` are quotients of the
  /// rounded numbers".
  private func rounded(_ values: [ReferenceValue], _ metric: Metric) throws -> [ReferenceValue] {
    guard let step = metric.nearest.map({ Int128($0.millionths) }) else { return values }
    var rounded: [ReferenceValue] = []
    for (part, value) in zip(metric.parts, values) {
      if part.name.hasSuffix(".rate") || part.name.hasSuffix(".mean") {
        let (returned, eligible) = (
          rounded[rounded.count - 1].millionths, rounded[rounded.count - 2].millionths
        )
        if let returned, let eligible {
          rounded.append(try ReferenceNumber.divide(returned, eligible))
        } else {
          rounded.append(.none)
        }
        continue
      }
      guard let number = value.millionths else {
        rounded.append(value)
        continue
      }
      let multiple = (2 * abs(number) + step) / (2 * step) * step * (number < 0 ? -1 : 1)
      rounded.append(
        part.type == .int
          ? try ReferenceNumber.int(multiple / ReferenceNumber.scale) : try ReferenceNumber.decimal(multiple))
    }
    return rounded
  }

  private func computeTable(
    _ id: MetricID, _ subject: ByteText, at day: DayKey, asksConsent: Bool
  ) throws -> [GroupRow] {
    func ungrouped(_ values: ReferenceValue...) -> [GroupRow] { [GroupRow(group: [""], values: values)] }
    let metric = library.metrics[id]
    switch metric.body {
    case .funnel(let funnel): return try table(funnel, id, at: day)
    case .retention(let retention): return try table(retention, id, at: day)
    // Its metric knows its own subjects.
    case .level(let level): return try table(level, subject, at: day, asksConsent: asksConsent)
    case .completion, .windows, .measure:
      guard try isSubject(subject, of: id) else { return [] }
    }
    var scope = ReferenceScope(
      metric: id, subject: subject, day: day, span: DaySpan(.allTime, at: day),
      asksConsent: asksConsent)
    switch metric.body {
    // "Bool: is window 0 complete"
    case .completion:
      return ungrouped(.bool(try isComplete(id, subject, at: day, asksConsent: asksConsent)))
    case .windows(let metric):
      let values = try values(metric, subject, at: day, asksConsent: asksConsent)
      return [GroupRow(group: [""], values: values)]
    case .measure(let measure):
      scope.span = DaySpan(measure.over, at: day)
      guard measure.isProgress else { return try table(measure, scope) }
      return [GroupRow(group: [""], values: try values(progress: measure, scope))]
    case .funnel, .retention, .level:
      return []
    }
  }

  /// "number; with a target also parts `target` and `fraction` (value / target, not capped)"
  private func values(progress: Measure, _ scope: ReferenceScope) throws -> [ReferenceValue] {
    let value = try evaluate(progress.value, scope)
    guard let target = progress.target else { return [value] }
    let goal = try evaluate(target, scope)
    guard let numerator = value.millionths, let denominator = goal.millionths else {
      return [value, goal, .none]
    }
    return [value, goal, try ReferenceNumber.divide(numerator, denominator)]
  }

  /// "how many thresholds METRIC has reached; groups are kept"; none has reached none.
  private func table(
    _ level: Level, _ subject: ByteText, at day: DayKey, asksConsent: Bool
  ) throws -> [GroupRow] {
    guard let index = library.metrics[level.metric].parts.firstIndex(where: { $0.name == level.part }) else {
      preconditionFailure("a level of no part")
    }
    return try table(level.metric, subject, at: day, asksConsent: asksConsent).map { row in
      let value = row.values[index].millionths
      let reached = level.thresholds.filter { threshold in
        value.map { Int128(threshold.millionths) <= $0 } ?? false
      }
      let days = try level.hasDays ? firstDays(level, index, row.group, subject, upTo: day, asksConsent) : []
      return GroupRow(group: row.group, values: [.int(Int128(reached.count))] + days)
    }
  }

  /// "the first day, since the first fact that METRIC reads, on which it has reached the threshold, none before"
  private func firstDays(
    _ level: Level, _ part: Int, _ group: ReferenceGroup, _ subject: ByteText, upTo last: DayKey,
    _ asksConsent: Bool
  ) throws -> [ReferenceValue] {
    let facts = try factsBehind(level.metric, for: subject, asksConsent: asksConsent)
    var found = level.thresholds.map { _ in ReferenceValue.none }
    guard var day = facts.map(self.day).min() else { return found }
    while day <= last {
      let rows = try table(level.metric, subject, at: day, asksConsent: asksConsent)
      let row = rows.first { $0.group == group }
      for (index, threshold) in level.thresholds.enumerated() {
        guard found[index].isNone, let value = row?.values[part].millionths else { continue }
        if value >= Int128(threshold.millionths) { found[index] = .day(day) }
      }
      day = day.advanced(by: 1)
    }
    return found
  }

  // MARK: Groups of measures

  private func table(_ measure: Measure, _ scope: ReferenceScope) throws -> [GroupRow] {
    let grouping = measure.grouping
    guard !grouping.isEmpty else {
      let value = try evaluate(measure.value, scope)
      let hidden = try self.hidden([[""]], atLeast: measure.atLeast) { _ in
        try fewestUsers(behind: measure.value, scope, adding: true)
      }
      return [GroupRow(group: [""], values: [hidden.isEmpty ? value : .none])]
    }
    // "the groups are those of the facts that pass at least one aggregate's `where` in its period, and of the subjects
    // that are counted; a missing value makes the empty group"
    var groups: Set<ReferenceGroup> = []
    for aggregate in aggregates(in: measure.value) {
      for fact in try passing(aggregate, scope) {
        groups.insert(try groupTexts(fact, grouping, scope))
      }
    }
    for case .subjects(let aggregate) in parts(of: measure.value) {
      for row in try counted(aggregate, scope) {
        groups.insert(try groupTexts(row, grouping, scope))
      }
    }
    // "and those of a metric with the same fields that it reads, on the day on which it reads it"
    for case .metric(let reference) in parts(of: measure.value) where reference.root == .subject {
      let fields = library.metrics[reference.metric].grouping
      guard !fields.isEmpty, Set(fields.map(\.name)) == Set(grouping.map(\.name)) else { continue }
      for row in try rows(of: reference, scope) {
        groups.insert(GroupScope(grouping: fields, texts: row.group).texts(of: grouping))
      }
    }
    var rows: [GroupRow] = []
    for group in groups {
      var inner = scope
      inner.group = GroupScope(grouping: grouping, texts: group)
      rows.append(GroupRow(group: group, values: [try evaluate(measure.value, inner)]))
    }
    // "A measure does so twice: by those who add to it, and by all who have a value."
    func hidden(adding: Bool) throws -> Set<ReferenceGroup> {
      try self.hidden(groups, atLeast: measure.atLeast) { first in
        var inner = scope
        inner.group = GroupScope(grouping: Array(grouping.prefix(first.count)), texts: first)
        return try fewestUsers(behind: measure.value, inner, adding: adding)
      }
    }
    let hidden = try hidden(adding: true).union(hidden(adding: false))
    return rows.map { GroupRow(group: $0.group, values: hidden.contains($0.group) ? [.none] : $0.values) }
  }

  private func aggregates(in expression: Expression) -> [Aggregate] {
    parts(of: expression).compactMap { part in
      if case .aggregate(let aggregate) = part { aggregate } else { nil }
    }
  }

  /// "fewer than K distinct users stand behind … any one of its aggregates": of the one that has the fewest. "Whoever
  /// has no value, or adds 0 to a sum or an average, does not count; of a percentile K stand at or below it and K at or above."
  private func fewestUsers(
    behind expression: Expression, _ scope: ReferenceScope, adding: Bool
  ) throws -> Int {
    var counts: [Int] = []
    for aggregate in aggregates(in: expression) where leadsToUser(aggregate.record) {
      let middle = try evaluate(aggregate, scope)
      counts.append(
        try supporters(aggregate.function, middle, adding, of: try passing(aggregate, scope)) { fact in
          (ways(to: fact), try argument(aggregate, fact, scope))
        })
    }
    for case .subjects(let aggregate) in parts(of: expression) where leadsToUser(aggregate.entity) {
      let middle = try evaluate(aggregate, scope)
      counts.append(
        try supporters(aggregate.function, middle, adding, of: try counted(aggregate, scope)) { row in
          var inner = scope
          inner.row = row
          let value = try aggregate.argument.map { try evaluate($0, inner) } ?? .none
          return (row.id.map { ways(to: $0, of: aggregate.entity) } ?? [], value)
        })
    }
    return counts.min() ?? .max
  }

  private func supporters<Row>(
    _ function: AggregateFunction, _ middle: ReferenceValue, _ adding: Bool, of rows: [Row],
    _ read: (Row) throws -> (ways: [ByteText?], value: ReferenceValue)
  ) rethrows -> Int {
    let read = try rows.map(read)
    func users(where holds: (ReferenceValue) -> Bool) -> Int {
      fewest(read.filter { holds($0.value) }.map(\.ways))
    }
    switch function {
    case .count, .days, .contribution: return users { _ in true }
    case .sum, .average, .stddev: return users { adding ? ($0.millionths ?? 0) != 0 : !$0.isNone }
    case .percentile:
      return min(
        users { !$0.isNone && !middle.precedes($0) }, users { !$0.isNone && !$0.precedes(middle) })
    case .first, .last, .min, .max, .distinct: return users { !$0.isNone }
    }
  }
}
