/// How many columns of a terminal a text takes.
///
/// Combining marks take none, East Asian wide characters and emoji two (the ranges of Unicode's
/// `EastAsianWidth.txt` with *W* and *F*, coarsely), everything else one.
enum DisplayWidth {
  static func of(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + of($1) }
  }

  private static func of(_ scalar: Unicode.Scalar) -> Int {
    let marks: [Unicode.GeneralCategory] = [.nonspacingMark, .enclosingMark, .format]
    if marks.contains(scalar.properties.generalCategory) { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }

  /// The text cut to a width, with `…` where something is left out.
  static func cut(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var shown = ""
    var used = 1
    for character in text {
      used += of(String(character))
      guard used <= width else { break }
      shown.append(character)
    }
    return shown + "…"
  }
}
