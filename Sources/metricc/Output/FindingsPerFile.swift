extension [Diagnostic] {
  /// The same for people: missing doc comments and tests of several metrics as one finding for the file, in place of
  /// its first.
  func perFile(in sources: [SourceFile]) -> [Diagnostic] {
    func key(_ finding: Diagnostic) -> [String]? {
      guard Rules.perFile[finding.code] != nil, case .source(let span) = finding.location else { return nil }
      return [finding.code.id, sources[span.file].path]
    }
    let groups = Dictionary(grouping: self) { key($0) }
    var said: Set<[String]> = []
    return compactMap { finding in
      guard let key = key(finding), let group = groups[key], group.count > 1,
        let message = Rules.perFile[finding.code]
      else { return finding }
      guard said.insert(key).inserted else { return nil }
      var names = group.prefix(3).compactMap { $0.metric.map(quoted) }.joined(separator: ", ")
      if group.count > 3 { names += " and \(Counting.grouped(group.count - 3)) more" }
      return Diagnostic(.warning, finding.code, message(names), at: .path(key[1]))
    }
  }
}
