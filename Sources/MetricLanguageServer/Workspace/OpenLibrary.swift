/// One library, kept parsed: a change parses its file, and the next look resolves and checks what it can have changed.
package final class OpenLibrary {
  package let root: LibraryRoot
  /// The files, in the order of their paths' bytes; the index is the one of the spans.
  package private(set) var paths: [String] = []
  package private(set) var sources: [ParsedSource] = []
  /// The last look, and whether nothing has changed since then.
  private var last: Analysis?
  private var isCurrent = false

  init(root: LibraryRoot) { self.root = root }

  /// Takes over files with their bytes, and parses each, since its place in the list is part of its spans.
  func replaceFiles(_ files: [(path: String, bytes: [UInt8])]) {
    let sorted = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    paths = sorted.map(\.path)
    sources = sorted.enumerated().map { index, file in
      ParsedSource(SourceFile(path: file.path, bytes: file.bytes), file: index)
    }
    isCurrent = false
  }

  /// Takes over new bytes of a file; false where it is none of the library.
  func update(_ path: String, _ bytes: [UInt8]) -> Bool {
    guard let index = index(of: path) else { return false }
    guard sources[index].tree.source.bytes != bytes else { return true }
    sources[index] = ParsedSource(
      SourceFile(path: path, bytes: bytes), file: index, previous: sources[index])
    isCurrent = false
    return true
  }

  package func index(of path: String) -> Int? { paths.firstIndex(of: path) }

  package var analysis: Analysis {
    if let last, isCurrent { return last }
    let fresh = Analysis(sources, previous: last)
    (last, isCurrent) = (fresh, true)
    return fresh
  }
}
