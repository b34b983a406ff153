import MetricPlan

/// What each metric of a library rests on: every field of a fact, entity or link that it reads,
/// itself, through other metrics, and on the way from a fact to its subject.
///
/// Computed fields are followed to what they are computed from. The DayKey and the tombstones of a
/// fact belong to it; what decides only whether a row exists (ids, consent) does not.
package final class Provenance {
  private let library: Library
  /// By metric; a metric comes after those that it reads.
  private lazy var known: [Set<FieldReference>] = library.metrics.reduce(into: []) { known, metric in
    known.append(library.reads(metric).reduce(into: own(metric)) { $0.formUnion(known[$1]) })
  }

  package init(library: Library) {
    self.library = library
  }

  /// In the order of the records and their fields.
  package func leaves(of id: MetricID) -> [FieldReference] {
    known[id].sorted { ($0.record, $0.field) < ($1.record, $1.field) }
  }

  /// What a metric reads itself and not through other metrics, in the same order.
  package func directLeaves(of id: MetricID) -> [FieldReference] {
    own(library.metrics[id]).sorted { ($0.record, $0.field) < ($1.record, $1.field) }
  }

  private func own(_ metric: Metric) -> Set<FieldReference> {
    var leaves: Set<FieldReference> = []
    for expression in [metric.subject.condition].compactMap({ $0 }) + metric.body.expressions {
      add(expression, to: &leaves)
    }
    if case .field(let paths, _) = metric.grouping {
      for path in paths.values { add(.field(path), to: &leaves) }
    }
    for (source, inOrder) in metric.body.orderedSources { add(source, inOrder: inOrder, to: &leaves) }
    return leaves
  }

  private func add(_ source: EventSource, inOrder: Bool, to leaves: inout Set<FieldReference>) {
    guard case .fact(let record, let route, let filter) = source else { return }
    addFact(record, route, to: &leaves)
    // Instants order the facts of one day.
    if inOrder, let order = library.records[record].orderField {
      leaves.insert(FieldReference(record: record, field: order))
    }
    if let filter { add(filter, to: &leaves) }
  }

  private func addFact(_ record: RecordID, _ route: Route, to leaves: inout Set<FieldReference>) {
    let declaration = library.records[record]
    for (index, field) in declaration.fields.enumerated()
    where index == declaration.dayKeyField || field.isTombstone {
      leaves.insert(FieldReference(record: record, field: index))
    }
    switch route {
    case .whole: break
    case .references(let references): leaves.formUnion(references)
    case .link(let link):
      leaves.formUnion(link.fromFact + link.toSubject + [link.direct, link.bundle].compactMap { $0 })
      if link.bundle != nil, let members = library.record(named: "BundleMember") {
        for field in library.records[members].fields.indices {
          leaves.insert(FieldReference(record: members, field: field))
        }
      }
    }
  }

  private func add(_ expression: Expression, to leaves: inout Set<FieldReference>) {
    switch expression {
    case .field(let path):
      leaves.formUnion(path.references)
      if let computed = library[path.field].computed {
        add(computed, to: &leaves)
      } else {
        leaves.insert(path.field)
      }
    case .aggregate(let aggregate): add(aggregate, to: &leaves)
    case .subjects(let aggregate):
      leaves.formUnion(aggregate.relation)
      for inner in [aggregate.filter, aggregate.argument].compactMap({ $0 }) { add(inner, to: &leaves) }
    case .literal, .day, .metric, .completions, .arithmetic, .negated, .comparison, .membership, .isNone,
      .and, .or, .not, .conditional, .function, .widened:
      for operand in expression.operands { add(operand, to: &leaves) }
    }
  }

  private func add(_ aggregate: Aggregate, to leaves: inout Set<FieldReference>) {
    addFact(aggregate.record, aggregate.route, to: &leaves)
    let record = library.records[aggregate.record]
    // The first fact's DayKey is the same whichever of its day's facts is first.
    let isOrdered = aggregate.function == .first || aggregate.function == .last
    if isOrdered, aggregate.argument != nil, let order = record.orderField {
      leaves.insert(FieldReference(record: aggregate.record, field: order))
    }
    if aggregate.function == .contribution, case .link(let route) = aggregate.route,
      let contribution = library.records[route.link].field(named: "contribution")
    {
      leaves.insert(FieldReference(record: route.link, field: contribution))
    }
    for inner in [aggregate.filter, aggregate.argument].compactMap({ $0 }) { add(inner, to: &leaves) }
  }
}
