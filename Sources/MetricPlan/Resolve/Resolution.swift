import MetricSyntax

/// A metric as declared, whether or not it could be resolved.
package struct DeclaredMetric: Sendable {
  package var name: String
  package var kind: MetricKind
  /// The subject's name as far as it is known: `habit`, `app`, or empty.
  package var subject: String
  package var audience: Audience
  package var span: Span
  /// Its plan; nil if it has errors or reads a metric that has.
  package var plan: MetricID?
}

/// The result of resolving names and types: the plan of everything that is sound, and the findings.
package struct Resolution: Sendable {
  package var library: Library
  package var diagnostics: [Diagnostic]
  /// All metrics that have a name, in the order of the sources.
  package var declared: [DeclaredMetric]
  /// What each name that could be resolved stands for, in no order; a name may stand for several things
  /// (`by level` over two facts).
  package var uses: [NameUse]
  /// For each metric of the plan, the metrics that it reads itself.
  package var reads: [[MetricID]]
  /// The metrics that are what they were in an earlier resolution, with all that they read.
  package var unchanged: Set<MetricID>
  /// Whether all records mean what they meant in that resolution.
  package var hasKnownRecords: Bool
  /// `Library.ofSeveralUsers`.
  package var ofSeveralUsers: Set<MetricID>
  /// The metrics in whose place slices stand.
  package var unsliced: [MetricID]
  /// For the next resolution, where one was requested.
  package var memory: ResolutionMemory?
}

/// Resolves names and types of a whole library.
///
/// - Parameters:
///   - trees: the trees of all files, `BuiltIn.source` among them.
///   - slices: definitions in place of those of the same name, which other metrics and tests go on to read.
///   - builtInFile: the index of the built-in file, whose records are marked so.
///   - remembers: whether a memory is made for the next resolution.
///   - previous: the memory of an earlier resolution.
package func resolve(
  _ trees: [SyntaxTree], slices: [MetricDeclaration] = [], builtInFile: Int, remembers: Bool = false,
  previous: ResolutionMemory? = nil
) -> Resolution {
  Resolver(
    trees, slices: slices, builtInFile: builtInFile, remembers: remembers, previous: previous
  ).resolve()
}

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
  /// A report by its name.
  case report(String)

  /// The record that it is, or that has it.
  var recordID: RecordID? {
    switch self {
    case .record(let id): id
    case .field(let field): field.record
    case .metric, .part, .report: nil
    }
  }
}

/// A place where a name is used, and what it stands for there. Declarations are not uses.
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
}

/// The names of types that are not records.
package enum TypeNames {
  package static let all = Resolver.types.map(\.key)
}
