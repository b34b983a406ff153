import MetricDiagnostics
import MetricFormat
import MetricSyntax

/// A mend that was applied.
public struct Mend: Hashable, Sendable {
  /// Where the mended text stood, in the file as it was at that moment.
  public var position: Position
  /// The finding that is gone with it.
  public var code: DiagnosticCode
  /// ``write `==` ``
  public var title: String
}

/// A file whose certain mistakes are mended.
public struct MendedSource: Sendable {
  /// The index among the sources given.
  public var file: Int
  public var bytes: [UInt8]
  public var mends: [Mend]
}

/// Applies the fixes of all findings, and nothing else, until there are none left.
///
/// Fixes are applied in the order of their places; one that overlaps the one before waits for the next
/// round, of which there are at most ten. A file that can be parsed in the end is formatted. A round
/// after which fewer declarations of a file could be parsed than before is not made.
///
/// - Returns: the files that were mended, in the order of the sources.
public func mended(_ sources: [SourceFile]) -> [MendedSource] {
  var current = sources
  var mends: [Int: [Mend]] = [:]
  var settled: Set<Int> = []
  for _ in 0..<10 {
    let library = MetricLibrary(sources: current)
    var fixes: [Int: [(Fix, DiagnosticCode)]] = [:]
    for finding in library.findings {
      for fix in finding.fixes {
        let file = fix.span.file
        guard sources.indices.contains(file), !settled.contains(file) else { continue }
        fixes[file, default: []].append((fix, finding.code))
      }
    }
    if fixes.isEmpty { break }
    for (file, fixes) in fixes {
      let (bytes, applied) = apply(fixes, to: current[file])
      let next = SourceFile(path: current[file].path, bytes: bytes)
      guard soundDeclarations(in: next) >= soundDeclarations(in: current[file]) else {
        settled.insert(file)
        continue
      }
      current[file] = next
      mends[file, default: []] += applied
    }
  }
  return mends.sorted { $0.key < $1.key }.map { file, mends in
    MendedSource(file: file, bytes: tidy(current[file]), mends: mends)
  }
}

/// The bytes after fixes that do not overlap, and what was done.
private func apply(
  _ fixes: [(Fix, DiagnosticCode)], to source: SourceFile
) -> (bytes: [UInt8], mends: [Mend]) {
  var bytes: [UInt8] = []
  var mends: [Mend] = []
  var end = -1
  for (fix, code) in fixes.sorted(by: { $0.0.span.start < $1.0.span.start }) where fix.span.start > end {
    bytes += source.bytes[max(end, 0)..<fix.span.start] + Array(fix.replacement.utf8)
    mends.append(Mend(position: source.position(of: fix.span.start), code: code, title: fix.title))
    end = fix.span.end
  }
  bytes += source.bytes[max(end, 0)...]
  return (bytes, mends)
}

/// How many declarations of a file have no syntax error in them.
private func soundDeclarations(in source: SourceFile) -> Int {
  let (tree, findings) = parse(source, file: 0)
  let errors = findings.compactMap { finding -> Span? in
    guard finding.severity == .error, case .source(let span) = finding.location else { return nil }
    return span
  }
  return tree.declarations.count { declaration in
    if case .unexpected = declaration { return false }
    guard let first = declaration.tokens.first, let last = declaration.tokens.last else { return false }
    let (start, end) = (tree.tokens[first].span.start, tree.tokens[last].span.end)
    return !errors.contains { $0.end >= start && $0.start <= end }
  }
}

/// The canonical layout of a file, where it can be parsed.
private func tidy(_ source: SourceFile) -> [UInt8] {
  if case .changed(let text) = formatted(source) { return Array(text.utf8) }
  return source.bytes
}
