import MetricEvaluate
import MetricSyntax

/// How a metric or a record changed between two libraries.
package struct MetricChange: Hashable, Sendable {
  /// Nil where it is new.
  package var oldName: String?
  /// Nil if it was removed.
  package var newName: String?
  package var level: ChangeLevel
  /// What differs, in words of the definitions.
  package var details: [ChangeDetail]
  /// Names of the metrics that it reads and whose values may differ.
  package var through: [String] = []
  /// The smallest dataset found on which the values differ; nil without a search or a find.
  package var witness: ChangeWitness?
  /// After a search: the most facts that a dataset could have.
  package var searchedFacts: Int?
  /// Of a record: the metrics that read it.
  package var readers: [String] = []
  /// Who answers for the metric, and who approved it, as the new definitions say.
  package var owner: String?
  package var approval: MetricApproval?

  package var name: String { newName ?? oldName ?? "" }
}

/// A dataset on which an old and a new metric differ.
package struct ChangeWitness: Hashable, Sendable {
  /// A `test` block that passes with the old definitions.
  package var test: String
  /// What only the new definitions know of the dataset, as `given` lines.
  package var newOnly: [String]
  package var old: Value
  package var new: Value
}

extension MetricLibrary {
  /// What is different from an older library, by record and metric, sorted by name; equal metrics are among them.
  package func changes(from old: MetricLibrary) -> [MetricChange] {
    let oldTexts = old.declarationTexts
    let newTexts = declarationTexts
    let comparison = LibraryComparison(old: old.plan, new: plan)
    let newNames = comparison.newNames
    let approvals = approvals
    let records = comparison.recordChanges.map { change in
      MetricChange(
        oldName: change.oldName, newName: change.newName, level: .records, details: change.details,
        readers: change.readers)
    }
    return records
      + comparison.pairs.map { pair in
        let one = pair.old.map { old.plan.metrics[$0] }
        let other = pair.new.map { plan.metrics[$0] }
        var change = MetricChange(
          oldName: one?.name, newName: other?.name, level: pair.level, details: pair.shape,
          through: pair.through, owner: other?.owner ?? one?.owner,
          approval: pair.new.flatMap { approvals[$0] })
        guard let one, let other, let oldID = pair.old, let newID = pair.new else { return change }
        let words = MetricLibrary.words(
          one, other, oldTexts[one.name]?.renamed(newNames), newTexts[other.name])
        switch pair.level {
        case .equal:
          if !words.isEmpty { change.level = .words }
          change.details = words
        case .meaning, .shape:
          if pair.isOwn {
            let clauses = clauseDetails(oldID, newID, old)
            let isExplained = !clauses.isEmpty || !pair.shape.isEmpty
            change.details += isExplained ? clauses : [ChangeDetail("records")]
          }
          // Rows that cannot be compared need no dataset to show that they differ.
          let isComparable = one.parts.map(\.name) == other.parts.map(\.name)
          if isComparable, pair.level == .meaning {
            change.searchedFacts = DifferenceSearch.mostFacts
            change.witness = witness(oldID, newID, old)
            if change.witness == nil { change.level = .unproved }
          }
        case .words, .added, .renamed, .removed, .records, .unproved: break
        }
        return change
      }
  }

  private static func words(
    _ one: Metric, _ other: Metric, _ oldText: String?, _ newText: String?
  ) -> [ChangeDetail] {
    func allowance(_ code: String, _ reason: String) -> String { "\(code) \"\(reason)\"" }
    let texts: [(what: String, of: (Metric) -> String?)] = [
      ("doc", \.doc), ("title", \.title), ("owner", \.owner), ("tags", { $0.tags.joined(separator: ", ") }),
      ("approved", \.approval?.text), ("deprecated", \.deprecated), ("reading", \.readingReason),
      ("allow", { $0.allowed.sorted { $0.key < $1.key }.map(allowance).joined(separator: ", ") }),
    ]
    var details = texts.map { ChangeDetail($0.what, $0.of(one) ?? "", $0.of(other) ?? "") }
      .filter { $0.old != $0.new }
    if let oldText, let newText, details.isEmpty, one.name == other.name, oldText != newText {
      let isLayout =
        oldText.split(whereSeparator: \.isWhitespace) == newText.split(whereSeparator: \.isWhitespace)
      details.append(ChangeDetail(isLayout ? "layout" : "wording"))
    }
    return details
  }

  /// By name, the metrics as they are written.
  private var declarationTexts: [String: String] {
    let texts = sources.enumerated().flatMap { file, source in
      parse(source, file: file).tree.metrics.map { ($0.name.text, source.text($0.span)) }
    }
    return Dictionary(texts) { _, last in last }
  }

  /// The clauses that are not what they were.
  private func clauseDetails(_ oldID: MetricID, _ newID: MetricID, _ old: MetricLibrary) -> [ChangeDetail] {
    func clauses(_ library: Library, _ id: MetricID) -> [PlannedMetric.Clause] {
      let metric = library.metrics[id]
      let condition = metric.subject.condition.map { library.text(of: $0) }
      return [PlannedMetric.Clause]([("for … where", condition)]) + library.clauses(of: metric)
    }
    let (before, after) = (clauses(old.plan, oldID), clauses(plan, newID))
    var details: [ChangeDetail] = []
    for word in (before + after).map(\.word) where !details.contains(where: { $0.what == word }) {
      func text(_ clauses: [PlannedMetric.Clause]) -> String { clauses.first { $0.word == word }?.text ?? "" }
      details.append(ChangeDetail(word, text(before), text(after)))
    }
    return details.filter { $0.old != $0.new }
  }

  /// The smallest dataset found on which a metric is not what it was in an older library.
  package func witness(of name: String, from old: MetricLibrary, named oldName: String) -> ChangeWitness? {
    guard let oldID = old.plan.metric(named: oldName), let newID = plan.metric(named: name) else {
      return nil
    }
    return witness(oldID, newID, old)
  }

  private func witness(_ oldID: MetricID, _ newID: MetricID, _ old: MetricLibrary) -> ChangeWitness? {
    guard let found = DifferenceSearch.witness(old: (old.plan, oldID), new: (plan, newID)) else { return nil }
    var lines: [String] = []
    var newOnly: [String] = []
    for row in found.rows {
      let values = row.ordered(in: old.plan).map { ("\($0.name): \(plan.text(of: $0.value))", $0.isKnown) }
      let isKnown = old.plan.record(named: row.record) != nil
      func given(_ values: [String]) -> String { "given \(row.record) { \(values.joined(separator: ", ")) }" }
      if isKnown { lines.append(given(values.filter(\.1).map(\.0))) }
      if !isKnown || values.contains(where: { !$0.1 }) { newOnly.append(given(values.map(\.0))) }
    }
    let test = plan.test(
      "as it was", lines, old.plan.metrics[oldID].name, subject: found.subject, group: found.group,
      part: found.part, at: found.day, found.old)
    return ChangeWitness(test: test, newOnly: newOnly, old: found.old, new: found.new)
  }
}

extension String {
  /// A definition as it would be written with new names: who reads what is only called otherwise has not changed.
  fileprivate func renamed(_ names: [String: String]) -> String {
    names.isEmpty
      ? self : replacing(/[A-Za-z][A-Za-z0-9_]*/) { names[String($0.output)] ?? String($0.output) }
  }
}
