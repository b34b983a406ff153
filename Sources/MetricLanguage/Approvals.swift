import MetricEvaluate
import MetricSyntax

/// Who approved the meaning of a metric, and whether it is still the same (MET-08).
public struct MetricApproval: Hashable, Sendable {
  public var who: String
  public var day: DayKey
  /// The hash of the meaning that was approved.
  public var meaning: String
  /// Whether the metric still means that.
  public var holds: Bool
  /// Whether the hash is of another version of the normal form, so that it says nothing about the metric of today.
  package var isOfOtherForm: Bool

  /// `Ana on 2026-06-30`
  package var text: String {
    let void = isOfOtherForm ? "approved under another form of meanings" : "it means something else now"
    return "\(who) on \(day)\(holds ? "" : ", void: \(void)")"
  }

  init(_ approval: Approval, meaning: MeaningHash) {
    (who, day, self.meaning) = (approval.who, approval.day, approval.meaning)
    holds = approval.hash == meaning
    isOfOtherForm = approval.hash.form != meaning.form
  }
}

extension MetricLibrary {
  /// The hash of what a metric means: 16 hexadecimal digits, the same for every way to write it (MET-07). Nil if no
  /// metric has the name and a plan.
  public func meaning(of name: String) -> String? {
    var meanings = Meanings(plan)
    return plan.metric(named: name).map { meanings.hash(of: $0).digits }
  }

  /// The metrics that mean what a hash says.
  package func names(meaning hash: MeaningHash) -> [String] {
    var meanings = Meanings(plan)
    return plan.metrics.indices.filter { meanings.hash(of: $0) == hash }.map { plan.metrics[$0].name }
  }

  /// What a metric's `approved` clause says.
  package func approval(of name: String) -> Approval? {
    plan.metric(named: name).flatMap { plan.metrics[$0].approval }
  }

  /// The approvals of metrics that have one.
  var approvals: [MetricID: MetricApproval] {
    var meanings = Meanings(plan)
    return Dictionary(
      uniqueKeysWithValues: plan.approvedMeanings(&meanings).map {
        ($0.id, MetricApproval($0.approval, meaning: $0.meaning))
      })
  }

  /// The definitions with approvals of what metrics mean now. A source that was formatted stays so.
  ///
  /// - Parameter names: of metrics that have a plan.
  package func approving(_ names: [String], by who: String, on day: DayKey) -> ApprovalEdits {
    var (meanings, edits) = (Meanings(plan), ApprovalEdits())
    var written: [Int: [String: String]] = [:]
    for name in names {
      guard let id = plan.metric(named: name) else { continue }
      let span = plan.metrics[id].span
      let source = sources[span.file]
      let clause = "approved \(plan.text(of: .text(who))) on \(day) meaning \"\(meanings.hash(of: id).text)\""
      edits.clauses.append((source.path, source.position(of: span.start).line, name, clause))
      written[span.file, default: [:]][name] = clause
    }
    for (file, clauses) in written { edits.sources[file] = sources[file].approved(clauses) }
    return edits
  }
}

extension Library {
  /// The metrics with an approval, each with the hash of what it means now.
  fileprivate func approvedMeanings(
    _ meanings: inout Meanings
  ) -> [(id: MetricID, approval: Approval, meaning: MeaningHash)] {
    metrics.enumerated().compactMap { id, metric in metric.approval.map { (id, $0, meanings.hash(of: id)) } }
  }

  /// A finding for each approval that no longer holds; of a family's metrics, which are one declaration, the first.
  func voidedApprovals(_ meanings: inout Meanings) -> [Diagnostic] {
    var seen: Set<Span> = []
    return approvedMeanings(&meanings).compactMap { id, _, meaning in
      seen.insert(metrics[id].declaration).inserted
        ? VoidedApproval.finding(metrics[id], meaning: meaning) : nil
    }
  }
}

/// Approvals of some metrics, and the sources that they change.
package struct ApprovalEdits: Sendable {
  /// For each metric its place and `approved "Ana" on 2026-06-30 meaning "1:3f1c27a09be4d856"`.
  package var clauses: [(path: String, line: Int, metric: String, text: String)] = []
  /// By index.
  package var sources: [Int: SourceFile] = [:]
}

extension SourceFile {
  /// The source with a clause in each of some metrics, instead of an earlier one.
  fileprivate func approved(_ clauses: [String: String]) -> SourceFile {
    var changed = bytes
    var before = bytes.count
    // From the last one on, so that places stay. The metrics of a family are one declaration.
    for declaration in ParsedSource(self, file: 0).tree.metrics.reversed()
    where declaration.span.start < before {
      guard let clause = clauses[declaration.name.text] else { continue }
      before = declaration.span.start
      if let written = declaration.clause(.approved)?.span {
        changed.replaceSubrange(written.start..<written.end, with: clause.utf8)
      } else {
        // After the last clause.
        let end = declaration.span.end - 1
        let start = bytes[..<end].lastIndex { !" \t\r\n".utf8.contains($0) }.map { $0 + 1 } ?? end
        let lineEnd = bytes[start..<end].starts(with: "\r\n".utf8) ? "\r\n" : "\n"
        let gap = bytes[start..<end].contains(0x0A) ? lineEnd + "  " : "  "
        changed.insert(contentsOf: (gap + clause).utf8, at: start)
      }
    }
    let source = SourceFile(path: path, bytes: changed)
    return if case .unchanged = formatted(self) { source.tidied } else { source }
  }
}
