/// What the files of a run look like from outside: size and time of their last change.
///
/// Nothing here fails: what cannot be examined is not there.
struct WatchedFiles: Equatable {
  private struct Mark: Equatable {
    var size: Int
    var modified: Int64
    var identity: FileStatus.Identity
  }

  /// By path.
  private var marks: [String: Mark] = [:]

  /// - Parameter data: folders whose data files count, and `Record=path`.
  init(definitions: [String], data: [String]) {
    for path in definitions { add(path, depth: 0) { $0.hasSuffix(SourceDiscovery.suffix) } }
    for argument in data {
      let isFolder = FileStatus(path: argument)?.kind == .directory
      let path = isFolder ? argument : argument.split(separator: "=", maxSplits: 1).last.map(String.init)
      // Only the files of a folder itself are data; what lies deeper is not.
      if let path { add(path, depth: WatchedFiles.mostFolders) { _ in true } }
    }
  }

  /// Folders in folders; more are a link that leads in a cycle.
  private static let mostFolders = 32

  private mutating func add(_ path: String, depth: Int, _ counts: (String) -> Bool) {
    guard let status = FileStatus(path: path) else { return }
    switch status.kind {
    case .other: return
    case .file: marks[path] = Mark(size: status.size, modified: status.modified, identity: status.identity)
    case .directory:
      for name in (try? Folder.names(in: path)) ?? [] {
        let inner = Folder.join(path, name)
        let isFolder = FileStatus(path: inner)?.kind == .directory
        if isFolder ? depth < WatchedFiles.mostFolders : counts(name) { add(inner, depth: depth + 1, counts) }
      }
    }
  }

  /// The files once two looks agree, or after twenty: whoever changes a file may not have finished.
  ///
  /// - Parameter lookAgain: waits a little and looks.
  func settled(_ lookAgain: () -> WatchedFiles) -> WatchedFiles {
    var last = self
    for _ in 0..<20 {
      let next = lookAgain()
      if next == last { break }
      last = next
    }
    return last
  }

  /// `habits.metric changed`, a line per file, in the order of their paths.
  func changes(since old: WatchedFiles) -> [String] {
    let paths = Set(marks.keys).union(old.marks.keys).sorted(by: Folder.bytesPrecede)
    return paths.compactMap { path in
      let name = printable(path)
      return switch (old.marks[path], marks[path]) {
      case (nil, _?): "\(name) is new"
      case (_?, nil): "\(name) is gone"
      case (let before, let after): before == after ? nil : "\(name) changed"
      }
    }
  }
}
