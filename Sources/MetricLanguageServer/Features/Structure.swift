/// A declaration that reads metrics, or is read: an end of a call hierarchy.
package struct CallEnd: Hashable, Sendable {
  /// The metric's or the test's name.
  package var name: String
  package var isTest: Bool
  package var span: Span
  package var nameSpan: Span
  /// Where the reader names the metric.
  package var places: [Span]
}

/// Text that leads somewhere.
package struct DocumentLink: Hashable, Sendable {
  package enum Target: Hashable, Sendable {
    case url(String)
    case declaration(Span)
  }

  package var span: Span
  package var target: Target
}

/// How the function around the cursor is called.
package struct SignatureHelp: Hashable, Sendable {
  /// `first(F …)`, `first(F.x …)`
  package var calls: [String]
  package var meaning: String
  /// The argument that the cursor is in, from 0.
  package var argument: Int
}

extension Analysis {
  /// What a selection grows to at an offset, the largest first: file, declaration, clause, expressions, token.
  package func selections(in file: Int, at offset: Int) -> [Span] {
    let tree = trees[file]
    let place = Span(file: file, at: offset)
    var spans = [Span(file: file, start: 0, end: tree.source.bytes.count)]
    if let declaration = declaration(in: file, at: offset) {
      spans.append(declaration.span)
      for member in declaration.members where member.span.covers(place) {
        spans.append(member.span)
        spans += member.expressions.flatMap { $0.path(to: place) }.map(\.span)
      }
    }
    if let index = tree.tokenIndex(at: offset) { spans.append(tree.tokens[index].span) }
    return spans.reduce(into: []) { kept, span in
      if let last = kept.last, !last.covers(span) || last == span { return }
      kept.append(span)
    }
  }

  package func callEnd(in file: Int, at offset: Int) -> CallEnd? {
    guard let (_, targets) = targets(in: file, at: offset) else { return nil }
    return targets.lazy.compactMap(\.metric).first.flatMap { callEnd(of: $0) }
  }

  private func callEnd(of metric: String, places: [Span] = []) -> CallEnd? {
    metrics[metric].flatMap { callEnd(.metric($0), places) }
  }

  private func callEnd(_ declaration: Declaration, _ places: [Span]) -> CallEnd? {
    switch declaration {
    case .metric(let metric):
      CallEnd(
        name: metric.name.text, isTest: false, span: metric.span, nameSpan: metric.name.span, places: places)
    case .test(let test):
      CallEnd(
        name: test.name.value, isTest: true, span: test.span, nameSpan: test.name.span, places: places)
    case .report, .record, .language, .unexpected: nil
    }
  }

  /// The metrics and tests that name a metric.
  package func readers(of metric: String) -> [CallEnd] {
    let parts = plan.metric(named: metric).map { plan.metrics[$0].parts.map(\.name) } ?? []
    let targets = [NameTarget.metric(metric)] + parts.map { .part(metric: metric, name: $0) }
    let all = targets.flatMap(names.occurrences(of:)).filter { !$0.isDeclaration }
    let byFile = Dictionary(grouping: all.map(\.span).once(by: \.self), by: \.file)
    return trees.flatMap(\.declarations).compactMap { declaration in
      let places = (byFile[declaration.span.file] ?? []).filter(declaration.span.covers)
      let end = places.isEmpty ? nil : callEnd(declaration, places)
      return end?.isTest == false && end?.name == metric ? nil : end
    }
  }

  package func read(by metric: String) -> [CallEnd] {
    guard let span = metrics[metric]?.span else { return [] }
    let inside = names.occurrences(in: span.file).filter { span.covers($0.span) && !$0.isDeclaration }
    let read = Dictionary(grouping: inside) { $0.target.metric ?? metric }
    return read.filter { $0.key != metric }.sorted { $0.key < $1.key }
      .compactMap { callEnd(of: $0.key, places: $0.value.map(\.span)) }
  }

  /// Addresses in comments, and names of metrics and records between backticks in them.
  package func documentLinks(in file: Int) -> [DocumentLink] {
    trees[file].comments.flatMap { comment -> [DocumentLink] in
      let links = text(comment.span).matches(of: /https?:\/\/[^\s)>\]`"]+|`([A-Za-z][A-Za-z0-9_]*)`/)
      return links.compactMap { link in
        let span = comment.span.part(link.output.1 ?? link.output.0)
        guard let name = link.output.1.map(String.init) else {
          return DocumentLink(span: span, target: .url(String(link.output.0)))
        }
        let declared = metrics[name]?.name.span ?? plan.record(named: name).map { plan.records[$0].span }
        guard let declared, declared.file != builtInFile else { return nil }
        return DocumentLink(span: span, target: .declaration(declared))
      }
    }
  }

  /// How the innermost function around an offset is called.
  package func signatureHelp(in file: Int, at offset: Int) -> SignatureHelp? {
    guard trees.indices.contains(file), let context = CursorContext(trees[file], file: file, offset: offset),
      let call = context.awaited.items.last.flatMap({ Completer.call(in: $0.frames) }),
      let (calls, meaning) = WordHelp.signatures(of: call.function)
    else { return nil }
    return SignatureHelp(calls: calls, meaning: meaning, argument: call.argument)
  }
}

extension NameTarget {
  /// The metric that a name or its part stands for.
  var metric: String? {
    switch self {
    case .metric(let name), .part(let name, _): name
    case .record, .field, .report: nil
    }
  }
}
