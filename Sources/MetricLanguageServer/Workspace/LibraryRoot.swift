/// Which files form one library in an editor.
///
/// - A folder that holds a file `.metric-library` is a library with everything below it, whatever the
///   workspace. Where that file says `apart`, each definition file below it is a library of its own.
/// - Else the workspace folder that holds the file is one, as `metricc check FOLDER` would read it.
/// - A file outside all workspace folders forms a library with the others of its own folder.
/// - A document that is not a file is a library alone.
package enum LibraryRoot: Hashable, Sendable {
  /// All definition files of a folder and below, but for those of libraries in it.
  case tree(String)
  /// The definition files of a folder itself.
  case folder(String)
  /// One document, by its path or URI.
  case single(String)
}

/// Finds the library of a file and the files of a library.
struct LibraryLayout {
  let files: any WorkspaceFiles
  let folders: [String]

  static let marker = ".metric-library"
  static let suffix = ".metric"

  func root(of path: String) -> LibraryRoot {
    guard path.hasPrefix("/") else { return .single(path) }
    // The innermost workspace folder.
    let top = folders.filter { Path.lies(path, in: $0) }.max { $0.utf8.count < $1.utf8.count }
    var folder = Path.folder(of: path)
    while true {
      switch mark(in: folder) {
      case .together: return .tree(folder)
      case .apart: return .single(path)
      case nil: break
      }
      if folder == top || folder == "/" { break }
      folder = Path.folder(of: folder)
    }
    return top.map(LibraryRoot.tree) ?? .folder(Path.folder(of: path))
  }

  private enum Mark { case together, apart }

  private func mark(in folder: String) -> Mark? {
    guard let contents = files.contents(of: Path.join(folder, Self.marker)) else { return nil }
    let words = String(decoding: contents, as: UTF8.self).split { !$0.isLetter }
    return words.first == "apart" ? .apart : .together
  }

  /// The definition files of a library that are on the disk, in the order of their paths' bytes.
  func members(of root: LibraryRoot) -> [String] {
    var paths: [String] = []
    switch root {
    case .single(let path): paths = [path]
    case .folder(let folder):
      paths = files.entries(of: folder).filter { !$0.isFolder && $0.name.hasSuffix(Self.suffix) }
        .map { Path.join(folder, $0.name) }
    case .tree(let folder):
      var seen: Set<String> = []
      collect(folder, isTop: true, &seen, &paths)
    }
    return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func collect(_ folder: String, isTop: Bool, _ seen: inout Set<String>, _ paths: inout [String]) {
    if !isTop, folders.contains(folder) || mark(in: folder) != nil { return }
    for entry in files.entries(of: folder) {
      let isMember = entry.isFolder || entry.name.hasSuffix(Self.suffix)
      guard isMember, seen.insert(entry.identity).inserted else { continue }
      let path = Path.join(folder, entry.name)
      if entry.isFolder { collect(path, isTop: false, &seen, &paths) } else { paths.append(path) }
    }
  }
}
