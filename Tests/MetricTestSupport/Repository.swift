import Foundation

/// Files of the repository that tests read.
package enum Repository {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// The path of something in the repository.
  package static func path(_ name: String) -> String { root.appendingPathComponent(name).path }

  /// The text of a file.
  package static func text(_ name: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  /// All definitions: paths from the root of the repository.
  package static let definitions: [String] = ["Definitions", "Tests"].flatMap { folder in
    let walk = FileManager.default.enumerator(atPath: path(folder))
    return (walk?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".metric") }.sorted()
      .map { "\(folder)/\($0)" }
  }
}
