/// A declaration as an outline shows it.
package struct SymbolNode: Hashable, Sendable {
  /// With the numbers of LSP's `SymbolKind`.
  package enum Kind: Int, Sendable {
    case extend = 3
    case entity = 5
    case test = 6
    case field = 8
    case link = 11
    case metric = 12
    case step = 22
    case fact = 24
    case report = 18
  }

  package var name: String
  /// What is said beside the name: `streak`, `: Decimal? min 0`.
  package var detail: String
  package var kind: Kind
  /// All of the declaration, and the part of it that names it.
  package var span: Span
  package var nameSpan: Span
  package var isDeprecated = false
  package var children: [SymbolNode] = []

  /// The declaration, then what is in it with the name of the declaration.
  var withChildren: [(symbol: SymbolNode, container: String?)] { [(self, nil)] + children.map { ($0, name) } }
}

extension SyntaxTree {
  /// The outline of a file. Declarations without a name are left out.
  package var symbols: [SymbolNode] { declarations.compactMap { symbol(of: $0) } }

  private func symbol(of declaration: Declaration) -> SymbolNode? {
    switch declaration {
    case .metric(let metric):
      let steps = metric.clauses.compactMap { clause -> SymbolNode? in
        guard case .step(let name, let fact) = clause.content else { return nil }
        return SymbolNode(name, source.text(fact.span), .step, clause.span)
      }
      return SymbolNode(
        metric.name, metric.kind.rawValue, .metric, metric.span,
        isDeprecated: metric.clause(.deprecated) != nil, children: steps)
    case .record(let record):
      let kind: SymbolNode.Kind =
        switch record.kind {
        case .fact: .fact
        case .entity: .entity
        case .link: .link
        case .extend: .extend
        }
      let fields = record.members.compactMap { member -> SymbolNode? in
        guard case .field(let field) = member else { return nil }
        let rest = source.text(field.name.span.end, field.span.end).split { $0.isWhitespace }
        return SymbolNode(field.name, rest.joined(separator: " "), .field, field.span)
      }
      return SymbolNode(record.name, record.kind.rawValue, kind, record.span, children: fields)
    case .test(let test):
      return SymbolNode(
        name: test.name.value.isEmpty ? "test" : test.name.value, detail: "test", kind: .test,
        span: test.span, nameSpan: test.name.span)
    case .report(let report): return SymbolNode(report.name, "report", .report, report.span)
    case .language, .unexpected: return nil
    }
  }
}

extension SymbolNode {
  fileprivate init?(
    _ name: Name, _ detail: String, _ kind: Kind, _ span: Span, isDeprecated: Bool = false,
    children: [SymbolNode] = []
  ) {
    guard !name.isMissing else { return nil }
    self.init(
      name: name.text, detail: detail, kind: kind, span: span, nameSpan: name.span,
      isDeprecated: isDeprecated, children: children)
  }

  /// Whether the name contains the letters of a query in their order, whatever their case. A test has a sentence for a
  /// name, and has to hold the query as it is.
  package func matches(_ query: String) -> Bool {
    let (query, name) = (query.lowercased(), name.lowercased())
    if kind == .test { return query.isEmpty || name.contains(query) }
    var wanted = query.unicodeScalars.filter { $0 != " " }[...]
    for scalar in name.unicodeScalars where scalar == wanted.first { wanted = wanted.dropFirst() }
    return wanted.isEmpty
  }
}
