import MetricDiagnostics
import MetricPlan
import MetricSyntax

/// A metric as declared, whether or not it could be resolved.
package struct DeclaredMetric: Sendable {
  package var name: String
  package var kind: MetricKind
  /// The subject's name as far as it is known: `habit`, `app`, or empty.
  package var subject: String
  package var audience: Audience
  package var span: Span
  /// Its plan; nil where it has errors or reads a metric that has.
  package var plan: MetricID?
}

/// What names and types come to: the plan of everything that is sound, and the findings.
package struct Resolution: Sendable {
  package var library: Library
  package var diagnostics: [Diagnostic]
  /// All metrics that have a name, in the order of the sources.
  package var declared: [DeclaredMetric]
  /// What each name that could be resolved stands for, in no order; a name may stand for several things
  /// (`by level` over two facts).
  package var uses: [NameUse]
}

/// Resolves names and types of a whole library.
///
/// - Parameters:
///   - trees: the trees of all files, `BuiltIn.source` among them.
///   - builtInFile: the index of the built-in file, whose records are marked so.
package func resolve(_ trees: [SyntaxTree], builtInFile: Int) -> Resolution {
  let resolver = Resolver(builtInFile: builtInFile)
  return resolver.resolve(trees)
}
