/// Which subjects there are (TOOL, Results).
extension Translation {
  /// `subject`: those that the entity's table names, or a live record that the metric reads.
  func subjects(_ entity: RecordID, readBy metric: MetricID) -> String {
    let scope = needs.subjects(of: entity, for: metric)
    let all = subjects(scope)
    let builder = SelectBuilder(from: all, as: "s")
    let subject = builder["subject"]
    guard let agrees = agrees(subject, scope, builder) else { return all }
    return define(
      "agreeing_\(relationName(entity))", "Those behind whom everybody agreed to all that is read.",
      builder.where(agrees).select(["subject"]))
  }

  /// `subject`: all that exist for any metric of the statement that is about the entity.
  func allSubjects(_ entity: RecordID) -> String {
    let reads =
      readsOfAll[entity]
      ?? needs.reads.filter { speaks($0.key, of: entity) }.reduce(into: []) { $0.formUnion($1.value) }
    readsOfAll[entity] = reads
    return subjects(SubjectScope(entity, reads: reads))
  }

  private func speaks(_ metric: MetricID, of entity: RecordID) -> Bool {
    library.metrics[metric].subject.entity == entity
      || library.metrics[metric].body.parts.contains { part in
        if case .subjects(let aggregate) = part { aggregate.entity == entity } else { false }
      }
  }

  private func subjects(_ scope: SubjectScope) -> String {
    let entity = scope.entity
    let referring = scope.reads.sorted().filter { !references(from: $0, to: entity).isEmpty }
    let asks = !scope.consents.isEmpty && referring.contains { library.askedConsent(of: $0) != nil }
    let name = library.records[entity].subjectName
    let sources = referring.map { library.records[$0].name }.joined(separator: ", ")
    let comment =
      "Every \(name) that there is"
      + (referring.isEmpty ? "." : ": also those that only \(sources) names\(asks ? ", with consent" : "").")
    return relation(
      .subjects(entity, referring, withConsent: asks), named: "every_\(relationName(entity))", comment
    ) {
      var queries: [SQLQuery] = []
      if library.records[entity].idField != nil {
        let builder = SelectBuilder(from: live(entity), as: "e")
        queries.append(builder.where(builder["id"].isPresent).select(["subject": builder["id"]]))
      }
      for record in referring {
        let asked = asks ? library.askedConsent(of: record) : nil
        queries += references(from: record, to: entity).map { referred(by: $0, asked) }
      }
      return .union(queries, isDistinct: true)
    }
  }

  private func references(from record: RecordID, to entity: RecordID) -> [FieldReference] {
    library.references(from: record, to: entity).map { FieldReference(record: record, field: $0) }.filter {
      library[$0].computed == nil && needs.fields[record]?.contains($0.field) ?? false
    }
  }

  private func referred(by field: FieldReference, _ asked: AskedConsent?) -> SQLQuery {
    let builder = SelectBuilder(from: live(field.record), as: "f")
    let subject = column(field, of: "f")
    builder.where(subject.isPresent)
    if let asked { builder.where(consent(to: asked, for: Row(record: field.record, alias: "f"), builder)) }
    return builder.select(["subject": subject])
  }
}
