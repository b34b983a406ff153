import Foundation
import MetricTestSupport
import Testing

/// The commands in the READMEs of `Definitions` print what stands below them; `METRICC_UPDATE=1` writes it anew.
@Suite(.serialized)
struct ReadmeTests {
  static let files =
    ["FamilyRewards", "Habits", "KnowledgeApp", "ReadingLessons", "StoryReading"].map {
      "Definitions/\($0)/README.md"
    }

  @Test(arguments: files)
  func commandsPrintWhatIsShown(_ path: String) throws {
    var text = try Repository.text(path)
    let examples = Self.examples(in: text)
    #expect(!examples.isEmpty)
    for (arguments, shown) in examples {
      let run = try runMetricc(arguments, in: Repository.root.path)
      #expect(run.exit == 0)
      #expect(run.err == "")
      if environment("METRICC_UPDATE") == nil {
        #expect(run.out == shown, "\(path): metricc \(arguments.joined(separator: " "))")
      }
      text = text.replacing("\n\(shown)```", with: "\n\(run.out)```")
    }
    if environment("METRICC_UPDATE") != nil {
      try Data(text.utf8).write(to: Repository.root.appending(path: path))
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
