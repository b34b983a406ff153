/// Where a library uses consent at all, each fact of a user that the team reads says its level.
enum MissingConsent: Rule {
  static let page = Page.checklist("W010")
  static let reach = Reach.library

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    guard library.records.contains(where: { $0.consent != nil }) else { return [] }
    return library.metrics.indices.filter { library.metrics[$0].audience == .team }.flatMap { id in
      let metric = library.metrics[id]
      // A team metric in between has its own findings.
      let facts = library.withRead([id]) { $0.audience == .user }.flatMap {
        library.facts(of: library.metrics[$0])
      }
      return Set(facts).sorted().compactMap { id -> Diagnostic? in
        let record = library.records[id]
        guard record.consent == nil, record.name != "Consent", library.reachesUser(id)
        else { return nil }
        return metric.warning(
          page.code, "`\(metric.name)` reads `\(record.name)`, a fact of a user that has no `consent` line",
          notes: ["write `extend \(record.name) { consent standard }`, or `consent none` if none is needed"])
      }
    }
  }
}

extension Library {
  /// The facts that a metric reads itself.
  func facts(of metric: Metric) -> Set<RecordID> {
    var found = Set(metric.body.parts.compactMap(\.aggregate?.record))
    for case .fact(let record, _, _) in metric.body.sources { found.insert(record) }
    return found
  }

  /// Whether references lead from a record to `User`, another one.
  func reachesUser(_ record: RecordID) -> Bool {
    records.reachable(from: record).contains { $0 != record && records[$0].name == "User" }
  }
}
