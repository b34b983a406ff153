/// The first question: records say what happened and what somebody chose, not what was derived (CHK-08).
enum CarriesState: MetricRule {
  static let page = Page.checklist("C103")
  static let recordPage = Page.checklist("C104")
  static let pages = [page, recordPage]

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    // A metric that shows a declared number is refused for that.
    let isShown = scope.shown.contains(metric.name)
    let reads = library.directReads(of: metric)
    let records = reads.records.filter(library.isDerivedByName).sorted()
    let fields = scope.derivedFields.filter { field in
      reads.leaves.contains(field) && !records.contains(field.record)
        && (library.records[field.record].isPlainFact || !isShown)
    }
    return records.map { finding(metric, record: $0, scope) }
      + fields.map { finding(metric, $0, scope) }
  }

  private static func finding(_ metric: Metric, _ leaf: FieldReference, _ scope: CheckScope) -> Diagnostic {
    let field = scope.library[leaf]
    let isText = if case .choice = field.type { true } else { false }
    return metric.error(
      page.code,
      "`\(metric.name)` reads `\(scope.library.name(of: leaf))`, \(isText ? "whose texts say" : "whose name says") that it was derived from other facts",
      at: scope.clause(of: metric) { $0.leaves.contains(leaf) },
      notes: [
        Note("declared here", at: .source(field.span)),
        "derive it from what happened, and mark the field `stored`",
        "if it was observed at that moment, write `\(field.name) : … observed \"why\"`",
      ])
  }

  private static func finding(_ metric: Metric, record id: RecordID, _ scope: CheckScope) -> Diagnostic {
    let record = scope.library.records[id]
    let day = record.kind == .fact && record.idField == nil ? record.dayKeyField : nil
    let field = day.map { "\(record.fields[$0].name) : DayKey" } ?? "id : ID"
    return metric.error(
      recordPage.code,
      "`\(metric.name)` reads `\(record.name)`, whose name says that it was derived from other facts",
      at: scope.clause(of: metric) { $0.records.contains(id) },
      notes: [
        Note("declared here", at: .source(record.span)), "derive it from what happened",
        "if its rows were observed, write `\(field) observed \"why\"`",
      ])
  }
}

extension CheckScope {
  /// The word of the first clause that something holds for.
  func clause(of metric: Metric, where holds: (Reads) -> Bool) -> String {
    let condition = metric.subject.condition.map { [("for", $0)] } ?? []
    let found = (condition + metric.body.clauses).first { holds(library.reads(of: $0.1)) }
    return found?.0 ?? "for"
  }
}
