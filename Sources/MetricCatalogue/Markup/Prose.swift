/// Doc comments and sentences as markup: a blank line starts a paragraph, `-` an item of a list, and
/// what is in backticks is code. A metric's name in backticks leads to its page.
struct Prose {
  /// Gives the address of a metric's page; nil for a name that is not a metric.
  let address: (String) -> String?

  func paragraphs(_ text: String) -> HTML {
    enum Kind { case blank, item, text }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      return (kind: trimmed.isEmpty ? Kind.blank : trimmed.hasPrefix("- ") ? .item : .text, text: trimmed)
    }
    let blocks = lines.runs(by: \.kind).map { lines -> HTML in
      switch lines[lines.startIndex].kind {
      case .blank: ""
      case .item: "<ul>\(lines.map { "<li>\(inline(String($0.text.dropFirst(2))))</li>" as HTML })</ul>\n"
      case .text: "<p>\(inline(lines.map(\.text).joined(separator: "\n")))</p>\n"
      }
    }
    return HTML(blocks)
  }

  func inline(_ text: String) -> HTML {
    // Every other piece was in backticks, except a last one without a closing backtick.
    let pieces = text.split(separator: "`", omittingEmptySubsequences: false).map(String.init)
    return HTML(
      pieces.enumerated().map { index, piece -> HTML in
        index % 2 == 0 ? "\(piece)" : index == pieces.count - 1 ? "`\(piece)" : code(piece)
      })
  }

  private func code(_ text: String) -> HTML {
    let name = String(text.prefix { $0 != "." })
    let code: HTML = "<code>\(text)</code>"
    return address(name).map { .link($0, code) } ?? code
  }

  static func firstSentence(_ text: String) -> String {
    let paragraph = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
      .joined(separator: " ")
    var sentence = ""
    for (character, next) in zip(paragraph, paragraph.dropFirst() + " ") {
      sentence.append(character)
      if ".?!".contains(character), next == " " { break }
    }
    return sentence
  }
}
