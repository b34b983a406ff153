import MetricData
import MetricDiagnostics
import MetricPlan

/// Plans written in code, for tests of what stands behind the resolver.
///
///     var plan = PlanBuilder()
///     plan.entity("Habit", [.id, .optional("unit", .text)])
///     plan.fact("Entry", [.id, .required("habitId", plan.reference("Habit")), .day])
///     plan.metric("entries", for: "Habit", plan.measure(plan.count("Entry", by: "habitId")))
package struct PlanBuilder {
  package static let nowhere = Span(file: 0, start: 0, end: 0)
  package private(set) var library = Library(records: [], metrics: [], tests: [])

  package init() {}

  // MARK: Records

  package mutating func entity(_ name: String, _ fields: [Field]) {
    library.records.append(Record(name: name, kind: .entity, fields: fields, span: PlanBuilder.nowhere))
  }

  package mutating func link(_ name: String, _ fields: [Field]) {
    library.records.append(Record(name: name, kind: .link, fields: fields, span: PlanBuilder.nowhere))
  }

  package mutating func fact(_ name: String, consent: AskedConsent? = nil, _ fields: [Field]) {
    library.records.append(
      Record(name: name, kind: .fact, consent: consent, fields: fields, span: PlanBuilder.nowhere))
  }

  package func id(_ record: String) -> RecordID {
    guard let id = library.record(named: record) else { preconditionFailure("no record \(record)") }
    return id
  }

  package func reference(_ entity: String) -> FieldType { .reference(id(entity)) }

  package func field(_ record: String, _ name: String) -> FieldReference {
    guard let field = library.records[id(record)].field(named: name) else {
      preconditionFailure("no field \(record).\(name)")
    }
    return FieldReference(record: id(record), field: field)
  }

  // MARK: Expressions

  /// `Record.field` of the record at hand.
  package func row(_ record: String, _ name: String) -> Expression {
    path(.row, record, name)
  }

  /// A field of the subject.
  package func subject(_ record: String, _ name: String) -> Expression {
    path(.subject, record, name)
  }

  private func path(_ root: PathRoot, _ record: String, _ name: String) -> Expression {
    let field = field(record, name)
    return .field(FieldPath(root: root, references: [], field: field, type: library[field].type.valueType))
  }

  /// The route over the facts' own references, each `(record, field)`.
  package func route(_ hops: [(String, String)]) -> Route {
    hops.isEmpty ? .whole : .references(hops.map { field($0.0, $0.1) })
  }

  /// An aggregate over the facts that the field `by` leads to the subject.
  package func aggregate(
    _ function: AggregateFunction, _ record: String, _ name: String? = nil, by reference: String? = nil,
    filter: Expression? = nil, over period: Period? = nil, type: ValueType = .int
  ) -> Expression {
    .aggregate(
      Aggregate(
        function, of: id(record), route(reference.map { [(record, $0)] } ?? []),
        argument: name.map { row(record, $0) }, where: filter, over: period, type: type))
  }

  package func metric(_ name: String, part: String = "", type: ValueType, offset: Offset? = nil) -> Expression
  {
    guard let id = library.metric(named: name) else { preconditionFailure("no metric \(name)") }
    return .metric(MetricReference(root: .subject, metric: id, part: part, offset: offset, type: type))
  }

  // MARK: Metrics

  /// - Parameter entity: nil is `app`.
  package mutating func add(
    _ name: String, for entity: String?, where condition: Expression? = nil, audience: Audience = .team,
    _ body: Body, parts: [Part]
  ) {
    library.metrics.append(
      Metric(
        name: name, subject: Subject(entity: entity.map { id($0) }, condition: condition), audience: audience,
        body: body, parts: parts, span: PlanBuilder.nowhere))
  }

  package mutating func measure(
    _ name: String, for entity: String?, where condition: Expression? = nil, audience: Audience = .team,
    _ value: Expression, over period: Period = .allTime, grouping: [GroupField] = [], atLeast: Int? = nil
  ) {
    add(
      name, for: entity, where: condition, audience: audience,
      .measure(Measure(value: value, over: period, grouping: grouping, atLeast: atLeast)),
      parts: [Part(.value, type: value.type)])
  }

  package mutating func completion(
    _ name: String, for entity: String?, every window: Window, when: Expression, rest: Expression? = nil
  ) {
    add(
      name, for: entity, .completion(Completion(window: window, when: when, rest: rest)),
      parts: [Part(.value, type: .bool)])
  }

  /// A streak or a momentum.
  package mutating func windows(_ name: String, of completion: String, _ reading: WindowReading = .current) {
    let (id, subject) = completionNamed(completion)
    add(
      name, for: subject, .windows(WindowMetric(completion: id, reading: reading)), parts: reading.parts)
  }

  /// The completion's number, and the name of its subject's record.
  package func completionNamed(_ name: String) -> (MetricID, String?) {
    guard let id = library.metric(named: name) else { preconditionFailure("no metric \(name)") }
    return (id, library.metrics[id].subject.entity.map { library.records[$0].name })
  }
}

extension Field {
  package static var id: Field { .required("id", .id) }
  package static var day: Field { .required("dayKey", .dayKey) }

  package static func required(_ name: String, _ type: FieldType) -> Field {
    Field(name: name, type: type, isOptional: false, span: PlanBuilder.nowhere)
  }

  package static func optional(_ name: String, _ type: FieldType) -> Field {
    Field(name: name, type: type, isOptional: true, span: PlanBuilder.nowhere)
  }

  package static func tombstone(_ name: String) -> Field {
    var field = Field(name: name, type: .instant, isOptional: true, span: PlanBuilder.nowhere)
    field.isTombstone = true
    return field
  }

  package static func computed(_ name: String, _ type: FieldType, _ expression: Expression) -> Field {
    Field(name: name, type: type, isOptional: true, computed: expression, span: PlanBuilder.nowhere)
  }
}
