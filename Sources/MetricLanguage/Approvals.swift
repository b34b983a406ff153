import MetricCheck
import MetricDiagnostics
import MetricPlan
import MetricSearch
import MetricSyntax

/// Who approved what a metric means, and whether it still means that (MET-08).
public struct MetricApproval: Hashable, Sendable {
  public var who: String
  public var day: DayKey
  /// The hash of the meaning that was approved.
  public var meaning: String
  /// Whether the metric means that now.
  public var holds: Bool

  /// `Ana on 2026-06-30`
  package var text: String { "\(who) on \(day)\(holds ? "" : ", void: it means something else now")" }
}

extension MetricLibrary {
  /// The hash of what a metric means: 16 hexadecimal digits, the same for every way to write it (MET-07). Nil where no
  /// metric has the name and a plan.
  public func meaning(of name: String) -> String? {
    var meanings = Meanings(plan)
    return plan.metric(named: name).map { meanings.hash(of: $0) }
  }

  /// The metrics that mean what a hash says.
  package func names(meaning hash: String) -> [String] {
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
    var approvals: [MetricID: MetricApproval] = [:]
    for (id, metric) in plan.metrics.enumerated() {
      guard let approval = metric.approval else { continue }
      approvals[id] = MetricApproval(
        who: approval.who, day: approval.day, meaning: approval.meaning,
        holds: meanings.hash(of: id) == approval.meaning)
    }
    return approvals
  }
}

extension Library {
  /// A finding for each approval that no longer holds; of a family's metrics, which are one declaration, the first.
  var voidedApprovals: [Diagnostic] {
    guard metrics.contains(where: { $0.approval != nil }) else { return [] }
    var meanings = Meanings(self)
    var seen: Set<Span> = []
    return metrics.indices.compactMap { id in
      guard metrics[id].approval != nil, seen.insert(metrics[id].declaration).inserted else { return nil }
      return VoidedApproval.finding(metrics[id], meaning: meanings.hash(of: id))
    }
  }
}

/// An approval as a change to a source.
package struct ApprovalEdit: Sendable {
  /// The index of the source.
  package var file: Int
  package var path: String
  package var line: Int
  /// `approved "Ana" on 2026-06-30 meaning "3f1c27a09be4d856"`
  package var clause: String
  /// The whole source with the clause.
  package var bytes: [UInt8]
}

extension MetricLibrary {
  /// The definitions with approvals of what metrics mean now, a source each; several metrics of a source are in one text.
  ///
  /// A source that was formatted stays so.
  ///
  /// - Parameter names: of metrics that have a plan.
  package func approving(_ names: [String], by who: String, on day: DayKey) -> [ApprovalEdit] {
    var (meanings, texts, edits): (Meanings, [Int: SourceFile], [ApprovalEdit]) = (Meanings(plan), [:], [])
    for name in names {
      guard let id = plan.metric(named: name) else { continue }
      let (metric, file) = (plan.metrics[id], plan.metrics[id].span.file)
      let clause =
        "approved \(plan.text(of: .text(who))) on \(day) meaning \"\(meanings.hash(of: id))\""
      let position = sources[file].position(of: metric.span.start)
      let source = texts[file] ?? sources[file]
      let changed = source.approved(name, clause)
      texts[file] = changed
      edits.append(
        ApprovalEdit(
          file: file, path: source.path, line: position.line, clause: clause, bytes: changed.bytes))
    }
    // The last edit of a source holds all of them.
    for index in edits.indices { edits[index].bytes = texts[edits[index].file]?.bytes ?? edits[index].bytes }
    return edits
  }
}

extension SourceFile {
  /// The source with a clause in a metric, in the place of the one that is there.
  fileprivate func approved(_ name: String, _ clause: String) -> SourceFile {
    let tree = ParsedSource(self, file: 0).tree
    guard let declaration = tree.metrics.first(where: { $0.name.text == name }) else { return self }
    let wasFormatted = isFormatted
    let place: Range<Int>
    var text = clause
    if let written = declaration.clause(.approved)?.span {
      place = written.start..<written.end
    } else {
      // Behind the last clause.
      let end = declaration.span.end - 1
      let start = bytes[..<end].lastIndex { !SourceFile.blanks.contains($0) }.map { $0 + 1 } ?? end
      place = start..<start
      let lineEnd = bytes[start..<end].starts(with: "\r\n".utf8) ? "\r\n" : "\n"
      text = (bytes[start..<end].contains(0x0A) ? lineEnd + "  " : "  ") + clause
    }
    var changed = bytes
    changed.replaceSubrange(place, with: Array(text.utf8))
    let source = SourceFile(path: path, bytes: changed)
    if wasFormatted, case .changed(let text) = formatted(source) { return SourceFile(path: path, text: text) }
    return source
  }

  private static let blanks = Set(" \t\r\n".utf8)

  private var isFormatted: Bool { if case .unchanged = formatted(self) { true } else { false } }
}
