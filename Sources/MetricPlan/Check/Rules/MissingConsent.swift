import MetricDiagnostics

/// Where a library uses consent at all, each fact of a user that the team reads says its level.
enum MissingConsent: Rule {
  static let page = Page.checklist("W010")
  static let reach = Reach.library

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    guard library.records.contains(where: { $0.consent != nil }) else { return [] }
    return library.metrics.indices.filter { library.metrics[$0].audience == .team }.flatMap { id in
      let metric = library.metrics[id]
      return library.factsBelow(id).sorted().filter { isSilentUserFact($0, library) }.map { record in
        let name = library.records[record].name
        return metric.warning(
          page.code, "`\(metric.name)` reads `\(name)`, a fact of a user that has no `consent` line",
          notes: [
            Note("write `extend \(name) { consent standard }`, or `consent none` if none is needed")
          ])
      }
    }
  }

  private static func isSilentUserFact(_ record: RecordID, _ library: Library) -> Bool {
    library.records[record].consent == nil && library.records[record].name != "Consent"
      && library.reaches(record, entityNamed: "User")
  }
}

extension Library {
  /// The facts that a metric reads itself.
  func facts(of metric: Metric) -> Set<RecordID> {
    var found: Set<RecordID> = []
    for case .aggregate(let aggregate) in metric.body.parts { found.insert(aggregate.record) }
    for case .fact(let record, _, _) in metric.body.sources { found.insert(record) }
    return found
  }

  /// The facts that a metric reads, itself or through user metrics: a team metric in between has
  /// its own findings.
  fileprivate func factsBelow(_ id: MetricID) -> Set<RecordID> {
    withRead([id]) { $0.audience == .user }.reduce(into: []) { $0.formUnion(facts(of: metrics[$1])) }
  }

  /// Whether references lead from a record to an entity.
  func reaches(_ record: RecordID, entityNamed name: String) -> Bool {
    var seen: Set<RecordID> = [record]
    var open = [record]
    while let next = open.popLast() {
      for field in records[next].fields {
        guard case .reference(let target) = field.type, seen.insert(target).inserted else { continue }
        if records[target].name == name { return true }
        open.append(target)
      }
    }
    return false
  }
}
