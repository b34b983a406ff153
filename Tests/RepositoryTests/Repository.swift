import Foundation

/// The files of the repository, as the tests in this folder look at them.
enum Repository {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Paths under a folder with this ending, sorted; hidden folders are passed over.
  static func files(_ ending: String, under folder: String = "") -> [String] {
    let base = folder.isEmpty ? root : root.appending(path: folder)
    let names = FileManager.default.enumerator(atPath: base.path)
    var files: [String] = []
    while let name = names?.nextObject() as? String {
      if name.hasPrefix(".") || name.contains("/.") {
        names?.skipDescendants()
      } else if name.hasSuffix(ending) {
        files.append(folder.isEmpty ? name : "\(folder)/\(name)")
      }
    }
    return files.sorted()
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  static func lines(_ path: String) throws -> [Substring] {
    try text(path).split(separator: "\n", omittingEmptySubsequences: false)
  }
}
