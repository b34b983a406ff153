import MetricPlan

/// The subjects whose values a change of records may affect.
package enum AffectedSubjects: Hashable, Sendable {
  case all
  /// Ids; the empty one is that of a metric with one row for all.
  case some(Set<String>)

  package func union(_ other: AffectedSubjects) -> AffectedSubjects {
    guard case .some(let one) = self, case .some(let two) = other else { return .all }
    return .some(one.union(two))
  }
}

/// How the facts of a record get to the subjects of a metric.
private struct Reach {
  var routes: Set<Route> = []
  /// Whether a fact may change the values of any subject.
  var isUnbounded = false
}

extension EvaluationSession {
  /// Which values of the session's metrics may change when records of one type are added or removed. All others keep
  /// theirs.
  ///
  /// A fact affects the subjects that it reaches. A record that decides what facts belong to, or whether they may be
  /// read, affects all subjects.
  package func affected(by record: RecordID, rows: some Collection<Int>) -> [MetricID: AffectedSubjects] {
    var affected: [MetricID: AffectedSubjects] = [:]
    var known: [Route: AffectedSubjects] = [:]
    let concernsAll = record == library.record(named: "Consent") || record == library.identity?.record
    // Team metrics ask for the consent and the number of the users behind facts, to whom entities lead.
    let leadsToUsers =
      library.records[record].kind == .entity
      && needs.fields.keys.contains { library.userPaths(of: $0).joined().contains { $0.record == record } }
    for metric in metrics
    where concernsAll || needs.reads[metric]?.contains(record) == true
      || leadsToUsers && library.metrics[metric].audience == .team
    {
      guard let entity = library.metrics[metric].subject.entity, !library.metrics[metric].isOfMany(library)
      else {
        affected[metric] = .some([""])
        continue
      }
      let reach = reach(of: metric, record)
      guard !shapes(record), !reach.isUnbounded else {
        affected[metric] = .all
        continue
      }
      var subjects = AffectedSubjects.some([])
      for route in reach.routes {
        let ends = known[route] ?? ends(of: route, rows, entity)
        known[route] = ends
        subjects = subjects.union(ends)
      }
      affected[metric] = subjects
    }
    return affected
  }

  /// The routes of a metric's aggregates over a record and of the metrics that it reads for the same subject. A fact
  /// that names a subject itself makes it exist.
  private func reach(of metric: MetricID, _ record: RecordID) -> Reach {
    var reach = Reach()
    guard needs.reads[metric]?.contains(record) == true else { return reach }
    let entity = library.metrics[metric].subject.entity
    if let entity {
      for field in library.references(from: record, to: entity) {
        reach.routes.insert(.references([FieldReference(record: record, field: field)]))
      }
    }
    for expression in library.metrics[metric].body.expressions {
      expression.visit { part in
        switch part {
        case .aggregate(let aggregate) where aggregate.record == record: reach.routes.insert(aggregate.route)
        case .subjects: reach.isUnbounded = true
        default: break
        }
      }
    }
    for other in library.reads(library.metrics[metric]) {
      let inner = self.reach(of: other, record)
      let isSame = library.metrics[other].subject.entity == entity
      reach.isUnbounded = reach.isUnbounded || inner.isUnbounded || !isSame && !inner.routes.isEmpty
      if isSame { reach.routes.formUnion(inner.routes) }
    }
    return reach
  }

  /// The ids of the subjects at the end of a route from some records.
  private func ends(of route: Route, _ rows: some Collection<Int>, _ entity: RecordID) -> AffectedSubjects {
    var numbers: Set<Int> = []
    switch route {
    case .whole: return .all
    case .references(let references):
      for row in rows { dataset.end(of: references, ofRow: row).map { _ = numbers.insert($0) } }
    case .link(let link):
      guard let members = try? engine.routing.members(link, counting: false) else { return .all }
      for row in rows {
        guard let end = dataset.end(of: link.fromFact, ofRow: row) else { continue }
        for member in members[end] { numbers.insert(Int(member.subject)) }
      }
    }
    return .some(Set(numbers.map { engine.id(entity, $0) }))
  }
}
