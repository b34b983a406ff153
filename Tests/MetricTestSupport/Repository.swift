import Foundation

/// Files of the repository that tests read.
package enum Repository {
  package static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The path of something in the repository.
  package static func path(_ name: String) -> String { root.appendingPathComponent(name).path }

  /// The text of a file.
  package static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  package static func lines(_ name: String) throws -> [Substring] {
    try text(name).split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Files with this ending: paths from the root, sorted. Hidden folders are passed over.
  package static func files(_ ending: String, under folder: String = "") -> [String] {
    let walk = FileManager.default.enumerator(atPath: folder.isEmpty ? root.path : path(folder))
    var files: [String] = []
    while let name = walk?.nextObject() as? String {
      if name.hasPrefix(".") || name.contains("/.") {
        walk?.skipDescendants()
      } else if name.hasSuffix(ending) {
        files.append(folder.isEmpty ? name : "\(folder)/\(name)")
      }
    }
    return files.sorted()
  }

  /// All definitions that can be parsed: paths from the root of the repository.
  package static let definitions: [String] = ["Definitions", "Tests"].flatMap { files(".metric", under: $0) }
    .filter { path in (try? text(path))?.contains("// error: S") == false }
}
