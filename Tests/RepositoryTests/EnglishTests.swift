import Foundation
import MetricTestSupport
import Testing

/// Phrases that documents, comments and definitions have lost and that do not come back.
@Suite struct EnglishTests {
  static let phrases = [
    "told of", "looked for apart", "let through", "lets through", "stands twice", "stand twice",
    "at the least",
    "circles of", "references to nothing", "not evaluated", "laid out in the one",
  ]

  @Test(arguments: Repository.files(".md"))
  func documentsArePlain(_ path: String) throws {
    let text = try Repository.text(path).replacing("\n", with: " ")
    for phrase in Self.phrases { #expect(!text.contains(phrase), "\(path): `\(phrase)`") }
  }

  static let translated = [
    "digits behind", "each behind", "since ever", "so-manieth", "in the place of", "is no UTF-8",
    "is no JSON",
  ]

  @Test(
    arguments: Repository.files(".swift", under: "Sources")
      + Repository.files(".metric", under: "Definitions"))
  func commentsArePlain(_ path: String) throws {
    let text = NSString(string: try Repository.text(path))
    for phrase in Self.translated { #expect(!text.contains(phrase), "\(path): `\(phrase)`") }
  }
}
