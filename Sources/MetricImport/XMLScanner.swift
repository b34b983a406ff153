import MetricDiagnostics

/// The elements of an XML document (XML 1.0), one after the other, without ever holding more than one.
///
/// Foundation's `XMLParser` is no choice: on Linux `<a><?x?></a>`, or a document type that declares a required
/// attribute, as Apple's own does, ends the process (a null pointer of libxml2's is read as a text). It does not
/// report entities that are declared, and takes three times as long (1 GB: 6.9 s and 2.3 s of processor time).
///
/// Entities of a file's own are refused, declared or used, so that nothing can be expanded without end. Character
/// data is skipped; exports of apps say everything in attributes.
struct XMLScanner {
  enum Event {
    /// `<name …>`, and `<name …/>` where it is empty: no end follows then.
    case start(Element, isEmpty: Bool)
    case end(name: String)
  }

  /// A start tag. Its attributes are decoded when they are requested.
  struct Element {
    var name: String
    /// Where the `<` stands.
    var offset: Int
    fileprivate var attributes: [(name: Range<Int>, value: Range<Int>)]
    fileprivate let file: ExportFile

    /// The names of the attributes, as they stand.
    func names() throws(ImportFailure) -> [String] {
      var names: [String] = []
      for attribute in attributes {
        names.append(try file.text(attribute.name.lowerBound, attribute.name.upperBound))
      }
      return names
    }

    /// The decoded value of an attribute; nil where it is not given.
    func attribute(_ name: StaticString) throws(ImportFailure) -> String? {
      var found: Range<Int>?
      for attribute in attributes where XMLScanner.isEqual(file.bytes, attribute.name, name) {
        guard found == nil else {
          throw file.failure("found the attribute `\(name)` twice", at: attribute.name.lowerBound)
        }
        found = attribute.value
      }
      return try found.map { value throws(ImportFailure) in try XMLScanner.decoded(file, value) }
    }
  }

  let file: ExportFile
  private var cursor: Int
  private var open: [String] = []
  private var hasRoot = false

  static let nestingLimit = 64

  init(_ file: ExportFile) {
    self.file = file
    cursor = file.start
  }

  /// The next start or end of an element; nil at the end of the document.
  mutating func next() throws(ImportFailure) -> Event? {
    let bytes = file.bytes
    while true {
      try passText()
      guard cursor < bytes.count else { break }
      if starts("<!--") {
        try pass(to: "-->", "the end of a comment")
      } else if starts("<?") {
        try pass(to: "?>", "the end of an instruction")
      } else if starts("<![CDATA[") {
        try pass(to: "]]>", "the end of a character section")
      } else if starts("<!DOCTYPE") {
        try passDocumentType()
      } else if starts("</") {
        return .end(name: try endTag())
      } else {
        return try startTag()
      }
    }
    if let name = open.last {
      throw file.failure("found the end of the file within the element \(quoted(name))", at: bytes.count)
    }
    guard hasRoot else { throw file.failure("found no element, expected an XML document", at: file.start) }
    return nil
  }

  /// Passes everything up to the end of the element whose start was the last event.
  mutating func passContent() throws(ImportFailure) {
    let depth = open.count
    while open.count >= depth, try next() != nil {}
  }

  // MARK: Between elements

  private mutating func passText() throws(ImportFailure) {
    let bytes = file.bytes
    while cursor < bytes.count, bytes[cursor] != UInt8(ascii: "<") {
      if open.isEmpty, !XMLScanner.isBlank(bytes[cursor]) {
        throw file.failure("found text outside the document's element", at: cursor)
      }
      cursor += 1
    }
  }

  private func starts(_ text: StaticString) -> Bool {
    guard cursor + text.utf8CodeUnitCount <= file.bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where file.bytes[cursor + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  private mutating func pass(to end: StaticString, _ expected: String) throws(ImportFailure) {
    let start = cursor
    while cursor < file.bytes.count {
      if starts(end) {
        cursor += end.utf8CodeUnitCount
        return
      }
      cursor += 1
    }
    throw file.failure("found the end of the file, expected \(expected)", at: start)
  }

  /// Passes the declarations of a document type: brackets, quotes and comments are minded, nothing is used, and
  /// entities are refused.
  private mutating func passDocumentType() throws(ImportFailure) {
    let start = cursor
    var isInside = false
    var quote: UInt8?
    while cursor < file.bytes.count {
      let byte = file.bytes[cursor]
      if let open = quote {
        if byte == open { quote = nil }
      } else if starts("<!--") {
        try pass(to: "-->", "the end of a comment")
        continue
      } else if starts("<!ENTITY") {
        throw file.failure("found the declaration of an entity, expected none", at: cursor)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") {
        isInside = true
      } else if byte == UInt8(ascii: "]") {
        isInside = false
      } else if byte == UInt8(ascii: ">"), !isInside {
        cursor += 1
        return
      }
      cursor += 1
    }
    throw file.failure("found the end of the file within the document type", at: start)
  }

  // MARK: Tags

  private mutating func endTag() throws(ImportFailure) -> String {
    let start = cursor
    cursor += 2
    let name = try name()
    passBlanks()
    guard cursor < file.bytes.count, file.bytes[cursor] == UInt8(ascii: ">") else {
      throw file.failure("found no `>` at the end of the tag", at: min(cursor, file.bytes.count))
    }
    cursor += 1
    guard let expected = open.popLast(), expected == name else {
      throw file.failure("found the end of \(quoted(name)), which is not the element that is open", at: start)
    }
    return name
  }

  private mutating func startTag() throws(ImportFailure) -> Event {
    let start = cursor
    cursor += 1
    if open.isEmpty, hasRoot { throw file.failure("found a second element at the top", at: start) }
    hasRoot = true
    let name = try name()
    var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    while true {
      passBlanks()
      guard cursor < file.bytes.count else {
        throw file.failure("found the end of the file within the tag of \(quoted(name))", at: start)
      }
      if starts("/>") {
        cursor += 2
        return .start(element(name, start, attributes), isEmpty: true)
      }
      if file.bytes[cursor] == UInt8(ascii: ">") {
        cursor += 1
        break
      }
      attributes.append(try attribute())
    }
    open.append(name)
    guard open.count <= XMLScanner.nestingLimit else {
      throw file.failure("found elements nested deeper than \(XMLScanner.nestingLimit) levels", at: start)
    }
    return .start(element(name, start, attributes), isEmpty: false)
  }

  private func element(
    _ name: String, _ offset: Int, _ attributes: [(name: Range<Int>, value: Range<Int>)]
  ) -> Element {
    Element(name: name, offset: offset, attributes: attributes, file: file)
  }

  private mutating func attribute() throws(ImportFailure) -> (name: Range<Int>, value: Range<Int>) {
    let bytes = file.bytes
    let start = cursor
    passName()
    let name = start..<cursor
    passBlanks()
    guard !name.isEmpty, cursor < bytes.count, bytes[cursor] == UInt8(ascii: "=") else {
      throw file.failure("found no attribute, expected `name=\"value\"`", at: start)
    }
    cursor += 1
    passBlanks()
    guard cursor < bytes.count, bytes[cursor] == UInt8(ascii: "\"") || bytes[cursor] == UInt8(ascii: "'")
    else {
      throw file.failure("found an attribute without quotes, expected `name=\"value\"`", at: start)
    }
    let quote = bytes[cursor]
    cursor += 1
    let first = cursor
    while cursor < bytes.count, bytes[cursor] != quote {
      if bytes[cursor] == UInt8(ascii: "<") {
        throw file.failure("found `<` within an attribute, expected `&lt;`", at: cursor)
      }
      cursor += 1
    }
    guard cursor < bytes.count else {
      throw file.failure("found the end of the file within an attribute", at: start)
    }
    cursor += 1
    return (name, first..<(cursor - 1))
  }

  private mutating func name() throws(ImportFailure) -> String {
    let start = cursor
    passName()
    guard cursor > start else { throw file.failure("found no name of an element", at: start) }
    return try file.text(start, cursor)
  }

  private mutating func passName() {
    while cursor < file.bytes.count, !XMLScanner.endsName(file.bytes[cursor]) { cursor += 1 }
  }

  private mutating func passBlanks() {
    while cursor < file.bytes.count, XMLScanner.isBlank(file.bytes[cursor]) { cursor += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  // MARK: Values

  fileprivate static func isEqual(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ text: StaticString
  ) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    for index in 0..<range.count where bytes[range.lowerBound + index] != text.utf8Start[index] {
      return false
    }
    return true
  }

  /// A value with its references decoded: the five that XML has, and characters by number.
  fileprivate static func decoded(_ file: ExportFile, _ range: Range<Int>) throws(ImportFailure) -> String {
    let text = try file.text(range.lowerBound, range.upperBound)
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var decoded = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "&") {
      decoded += rest[..<sign]
      guard let end = rest[sign...].firstIndex(of: ";"),
        let scalar = scalar(rest[rest.index(after: sign)..<end])
      else {
        let found = String(rest[sign...].prefix(12))
        throw file.failure(
          "found \(quoted(found)), expected one of XML's own references", at: range.lowerBound)
      }
      decoded.unicodeScalars.append(scalar)
      rest = rest[rest.index(after: end)...]
    }
    return decoded + rest
  }

  private static func scalar(_ name: Substring) -> Unicode.Scalar? {
    switch name {
    case "amp": "&"
    case "lt": "<"
    case "gt": ">"
    case "quot": "\""
    case "apos": "'"
    case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap { Unicode.Scalar($0) }
    case _ where name.hasPrefix("#"): UInt32(name.dropFirst()).flatMap { Unicode.Scalar($0) }
    default: nil
    }
  }
}
