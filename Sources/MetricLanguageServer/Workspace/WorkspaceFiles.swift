/// What the server needs of a disk. The command brings it: nothing here opens a file.
package protocol WorkspaceFiles: Sendable {
  /// What a folder holds, hidden names left out, in the order of their bytes; empty if there is no such folder.
  func entries(of folder: String) -> [FolderEntry]

  /// The bytes of a file; nil if it cannot be read.
  func contents(of path: String) -> [UInt8]?
}

package struct FolderEntry: Hashable, Sendable {
  package var name: String
  package var isFolder: Bool
  /// The same for two paths to one file or folder, so that links in a cycle are seen.
  package var identity: String

  package init(name: String, isFolder: Bool, identity: String) {
    self.name = name
    self.isFolder = isFolder
    self.identity = identity
  }
}

/// Parts of paths, which are absolute and separated by `/`.
enum Path {
  /// The folder that holds a file; `/` for one at the top.
  static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "/" }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The folders around a file, the innermost first, up to one of them or to `/`.
  static func folders(around path: String, upTo top: String?) -> [String] {
    var folders = [folder(of: path)]
    while let last = folders.last, last != top, last != "/" { folders.append(folder(of: last)) }
    return folders
  }

  static func join(_ folder: String, _ name: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  static func name(of path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// Whether a path is a folder itself or lies in it.
  static func lies(_ path: String, in folder: String) -> Bool {
    path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
  }
}
