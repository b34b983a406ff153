/// What a metric or an expression reads itself, and not through other metrics.
///
/// Computed fields are followed to what they are computed from. The DayKey of a fact and the tombstones of a
/// record belong to it; what decides only whether a row exists (ids, consent) does not.
package struct Reads: Sendable {
  package fileprivate(set) var leaves: Set<FieldReference> = []
  /// The records whose rows matter.
  package fileprivate(set) var records: Set<RecordID> = []
  fileprivate(set) var metrics: Set<MetricID> = []
  /// The records whose facts of one day are taken in their order.
  fileprivate(set) var ordered: Set<RecordID> = []
  /// The units of what links add up.
  fileprivate(set) var units: Set<FieldReference> = []
  /// The fields of each text that is compared, and the texts that it is compared with.
  fileprivate(set) var comparisons: [(leaves: Set<FieldReference>, texts: [String])] = []

  fileprivate mutating func formUnion(_ other: Reads) {
    leaves.formUnion(other.leaves)
    records.formUnion(other.records)
    metrics.formUnion(other.metrics)
    ordered.formUnion(other.ordered)
    units.formUnion(other.units)
    comparisons += other.comparisons
  }
}

extension Library {
  /// By metric, what it reads itself and through other metrics.
  package var provenance: [Reads] {
    metrics.reduce(into: []) { known, metric in
      known.append(reads(metric).reduce(into: directReads(of: metric)) { $0.formUnion(known[$1]) })
    }
  }

  package func directReads(of metric: Metric) -> Reads {
    var reads = Reads()
    // A streak has the subject of its completion.
    if metric.body.base == nil, let entity = metric.subject.entity { reads.records.insert(entity) }
    for expression in [metric.subject.condition].compactMap({ $0 }) + metric.body.expressionsAndGroups {
      add(expression, to: &reads)
    }
    for (source, inOrder) in metric.body.orderedSources {
      switch source {
      case .completion(let id): reads.metrics.insert(id)
      case .fact(let record, let route, let filter):
        addFacts(record, route, inOrder: inOrder, to: &reads)
        if let filter { add(filter, to: &reads) }
      }
    }
    return whole(reads)
  }

  package func reads(of expression: Expression) -> Reads {
    var reads = Reads()
    add(expression, to: &reads)
    return whole(reads)
  }

  private func whole(_ found: Reads) -> Reads {
    var reads = found
    reads.records.formUnion(reads.leaves.map(\.record))
    for record in reads.records {
      reads.leaves.formUnion(records[record].tombstones.map { FieldReference(record: record, field: $0) })
    }
    return reads
  }

  /// - Parameter inOrder: whether Instants order the facts of one day.
  private func addFacts(_ record: RecordID, _ route: Route, inOrder: Bool, to reads: inout Reads) {
    let declaration = records[record]
    for field in [declaration.dayKeyField, inOrder ? declaration.orderField : nil].compactMap({ $0 }) {
      reads.leaves.insert(FieldReference(record: record, field: field))
    }
    if inOrder { reads.ordered.insert(record) }
    reads.leaves.formUnion(fields(of: route))
  }

  private func add(_ expression: Expression, to reads: inout Reads) {
    switch expression {
    case .field(let path):
      reads.leaves.formUnion(path.references)
      reads.records.insert(path.field.record)
      if let computed = self[path.field].computed {
        add(computed, to: &reads)
      } else {
        reads.leaves.insert(path.field)
      }
    case .metric(let reference): reads.metrics.insert(reference.metric)
    case .completions(let aggregate): reads.metrics.insert(aggregate.completion)
    case .aggregate(let aggregate): add(aggregate, to: &reads)
    case .subjects(let aggregate):
      reads.records.insert(aggregate.entity)
      reads.leaves.formUnion(aggregate.relation)
      for inner in aggregate.inner { add(inner, to: &reads) }
    case .comparison(_, let operand, .literal(let text)), .comparison(_, .literal(let text), let operand):
      add(operand, comparedWith: [text], to: &reads)
    case .membership(let operand, let texts, _): add(operand, comparedWith: texts, to: &reads)
    case .literal, .day, .arithmetic, .negated, .comparison, .isNone, .and, .or, .not, .conditional,
      .function, .widened:
      for operand in expression.operands { add(operand, to: &reads) }
    }
  }

  private func add(_ operand: Expression, comparedWith literals: [Literal], to reads: inout Reads) {
    var inner = Reads()
    add(operand, to: &inner)
    reads.formUnion(inner)
    let texts = literals.compactMap { if case .text(let text) = $0 { text } else { nil } }
    if operand.type == .text { reads.comparisons.append((inner.leaves, texts)) }
  }

  private func add(_ aggregate: Aggregate, to reads: inout Reads) {
    // The first fact's DayKey is the same whichever of its day's facts is first.
    let isOrdered = aggregate.function.traits.form == .picks && aggregate.argument != nil
    addFacts(aggregate.record, aggregate.route, inOrder: isOrdered, to: &reads)
    if aggregate.function == .contribution, case .link(let route) = aggregate.route {
      reads.leaves.formUnion([field("contribution", of: route.link)].compactMap { $0 })
      // A link that sums needs both in one unit.
      reads.units.formUnion(unitFields(of: route))
    }
    for inner in aggregate.inner { add(inner, to: &reads) }
  }
}
