/// The user's text as messages show it: in backticks, cut where it is long, control characters made visible.
package func quoted(_ text: String) -> String { quoted(text, longest: 60) }

/// The same, cut after a number of characters (scalars).
package func quoted(_ text: String, longest: Int) -> String {
  var shown = ""
  for scalar in text.unicodeScalars.prefix(longest) {
    switch scalar {
    case "\n": shown += "\\n"
    case "\r": shown += "\\r"
    case "\t": shown += "\\t"
    case _ where scalar.properties.generalCategory == .control:
      shown += "\\u{\(String(scalar.value, radix: 16))}"
    default: shown.unicodeScalars.append(scalar)
    }
  }
  return text.unicodeScalars.dropFirst(longest).isEmpty ? "`\(shown)`" : "`\(shown)…`"
}

/// The text with control characters as `�`.
package func printable(_ text: String, keepsTabs: Bool = false) -> String {
  guard text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) else { return text }
  return String(
    String.UnicodeScalarView(
      text.unicodeScalars.map { scalar in
        scalar.properties.generalCategory == .control && !(keepsTabs && scalar == "\t") ? "\u{FFFD}" : scalar
      }))
}
