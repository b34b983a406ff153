/// A source text with places marked in it: `1️⃣`, `2️⃣`, … are taken out, and where they stood is
/// remembered.
///
///     let marked = MarkedSource("streak s { of 1️⃣7 }")
///     marked.text      // "streak s { of 7 }"
///     marked["1️⃣"]     // 14
///
/// Offsets count UTF-8 bytes of the text without the marks. A mark that stands twice keeps its last
/// place.
package struct MarkedSource: Sendable {
  package let text: String
  package let offsets: [String: Int]

  package init(_ marked: String) {
    var text = ""
    var offsets: [String: Int] = [:]
    for character in marked {
      if Self.isMark(character) {
        offsets[String(character)] = text.utf8.count
      } else {
        text.append(character)
      }
    }
    self.text = text
    self.offsets = offsets
  }

  /// The offset of a mark; nil where the source does not hold it.
  package subscript(mark: String) -> Int? { offsets[mark] }

  /// A digit with the two scalars that make it a keycap.
  private static func isMark(_ character: Character) -> Bool {
    let scalars = Array(character.unicodeScalars)
    return scalars.count == 3 && ("0"..."9").contains(scalars[0]) && scalars[1] == "\u{FE0F}"
      && scalars[2] == "\u{20E3}"
  }
}
