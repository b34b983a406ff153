/// The words of a name or of a text, in lower case.
enum Words {
  /// `missed_days`, `missedDays` and `MISSED_DAYS` are `missed` and `days`.
  static func split(_ name: String) -> [String] {
    // Bytes, since an editor asks for all names with every keystroke.
    var words: [String] = []
    var word: [UInt8] = []
    var wasUpper = false
    func end() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word.removeAll(keepingCapacity: true)
    }
    for byte in name.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if !wasUpper { end() }
        word.append(byte | 0x20)
        wasUpper = true
        continue
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
        word.append(byte)
      case UInt8(ascii: "'"): break
      default: end()
      }
      wasUpper = false
    }
    end()
    return words
  }

  /// Whether words together contain one of some texts, wherever it starts: `current_streak` contains `streak`.
  static func contain(_ words: [String], anyOf stems: [String]) -> Bool {
    let bytes = Array(words.joined().utf8)
    return stems.contains { bytes.contains(Array($0.utf8)) }
  }
}
