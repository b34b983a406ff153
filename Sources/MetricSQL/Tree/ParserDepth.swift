/// How much of a parser's stack a text takes up. SQLite's parser holds a hundred symbols; how many a construct
/// takes was measured on it.
enum ParserDepth {
  private static let parenthesis = 3
  /// `MAX(`, with arguments before the current one, `(SELECT` and `(WITH`, and `CASE` through its `END`.
  private static let construct = 6

  /// The most symbols that are open at once, outside of quotes and comments.
  static func of(_ text: String) -> Int {
    let bytes = Array(text.utf8)
    var open: [Int] = []
    var (depth, deepest) = (0, 0)
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      // A doubled quote closes and opens again.
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        index = bytes[(index + 1)...].firstIndex(of: bytes[index]) ?? bytes.count
      case UInt8(ascii: "("):
        let isCall = index > 0 && isLetter(bytes[index - 1])
        let inner = bytes[(index + 1)...]
        let isConstruct = isCall || inner.starts(with: "SELECT".utf8) || inner.starts(with: "WITH".utf8)
        open.append(isConstruct ? construct : parenthesis)
        depth += open[open.count - 1]
      case UInt8(ascii: ")"): depth -= open.popLast() ?? 0
      case UInt8(ascii: "C") where isWord("CASE", at: index, of: bytes): depth += construct
      case UInt8(ascii: "E") where isWord("END", at: index, of: bytes): depth -= construct
      default: break
      }
      deepest = max(deepest, depth)
      index += 1
    }
    return deepest
  }

  private static func isWord(_ word: String, at index: Int, of bytes: [UInt8]) -> Bool {
    guard bytes[index...].starts(with: word.utf8) else { return false }
    let (before, after) = (index - 1, index + word.utf8.count)
    return !(before >= 0 && isLetter(bytes[before])) && !(after < bytes.count && isLetter(bytes[after]))
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }
}
