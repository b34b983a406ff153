/// A place where a name is, and what it stands for there.
package struct NameOccurrence: Hashable, Sendable {
  package var span: Span
  package var target: NameTarget
  package var isDeclaration: Bool
}

/// All names of a library: those that are declared, and those that the resolver followed.
package struct NameIndex {
  private let byFile: [Int: [NameOccurrence]]
  private let byTarget: [NameTarget: [NameOccurrence]]

  init(_ analysis: Analysis) {
    let uses = analysis.library.uses.map {
      NameOccurrence(span: $0.span, target: $0.target, isDeclaration: false)
    }
    let all = (uses + NameIndex.declarations(analysis)).once(by: \.self).sorted { left, right in
      (left.span.file, left.span.start, left.span.end, left.isDeclaration ? 0 : 1)
        < (right.span.file, right.span.start, right.span.end, right.isDeclaration ? 0 : 1)
    }
    byFile = Dictionary(grouping: all, by: \.span.file)
    byTarget = Dictionary(grouping: all, by: \.target)
  }

  /// What is at an offset, or ends there: several where a name is for several things.
  package func occurrences(in file: Int, at offset: Int) -> [NameOccurrence] {
    let touching = (byFile[file] ?? []).filter { $0.span.start <= offset && offset <= $0.span.end }
    let inside = touching.filter { offset < $0.span.end }
    return inside.isEmpty ? touching : inside
  }

  package func occurrences(in file: Int) -> [NameOccurrence] { byFile[file] ?? [] }

  /// All places of a target, by file and place.
  package func occurrences(of target: NameTarget) -> [NameOccurrence] { byTarget[target] ?? [] }

  private static func declarations(_ analysis: Analysis) -> [NameOccurrence] {
    var found: [NameOccurrence] = []
    func declare(_ span: Span, _ target: NameTarget) {
      found.append(NameOccurrence(span: span, target: target, isDeclaration: true))
    }
    for (name, metric) in analysis.metrics { declare(metric.name.span, .metric(name)) }
    for report in analysis.plan.reports { declare(report.span, .report(report.name)) }
    for (id, record) in analysis.plan.records.enumerated() {
      declare(record.span, .record(id))
      for (index, field) in record.fields.enumerated() {
        declare(field.span, .field(FieldReference(record: id, field: index)))
      }
    }
    for metric in analysis.plan.metrics {
      for part in metric.parts where !part.name.isEmpty {
        guard let span = analysis.metrics[metric.name]?.span(of: part.role) else { continue }
        declare(span, .part(metric: metric.name, name: part.name))
      }
    }
    return found
  }
}

extension MetricDeclaration {
  /// Where a part comes from: a step's name, or the word of the clause that makes it.
  func span(of role: PartRole) -> Span? {
    switch role {
    case .value: nil
    case .target, .fraction: clause(.target)?.keyword
    case .left: clause(.forgive)?.keyword
    case .firstReached: clause(.at)?.keyword
    case .step(let name): step(named: name)?.span
    case .stepDays: clause(.days)?.keyword
    case .anySteps: clause(.order)?.keyword
    case .eligible, .returned, .rate, .worth, .mean: clause(.after)?.keyword
    }
  }

  func step(named part: String) -> Name? {
    for case .step(let name, _) in clauses.map(\.content) where name.text == part { return name }
    return nil
  }
}
