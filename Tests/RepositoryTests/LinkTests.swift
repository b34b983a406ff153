import Foundation
import MetricTestSupport
import Testing

/// Links in documents lead to files and headings that exist.
@Suite struct LinkTests {
  @Test(arguments: Repository.files(".md"))
  func linksLeadSomewhere(_ path: String) throws {
    for link in Self.links(in: try Repository.text(path)) where !link.contains("://") {
      let pieces = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let folder = URL(filePath: "/" + path).deletingLastPathComponent()
      let target =
        pieces[0].isEmpty
        ? path : String(folder.appending(path: String(pieces[0])).standardized.path.dropFirst())
      let exists = FileManager.default.fileExists(atPath: Repository.root.appending(path: target).path)
      #expect(exists, "\(path): `\(link)` leads nowhere")
      if exists, pieces.count == 2, target.hasSuffix(".md") {
        let anchors = Self.anchors(in: try Repository.text(target))
        #expect(anchors.contains(String(pieces[1])), "\(path): there is no heading for `\(link)`")
      }
    }
  }

  /// The targets of `[text](target)` outside of code.
  static func links(in text: String) -> [String] {
    outsideOfCode(text).flatMap { line in
      line.replacing(/`[^`]*`/, with: "").matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
    }
  }

  /// The anchors that GitHub makes of headings.
  static func anchors(in text: String) -> Set<String> {
    Set(
      outsideOfCode(text).filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" }.dropFirst().lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .replacing(" ", with: "-")
      })
  }

  private static func outsideOfCode(_ text: String) -> [String] {
    var isCode = false
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("```") {
        isCode.toggle()
        return nil
      }
      return isCode ? nil : String(line)
    }
  }

  @Test func theIndexNamesEveryDocument() throws {
    let index = try Repository.text("Documentation/README.md")
    for path in Repository.files(".md", under: "Documentation") where !path.hasSuffix("/README.md") {
      let name = path.dropFirst("Documentation/".count)
      #expect(index.contains("](\(name))"), "Documentation/README.md does not name \(name)")
    }
  }
}
