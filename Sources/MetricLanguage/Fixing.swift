import MetricDiagnostics

/// A fix that was applied.
public struct AppliedFix: Hashable, Sendable {
  /// Where the replaced text stood, in the file as it was at that moment.
  public var position: Position
  /// The finding that is gone with it.
  public var code: DiagnosticCode
  /// What it did: "write" and the new text.
  public var title: String
}

/// A file whose safe fixes are applied.
public struct FixedSource: Sendable {
  /// The index among the sources given.
  public var file: Int
  public var bytes: [UInt8]
  public var fixes: [AppliedFix]
}

/// Applies the safe fixes of all findings until there are none left, then formats the files that parse.
///
/// - Returns: the files that changed, in the order of the sources.
public func fixed(_ sources: [SourceFile]) -> [FixedSource] {
  var parsed = sources.enumerated().map { ParsedSource($1, file: $0) }
  var library = MetricLibrary(parsed: parsed, searchesCounterexamples: false)
  var applied: [Int: [AppliedFix]] = [:]
  // Each round leaves fewer findings, so they end.
  while let round = library.safeRound(of: parsed) {
    for (fix, code) in round.fixes {
      let position = parsed[fix.span.file].tree.source.position(of: fix.span.start)
      applied[fix.span.file, default: []].append(
        AppliedFix(position: position, code: code, title: fix.title))
    }
    (library, parsed) = (round.library, round.parsed)
  }
  return applied.sorted { $0.key < $1.key }.map { file, fixes in
    FixedSource(file: file, bytes: parsed[file].tree.source.tidied.bytes, fixes: fixes)
  }
}

extension MetricLibrary {
  /// How many fixes are tried, each by checking the library. Further ones are offered when these are applied.
  private static let mostTried = 100

  /// The findings with safe fixes alone: with one of these, the library has fewer findings and no new one.
  package func withSafeFixes(_ findings: [Diagnostic], of parsed: [ParsedSource]) -> [Diagnostic] {
    var tries = Self.mostTried
    return findings.map { finding in
      var finding = finding
      finding.fixes.removeAll { fix in
        tries -= 1
        return tries < 0 || applying([fix], to: parsed) == nil
      }
      return finding
    }
  }

  /// All fixes that overlap none before them, if they are safe together; else the first one that is.
  ///
  /// - Parameter file: the file to fix; all files if nil.
  package func safeRound(
    of parsed: [ParsedSource], in file: Int? = nil
  ) -> (fixes: [(fix: Fix, code: DiagnosticCode)], library: MetricLibrary, parsed: [ParsedSource])? {
    let offered = offeredFixes.filter { file == nil || $0.fix.span.file == file }
    var ends: [Int: Int] = [:]
    let apart = offered.filter { fix, _ in
      guard fix.span.start > ends[fix.span.file] ?? -1 else { return false }
      ends[fix.span.file] = fix.span.end
      return true
    }
    let choices = (apart.count > 1 ? [apart] : []) + offered.prefix(Self.mostTried).map { [$0] }
    for fixes in choices {
      if let (library, parsed) = applying(fixes.map(\.fix), to: parsed) { return (fixes, library, parsed) }
    }
    return nil
  }

  /// All fixes of sources, in the order of their places.
  package var offeredFixes: [(fix: Fix, code: DiagnosticCode)] {
    allFindings.flatMap { finding in finding.fixes.map { ($0, finding.code) } }
      .sorted { ($0.0.span.file, $0.0.span.start) < ($1.0.span.file, $1.0.span.start) }
  }

  /// The library and its sources with some fixes that do not overlap; nil if these are not safe.
  private func applying(
    _ fixes: [Fix], to parsed: [ParsedSource]
  ) -> (library: MetricLibrary, parsed: [ParsedSource])? {
    guard fixes.allSatisfy({ parsed.indices.contains($0.span.file) }) else { return nil }
    let next = parsed.replacing(fixes.map { ($0.span, $0.replacement) })
    let library = MetricLibrary(parsed: next, searchesCounterexamples: false, previous: self)
    return library.hasFewerFindings(than: self) ? (library, next) : nil
  }

  /// Whether each of its findings is one of the other's, and some of those are gone. Places may have moved.
  private func hasFewerFindings(than other: MetricLibrary) -> Bool {
    var counts: [[String]: Int] = [:]
    func key(_ finding: Diagnostic) -> [String] { [finding.code.id, finding.metric ?? "", finding.message] }
    for finding in other.allFindings { counts[key(finding), default: 0] += 1 }
    return allFindings.count < other.allFindings.count
      && allFindings.allSatisfy { finding in
        counts[key(finding), default: 0] -= 1
        return counts[key(finding), default: 0] >= 0
      }
  }
}

extension [ParsedSource] {
  /// With other text in some places that do not overlap; other files are left out.
  package func replacing(_ edits: [(span: Span, text: String)]) -> [ParsedSource] {
    var next = self
    for (file, edits) in Dictionary(grouping: edits, by: \.span.file) where indices.contains(file) {
      let source = self[file].tree.source
      var bytes: [UInt8] = []
      var end = 0
      for (span, text) in edits.sorted(by: { $0.span.start < $1.span.start }) {
        bytes += source.bytes[end..<span.start]
        bytes += text.utf8
        end = span.end
      }
      bytes += source.bytes[end...]
      next[file] = ParsedSource(SourceFile(path: source.path, bytes: bytes), file: file)
    }
    return next
  }
}
