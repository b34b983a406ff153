/// A piece of JSON, already written: the small writer that every output shares.
///
///     JSONText.object([("path", "habits.metric"), ("line", .number(3)), ("metric", .null)])
///
/// Keys keep their order, nothing is indented, and the same values give the same bytes.
package struct JSONText: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// Takes text that is JSON as it stands, such as a number already rendered.
  package init(verbatim text: String) {
    description = text
  }

  package static let null = JSONText(verbatim: "null")

  package static func bool(_ value: Bool) -> JSONText { JSONText(verbatim: value ? "true" : "false") }

  package static func number(_ value: Int) -> JSONText { JSONText(verbatim: String(value)) }

  /// A string with its quotes; control characters, `"` and `\` are escaped.
  package static func string(_ value: String) -> JSONText {
    var text = "\""
    for scalar in value.unicodeScalars { text += escaped(scalar) }
    return JSONText(verbatim: text + "\"")
  }

  /// A string, or null where there is none.
  package static func string(orNull value: String?) -> JSONText { value.map(string) ?? .null }

  package static func array(_ items: some Sequence<JSONText>) -> JSONText {
    JSONText(verbatim: "[" + items.map(\.description).joined(separator: ",") + "]")
  }

  package static func object(_ members: some Sequence<(String, JSONText)>) -> JSONText {
    let written = members.map { "\(string($0)):\($1)" }
    return JSONText(verbatim: "{" + written.joined(separator: ",") + "}")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\0"..."\u{1F}", "\u{7F}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(scalar)
    }
  }
}

extension JSONText: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) {
    self = .string(value)
  }
}
