import Foundation
import Testing

/// The commands in the READMEs print what stands below them.
@Suite(.serialized)
struct ReadmeTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let files =
    ["FamilyRewards", "Habits", "KnowledgeApp", "ReadingLessons", "StoryReading"].map {
      "Definitions/\($0)/README.md"
    }

  @Test(arguments: files)
  func commandsPrintWhatIsShown(_ path: String) throws {
    let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    let examples = Self.examples(in: text)
    #expect(!examples.isEmpty)
    for (arguments, shown) in examples {
      let run = try runMetricc(arguments, in: Self.root.path)
      #expect(run.exit == 0)
      #expect(run.err == "")
      #expect(run.out == shown, "\(path): metricc \(arguments.joined(separator: " "))")
    }
  }

  /// Each block of shell with one `swift run … metricc eval`, and the block that follows it.
  static func examples(in text: String) -> [(arguments: [String], output: String)] {
    // Every other piece is a block; its first line names its language.
    let pieces = text.components(separatedBy: "```")
    var examples: [(arguments: [String], output: String)] = []
    for place in stride(from: 1, to: pieces.count - 2, by: 2) {
      guard pieces[place].hasPrefix("sh\nswift run "),
        pieces[place + 1].allSatisfy(\.isWhitespace)
      else { continue }
      let words = pieces[place].replacingOccurrences(of: "\\\n", with: " ").split { $0 == " " || $0 == "\n" }
      guard let command = words.firstIndex(of: "metricc") else { continue }
      let output = pieces[place + 2]
      let body = output.firstIndex(of: "\n").map { output[output.index(after: $0)...] } ?? ""
      examples.append((words[(command + 1)...].map(String.init), String(body)))
    }
    return examples
  }
}
