import Foundation

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
  package var items: [JSON] { if case .array(let items) = self { items } else { [] } }

  package static func string(orNull text: String?) -> JSON { text.map(JSON.string) ?? .null }

  package static func list<Item>(_ items: some Sequence<Item>, _ json: (Item) -> JSON) -> JSON {
    .array(items.map(json))
  }

  /// The same without the members that are null.
  package static func compact(_ members: [String: JSON]) -> JSON { .object(members.filter { !$1.isNull }) }
}

extension JSON: Decodable {
  /// The value of a text in JSON (RFC 8259). Bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD.
  package init(parsing bytes: [UInt8]) throws(ResponseError) {
    do {
      self = try JSONDecoder().decode(JSON.self, from: Data(bytes))
    } catch {
      let mended = JSON.mended(String(decoding: bytes, as: UTF8.self))
      guard !mended.utf8.elementsEqual(bytes),
        let value = try? JSONDecoder().decode(JSON.self, from: Data(mended.utf8))
      else { throw .parse("not JSON: \(JSON.reason(error))") }
      self = value
    }
  }

  /// Foundation refuses half of a surrogate pair, which editors can send while a character is typed.
  private static func mended(_ text: String) -> String {
    // Whole pairs and other escapes are skipped.
    let escapes = /\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[dD][89a-fA-F]..|.)/
    return text.replacing(escapes) { $0.output.count == 6 ? "\\ufffd" : $0.output }
  }

  private static func reason(_ error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context)? = error as? DecodingError else { return "\(error)" }
    let detail = (context.underlyingError as NSError?)?.userInfo["NSDebugDescription"] as? String
    return detail ?? context.debugDescription
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    func value<Value: Decodable>(_ json: (Value) -> JSON) -> JSON? {
      (try? container.decode(Value.self)).map(json)
    }
    // The first that fits.
    let known =
      container.decodeNil()
      ? .null
      : value(JSON.string) ?? value(JSON.bool) ?? value(JSON.int) ?? value(JSON.double) ?? value(JSON.object)
    self = try known ?? .array(container.decode([JSON].self))
  }
}

extension JSON {
  /// The value as text: members by their keys' order, nothing indented.
  package var text: JSONText { JSONText(verbatim: String(decoding: bytes, as: UTF8.self)) }

  /// The same as bytes. A list of findings is long, so all of it is written into one buffer.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    return bytes
  }

  private func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += (value ? "true" : "false").utf8
    case .int(let number): bytes += String(number).utf8
    case .double(let number): bytes += (number.isFinite ? "\(number)" : "null").utf8
    case .string(let text): JSONText.append(text, to: &bytes)
    case .array(let items): JSON.write(items, "[", "]", to: &bytes) { $0.write(to: &$1) }
    case .object(let members):
      JSON.write(members.sorted { $0.key < $1.key }, "{", "}", to: &bytes) { member, bytes in
        JSONText.append(member.key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.write(to: &bytes)
      }
    }
  }

  private static func write<Item>(
    _ items: [Item], _ open: Unicode.Scalar, _ close: Unicode.Scalar, to bytes: inout [UInt8],
    _ write: (Item, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: open))
    for (index, item) in items.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      write(item, &bytes)
    }
    bytes.append(UInt8(ascii: close))
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
