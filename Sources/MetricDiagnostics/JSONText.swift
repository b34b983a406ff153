/// A piece of JSON, already written: the small writer that every output shares.
///
///     JSONText.object(["path": "habits.metric", "line": 3, "metric": nil as String?])
///
/// Keys keep their order, nothing is indented, and the same values give the same bytes.
package struct JSONText: Hashable, Sendable, CustomStringConvertible, JSONWritable {
  package let description: String

  /// Takes text that is JSON as it stands, such as a number already rendered.
  package init(verbatim text: String) {
    description = text
  }

  package var json: JSONText { self }

  package static let null = JSONText(verbatim: "null")

  /// In place of a member: the object does not have it.
  package static let omitted = JSONText(verbatim: "")

  /// A string with its quotes; control characters, `"` and `\` are escaped.
  package static func string(_ value: String) -> JSONText {
    JSONText(verbatim: "\"\(isPlain(value) ? value : escaped(value))\"")
  }

  /// Writes the same after other bytes of a message.
  package static func append(_ value: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes += (isPlain(value) ? value : escaped(value)).utf8
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isPlain(_ value: String) -> Bool {
    value.utf8.allSatisfy {
      $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
  }

  private static func escaped(_ value: String) -> String {
    value.unicodeScalars.reduce(into: "") { $0 += escaped($1) }
  }

  /// An object with its members in this order.
  package static func object(_ members: KeyValuePairs<String, any JSONWritable>) -> JSONText {
    object(members.map { ($0, $1.json) })
  }

  package static func object(_ members: some Sequence<(String, JSONText)>) -> JSONText {
    let written = members.filter { $0.1 != omitted }.map { "\(string($0)):\($1)" }
    return JSONText(verbatim: "{" + written.joined(separator: ",") + "}")
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": "\\\""
    case "\\": "\\\\"
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\0"..."\u{1F}", "\u{7F}": "\\u" + String(scalar.value, radix: 16).leftPadded(to: 4, with: "0")
    default: String(scalar)
    }
  }
}

/// What can be written as JSON.
package protocol JSONWritable {
  var json: JSONText { get }
}

extension String: JSONWritable {
  package var json: JSONText { .string(self) }
}

extension Int: JSONWritable {
  package var json: JSONText { JSONText(verbatim: String(self)) }
}

extension Bool: JSONWritable {
  package var json: JSONText { JSONText(verbatim: self ? "true" : "false") }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
  package var json: JSONText { map(\.json) ?? .null }
}

extension Array: JSONWritable where Element: JSONWritable {
  package var json: JSONText {
    JSONText(verbatim: "[" + map(\.json.description).joined(separator: ",") + "]")
  }
}
