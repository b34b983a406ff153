/// The user's text as messages show it: in backticks, cut where it is long, control characters made visible.
package func quoted(_ text: String) -> String { quoted(text, longest: 60) }

/// The same, cut behind so many characters (scalars).
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
