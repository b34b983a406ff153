extension Analysis {
  /// What the name at an offset stands for, and where it is. A name in a declaration that could not be resolved is
  /// taken for the metric, record or subject of that name.
  func targets(in file: Int, at offset: Int) -> (span: Span, targets: [NameTarget])? {
    let found = names.occurrences(in: file, at: offset)
    if let first = found.first { return (first.span, found.map(\.target).once(by: \.self)) }
    guard let (span, name, _) = word(in: file, at: offset) else { return nil }
    // A keyword may happen to be a name as well.
    let isName = trees[file].writtenNames[span.start] != nil
    if metrics[name] != nil, isName { return (span, [.metric(name)]) }
    let record = plan.record(named: name) ?? (isName ? subject(named: name) : nil)
    return record.map { (span, [.record($0)]) }
  }

  func word(in file: Int, at offset: Int) -> (span: Span, text: String, next: Token?)? {
    guard trees.indices.contains(file), let index = trees[file].tokenIndex(at: offset) else { return nil }
    let token = trees[file].tokens[index]
    guard token.kind == .identifier else { return nil }
    return (token.span, trees[file].text(of: token), trees[file].tokens.dropFirst(index + 1).first)
  }

  /// Where the name at an offset is declared; of a built-in record, which has no file, the places that extend it.
  package func definitions(in file: Int, at offset: Int) -> [Span] {
    guard let (_, targets) = targets(in: file, at: offset) else { return [] }
    return targets.flatMap { target -> [Span] in
      let all = names.occurrences(of: target)
      let declared = all.filter { $0.isDeclaration && $0.span.file != builtInFile }.map(\.span)
      guard declared.isEmpty, case .record(let id) = target else { return declared }
      let extending = trees.flatMap(\.records).filter { $0.kind == .extend }
      return extending.map(\.name).filter { $0.text == plan.records[id].name }.map(\.span)
    }
  }

  /// All places of the name at an offset, by file and place.
  package func references(in file: Int, at offset: Int, withDeclaration: Bool) -> [Span] {
    guard let (_, targets) = targets(in: file, at: offset) else { return [] }
    let found = targets.flatMap(names.occurrences(of:)).filter {
      (withDeclaration || !$0.isDeclaration) && $0.span.file != builtInFile
    }
    return found.map(\.span).once(by: \.self).sorted { $0.precedes($1) }
  }
}
