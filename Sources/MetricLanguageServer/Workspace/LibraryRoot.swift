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
    for folder in Path.folders(around: path, upTo: top) {
      if let isApart = isApart(folder) { return isApart ? .single(path) : .tree(folder) }
    }
    return top.map(LibraryRoot.tree) ?? .folder(Path.folder(of: path))
  }

  /// Whether each file of a marked folder is a library; nil for a folder without a mark.
  private func isApart(_ folder: String) -> Bool? {
    files.contents(of: Path.join(folder, Self.marker)).map { contents in
      String(decoding: contents, as: UTF8.self).split { !$0.isLetter }.first == "apart"
    }
  }

  /// The definition files of a library that are on the disk.
  func members(of root: LibraryRoot) -> [String] {
    switch root {
    case .single(let path): return [path]
    case .folder(let folder):
      return files.entries(of: folder).filter { !$0.isFolder && $0.name.hasSuffix(Self.suffix) }
        .map { Path.join(folder, $0.name) }
    case .tree(let folder):
      var seen: Set<String> = []
      return members(of: folder, &seen)
    }
  }

  private func members(of folder: String, _ seen: inout Set<String>) -> [String] {
    files.entries(of: folder).flatMap { entry -> [String] in
      let isMember = entry.isFolder || entry.name.hasSuffix(Self.suffix)
      guard isMember, seen.insert(entry.identity).inserted else { return [] }
      let path = Path.join(folder, entry.name)
      guard entry.isFolder else { return [path] }
      return folders.contains(path) || isApart(path) != nil ? [] : members(of: path, &seen)
    }
  }
}
