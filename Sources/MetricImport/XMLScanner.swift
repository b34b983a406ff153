/// The elements of an XML document (XML 1.0), one after the other, without ever holding more than one.
///
/// Foundation's `XMLParser` is not an option: on Linux `<a><?x?></a>`, or a document type that declares a required
/// attribute, as Apple's own does, ends the process (a null pointer of libxml2's is read as a text). It does not report
/// entities that are declared, and takes three times as long (1 GB: 6.9 s and 2.3 s of processor time).
///
/// Entities of a file's own are refused, declared or used, so that nothing can be expanded without end. Character
/// data is skipped; exports of apps say everything in attributes.
struct XMLScanner {
  enum Event {
    /// `<name …>`, or the beginning of `<name …/>`.
    case start(Element)
    case end
  }

  /// A start tag. Its attributes are decoded when they are requested.
  struct Element {
    var name: String
    /// Where the `<` is.
    var offset: Int
    fileprivate var attributes: [(name: Range<Int>, value: Range<Int>)] = []
    fileprivate let file: ExportFile

    func failure(_ message: String) -> ImportFailure { file.failure(message, at: offset) }

    /// The names of the attributes, as they stand.
    func names() throws(ImportFailure) -> [String] {
      var names: [String] = []
      for (name, _) in attributes { names.append(try file.text(name.lowerBound, name.upperBound)) }
      return names
    }

    /// The decoded value of an attribute; nil where it is not given.
    func attribute(_ name: StaticString) throws(ImportFailure) -> String? {
      var found: Range<Int>?
      for attribute in attributes
      where attribute.name.count == name.utf8CodeUnitCount && file.starts(name, at: attribute.name.lowerBound)
      {
        guard found == nil else {
          throw file.failure("found the attribute `\(name)` twice", at: attribute.name.lowerBound)
        }
        found = attribute.value
      }
      return try found.map { value throws(ImportFailure) in try XMLScanner.decoded(file, value) }
    }
  }

  let file: ExportFile
  private var bytes: UnsafeRawBufferPointer { file.bytes }
  private var cursor: Int
  private var open: [String] = []
  private var hasRoot = false
  /// Whether the last start was that of an empty element, whose end comes next.
  private var isEmpty = false

  static let nestingLimit = 64

  init(_ file: ExportFile) {
    (self.file, cursor) = (file, file.start)
  }

  /// The next start or end of an element; nil at the end of the document.
  mutating func next() throws(ImportFailure) -> Event? {
    if isEmpty {
      isEmpty = false
      open.removeLast()
      return .end
    }
    while true {
      try passText()
      if cursor == bytes.count {
        if let name = open.last {
          throw failure("found the end of the file within the element \(quoted(name))")
        }
        guard hasRoot else { throw failure("found no element, expected an XML document", at: file.start) }
        return nil
      } else if starts("<!--") {
        try pass(to: "-->", "the end of a comment")
      } else if starts("<?") {
        try pass(to: "?>", "the end of an instruction")
      } else if starts("<![CDATA[") {
        try pass(to: "]]>", "the end of a character section")
      } else if starts("<!DOCTYPE") {
        try passDocumentType()
      } else if starts("</") {
        try passEndTag()
        return .end
      } else {
        return .start(try startTag())
      }
    }
  }

  /// Passes everything up to the end of the element whose start was the last event.
  mutating func passContent() throws(ImportFailure) {
    let depth = open.count
    while open.count >= depth, try next() != nil {}
  }

  private func failure(_ message: String, at offset: Int? = nil) -> ImportFailure {
    file.failure(message, at: offset ?? cursor)
  }

  private var byte: UInt8? { cursor < bytes.count ? bytes[cursor] : nil }

  private func starts(_ text: StaticString) -> Bool { file.starts(text, at: cursor) }

  private mutating func passBlanks() {
    while let byte, XMLScanner.isBlank(byte) { cursor += 1 }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }

  /// Passes a name, which may be empty, and gives where it was.
  private mutating func passName() -> Range<Int> {
    let start = cursor
    while let byte, !XMLScanner.endsName(byte) { cursor += 1 }
    return start..<cursor
  }

  private static func endsName(_ byte: UInt8) -> Bool {
    isBlank(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
      || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private mutating func passText() throws(ImportFailure) {
    while let byte, byte != UInt8(ascii: "<") {
      if open.isEmpty, !XMLScanner.isBlank(byte) {
        throw failure("found text outside the document's element")
      }
      cursor += 1
    }
  }

  private mutating func pass(to end: StaticString, _ expected: String) throws(ImportFailure) {
    let start = cursor
    while !starts(end) {
      guard byte != nil else { throw failure("found the end of the file, expected \(expected)", at: start) }
      cursor += 1
    }
    cursor += end.utf8CodeUnitCount
  }

  /// Passes a document type's declarations: brackets, quotes and comments count, and entities are refused.
  private mutating func passDocumentType() throws(ImportFailure) {
    let start = cursor
    var isInside = false
    var quote: UInt8?
    while let byte {
      if let open = quote {
        if byte == open { quote = nil }
      } else if starts("<!--") {
        try pass(to: "-->", "the end of a comment")
        continue
      } else if starts("<!ENTITY") {
        throw failure("found the declaration of an entity, expected none")
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") {
        isInside = byte == UInt8(ascii: "[")
      } else if byte == UInt8(ascii: ">"), !isInside {
        cursor += 1
        return
      }
      cursor += 1
    }
    throw failure("found the end of the file within the document type", at: start)
  }

  private mutating func passEndTag() throws(ImportFailure) {
    let start = cursor
    cursor += 2
    let name = try name()
    passBlanks()
    guard byte == UInt8(ascii: ">") else { throw failure("found no `>` at the end of the tag") }
    cursor += 1
    guard open.popLast() == name else {
      throw failure("found the end of \(quoted(name)), which is not the element that is open", at: start)
    }
  }

  private mutating func startTag() throws(ImportFailure) -> Element {
    let start = cursor
    cursor += 1
    if open.isEmpty, hasRoot { throw failure("found a second element at the top", at: start) }
    hasRoot = true
    var element = Element(name: try name(), offset: start, file: file)
    while true {
      passBlanks()
      guard let byte else {
        throw failure("found the end of the file within the tag of \(quoted(element.name))", at: start)
      }
      isEmpty = starts("/>")
      if isEmpty || byte == UInt8(ascii: ">") { break }
      element.attributes.append(try attribute())
    }
    cursor += isEmpty ? 2 : 1
    open.append(element.name)
    guard isEmpty || open.count <= XMLScanner.nestingLimit else {
      throw failure("found elements nested deeper than \(XMLScanner.nestingLimit) levels", at: start)
    }
    return element
  }

  private mutating func attribute() throws(ImportFailure) -> (name: Range<Int>, value: Range<Int>) {
    let name = passName()
    passBlanks()
    guard !name.isEmpty, byte == UInt8(ascii: "=") else {
      throw failure("found no attribute, expected `name=\"value\"`", at: name.lowerBound)
    }
    cursor += 1
    passBlanks()
    guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      throw failure("found an attribute without quotes, expected `name=\"value\"`", at: name.lowerBound)
    }
    cursor += 1
    let first = cursor
    while let byte, byte != quote {
      if byte == UInt8(ascii: "<") { throw failure("found `<` within an attribute, expected `&lt;`") }
      cursor += 1
    }
    guard byte != nil else {
      throw failure("found the end of the file within an attribute", at: name.lowerBound)
    }
    cursor += 1
    return (name, first..<(cursor - 1))
  }

  private mutating func name() throws(ImportFailure) -> String {
    let name = passName()
    guard !name.isEmpty else { throw failure("found no name of an element") }
    return try file.text(name.lowerBound, name.upperBound)
  }

  /// A value with its references decoded: the five that XML has, and characters by number.
  fileprivate static func decoded(_ file: ExportFile, _ range: Range<Int>) throws(ImportFailure) -> String {
    let text = try file.text(range.lowerBound, range.upperBound)
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var decoded = ""
    var rest = text[...]
    while let sign = rest.firstIndex(of: "&") {
      decoded += rest[..<sign]
      rest = rest[sign...]
      guard let end = rest.firstIndex(of: ";"), let scalar = scalar(rest[..<end].dropFirst()) else {
        throw file.failure(
          "found \(quoted(String(rest.prefix(12)))), expected one of XML's own references",
          at: range.lowerBound)
      }
      decoded.unicodeScalars.append(scalar)
      rest = rest[end...].dropFirst()
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
