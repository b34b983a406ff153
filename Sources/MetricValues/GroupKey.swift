/// The group of a value (RES-02): a text for each field of `by`, empty where it is missing. Without groups it is one empty text.
///
///     GroupKey("pro"), GroupKey(["de", "pro"])
///
/// Groups are equal where their bytes are, and are ordered field by field.
public struct GroupKey: Hashable, Comparable, Sendable {
  private enum Texts {
    case one(String)
    case several([String])
  }

  private let texts: Texts

  public init(_ field: String = "") { texts = .one(field) }

  public init(_ fields: [String]) { texts = fields.count > 1 ? .several(fields) : .one(fields.first ?? "") }

  /// At least one.
  public var fields: [String] {
    switch texts {
    case .one(let text): [text]
    case .several(let texts): texts
    }
  }

  /// Whether there is no group, or that of the records without the one field.
  public var isEmpty: Bool { if case .one("") = texts { true } else { false } }

  public var isOfSeveralFields: Bool { if case .several = texts { true } else { false } }

  /// The text of the one field, or the texts of several as one record of CSV: `de,pro`.
  public var text: String {
    switch texts {
    case .one(let text): text
    case .several(let texts): texts.map(\.asCell).joined(separator: ",")
    }
  }

  /// The group that a text stands for; of several fields it is a record of CSV. Nil if it has other fields.
  package init?(_ text: String, fieldCount: Int) {
    guard fieldCount > 1 else {
      self.init(text)
      return
    }
    var (fields, rest) = ([String](), text[...])
    while true {
      var field = ""
      if rest.first == "\"" {
        repeat {
          rest = rest.dropFirst()
          guard let end = rest.firstIndex(of: "\"") else { return nil }
          field += rest[..<end]
          rest = rest[end...].dropFirst()
          if rest.first == "\"" { field += "\"" }
        } while rest.first == "\""
      } else {
        field = String(rest.prefix { $0 != "," })
        rest = rest.dropFirst(field.count)
      }
      fields.append(field)
      guard rest.first == "," else { break }
      rest = rest.dropFirst()
    }
    guard rest.isEmpty, fields.count == fieldCount else { return nil }
    self.init(fields)
  }

  public static func == (left: GroupKey, right: GroupKey) -> Bool {
    switch (left.texts, right.texts) {
    case (.one(let one), .one(let other)): one.hasSameBytes(as: other)
    case (.several(let one), .several(let other)):
      one.elementsEqual(other) { $0.hasSameBytes(as: $1) }
    case (.one, .several), (.several, .one): false
    }
  }

  public static func < (left: GroupKey, right: GroupKey) -> Bool {
    if case (.one(let one), .one(let other)) = (left.texts, right.texts) {
      return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
    return left.fields.lexicographicallyPrecedes(right.fields) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  public func hash(into hasher: inout Hasher) {
    for field in fields {
      for byte in field.utf8 { hasher.combine(byte) }
      hasher.combine(UInt8.max)
    }
  }
}

extension GroupKey: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, CustomStringConvertible {
  public init(stringLiteral field: String) { self.init(field) }
  public init(arrayLiteral fields: String...) { self.init(fields) }
  public var description: String { text }
}

extension String {
  /// As a cell of CSV: in quotes where it needs them.
  package var asCell: String {
    let needsQuotes = utf8.contains { ",\"\n\r".utf8.contains($0) }
    return needsQuotes ? "\"\(replacing("\"", with: "\"\""))\"" : self
  }
}
