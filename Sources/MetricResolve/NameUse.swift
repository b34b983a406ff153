import MetricDiagnostics
import MetricPlan
import MetricSyntax

/// What a name stands for.
package enum NameTarget: Hashable, Sendable {
  /// A metric by its name: it may have no plan.
  case metric(String)
  /// A record; its name, or the subject that an entity is.
  case record(RecordID)
  /// A field; also where a path names it without the final `Id`.
  case field(FieldReference)
  /// A part of a metric: a funnel's step, `fraction`, `d30.rate`.
  case part(metric: String, name: String)
}

/// A place where a name is used, and what it stands for there. Declarations are no uses.
package struct NameUse: Hashable, Sendable {
  package var span: Span
  package var target: NameTarget

  package init(_ span: Span, _ target: NameTarget) {
    self.span = span
    self.target = target
  }
}

extension Resolver {
  /// Notes what a name stands for, for tools that follow names.
  func note(_ name: Name, _ target: NameTarget) {
    guard !name.isMissing else { return }
    uses.append(NameUse(name.span, target))
  }

  /// Notes the names behind a metric's name as one of its parts.
  func notePart(_ part: Part, of metric: Metric, _ names: ArraySlice<Name>) {
    guard let first = names.first, let last = names.last, !part.name.isEmpty else { return }
    uses.append(NameUse(first.span.union(last.span), .part(metric: metric.name, name: part.name)))
  }
}

/// The names of types that are no records.
package enum TypeNames {
  package static let all = Resolver.types.map(\.key)
}
