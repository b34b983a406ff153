/// What each metric of a library rests on: every field of a fact, entity or link that it reads,
/// itself, through other metrics, and on the way from a fact to its subject.
///
/// Computed fields are followed to what they are computed from. The DayKey of a fact and the tombstones of a
/// record belong to it; what decides only whether a row exists (ids, consent) does not.
package final class Provenance {
  private let library: Library
  /// By metric; a metric comes after those that it reads.
  private lazy var known: [Reads] = library.metrics.indices.reduce(into: []) { known, id in
    known.append(library.reads(library.metrics[id]).reduce(into: direct(id)) { $0.formUnion(known[$1]) })
  }

  /// Fields, and the records whose rows matter.
  package struct Reads {
    package fileprivate(set) var leaves: Set<FieldReference> = []
    package fileprivate(set) var records: Set<RecordID> = []
    /// Free texts that are compared with a verdict, such as `done`.
    package fileprivate(set) var judged: Set<FieldReference> = []

    fileprivate mutating func formUnion(_ other: Reads) {
      leaves.formUnion(other.leaves)
      records.formUnion(other.records)
      judged.formUnion(other.judged)
    }
  }

  package init(library: Library) {
    self.library = library
  }

  /// In the order of the records and their fields.
  package func leaves(of id: MetricID) -> [FieldReference] { Self.sorted(known[id].leaves) }

  /// What a metric reads itself and not through other metrics, in the same order.
  package func directLeaves(of id: MetricID) -> [FieldReference] { Self.sorted(direct(id).leaves) }

  private static func sorted(_ leaves: Set<FieldReference>) -> [FieldReference] {
    leaves.sorted { ($0.record, $0.field) < ($1.record, $1.field) }
  }

  /// The records that a metric reads, itself and through others.
  package func records(of id: MetricID) -> Set<RecordID> { known[id].records }

  /// What a metric reads itself.
  package func direct(_ id: MetricID) -> Reads {
    let metric = library.metrics[id]
    var reads = Reads()
    // A streak has the subject of its completion.
    if metric.body.base == nil { reads.records.formUnion([metric.subject.entity].compactMap { $0 }) }
    for expression in [metric.subject.condition].compactMap({ $0 }) + metric.body.expressionsAndGroups {
      add(expression, to: &reads)
    }
    for (source, inOrder) in metric.body.orderedSources { add(source, inOrder: inOrder, to: &reads) }
    return whole(reads)
  }

  /// What an expression of a metric reads.
  package func reads(of expression: Expression) -> Reads {
    var reads = Reads()
    add(expression, to: &reads)
    return whole(reads)
  }

  private func whole(_ found: Reads) -> Reads {
    var reads = found
    reads.records.formUnion(reads.leaves.map(\.record))
    for record in reads.records {
      for field in library.records[record].tombstones {
        reads.leaves.insert(FieldReference(record: record, field: field))
      }
    }
    return reads
  }

  private func add(_ source: EventSource, inOrder: Bool, to reads: inout Reads) {
    guard case .fact(let record, let route, let filter) = source else { return }
    addFact(record, route, to: &reads)
    // Instants order the facts of one day.
    if inOrder, let order = library.records[record].orderField {
      reads.leaves.insert(FieldReference(record: record, field: order))
    }
    if let filter { add(filter, to: &reads) }
  }

  private func addFact(_ record: RecordID, _ route: Route, to reads: inout Reads) {
    if let day = library.records[record].dayKeyField {
      reads.leaves.insert(FieldReference(record: record, field: day))
    }
    reads.leaves.formUnion(library.fields(of: route))
  }

  private func add(_ expression: Expression, to reads: inout Reads) {
    switch expression {
    case .field(let path):
      reads.leaves.formUnion(path.references)
      reads.records.insert(path.field.record)
      if let computed = library[path.field].computed {
        add(computed, to: &reads)
      } else {
        reads.leaves.insert(path.field)
      }
    case .aggregate(let aggregate): add(aggregate, to: &reads)
    case .subjects(let aggregate):
      reads.records.insert(aggregate.entity)
      reads.leaves.formUnion(aggregate.relation)
      for inner in aggregate.inner { add(inner, to: &reads) }
    case .comparison(_, let operand, .literal(let text)), .comparison(_, .literal(let text), let operand):
      add(operand, comparedWith: [text], to: &reads)
    case .membership(let operand, let texts, _): add(operand, comparedWith: texts, to: &reads)
    case .literal, .day, .metric, .completions, .arithmetic, .negated, .comparison, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      for operand in expression.operands { add(operand, to: &reads) }
    }
  }

  private func add(_ operand: Expression, comparedWith texts: [Literal], to reads: inout Reads) {
    var inner = Reads()
    add(operand, to: &inner)
    reads.formUnion(inner)
    let names = texts.compactMap { if case .text(let text) = $0 { DerivedName(text) } else { nil } }
    guard operand.type == .text, names.contains(where: { $0.isVerdict() }) else { return }
    reads.judged.formUnion(
      inner.leaves.filter { leaf in
        library[leaf].type == .text
          && names.contains { $0.isVerdict(amongEvents: library.namesEvents(leaf)) }
      })
  }

  private func add(_ aggregate: Aggregate, to reads: inout Reads) {
    addFact(aggregate.record, aggregate.route, to: &reads)
    let record = library.records[aggregate.record]
    // The first fact's DayKey is the same whichever of its day's facts is first.
    let isOrdered = aggregate.function == .first || aggregate.function == .last
    if isOrdered, aggregate.argument != nil, let order = record.orderField {
      reads.leaves.insert(FieldReference(record: aggregate.record, field: order))
    }
    if aggregate.function == .contribution, case .link(let route) = aggregate.route,
      let contribution = library.field("contribution", of: route.link)
    {
      reads.leaves.insert(contribution)
    }
    for inner in aggregate.inner { add(inner, to: &reads) }
  }
}
