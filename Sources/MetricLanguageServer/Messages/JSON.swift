import MetricDiagnostics

/// A JSON value, as messages hold them.
///
///     let hover: JSON = ["contents": ["kind": "markdown", "value": .string(text)]]
///     params["textDocument"]["uri"].string
///
/// What is not there reads as `.null`, so that a path into a message needs no unwrapping.
package enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int)
  /// A number with a fraction or an exponent.
  case double(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  package subscript(key: String) -> JSON {
    if case .object(let members) = self { members[key] ?? .null } else { .null }
  }

  package subscript(index: Int) -> JSON {
    if case .array(let items) = self, items.indices.contains(index) { items[index] } else { .null }
  }

  package var isNull: Bool { self == .null }

  package var string: String? { if case .string(let text) = self { text } else { nil } }

  package var int: Int? { if case .int(let number) = self { number } else { nil } }

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The items; none where it is no array.
  package var items: [JSON] { if case .array(let items) = self { items } else { [] } }

  package static func string(orNull text: String?) -> JSON { text.map(JSON.string) ?? .null }

  /// The same without the members that are null.
  package static func compact(_ members: [String: JSON]) -> JSON { .object(members.filter { !$1.isNull }) }
}

extension JSON {
  /// The value as text: members by their keys' order, nothing indented.
  package var text: JSONText {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .int(let number): .number(number)
    case .double(let number): .init(verbatim: number.isFinite ? "\(number)" : "null")
    case .string(let text): .string(text)
    case .array(let items): .array(items.map(\.text))
    case .object(let members):
      .object(members.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) })
    }
  }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }

  package init(booleanLiteral value: Bool) { self = .bool(value) }

  package init(integerLiteral value: Int) { self = .int(value) }

  package init(stringLiteral value: String) { self = .string(value) }

  package init(arrayLiteral elements: JSON...) { self = .array(elements) }

  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
