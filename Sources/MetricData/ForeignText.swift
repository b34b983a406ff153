/// What a file is that the readers cannot take as text: another encoding, a packed file, other separators.
///
/// Such a file would be read as a table without records, or as one long mistake. The answer names what it is, and
/// how it becomes what is expected.
package struct ForeignText: Hashable, Sendable {
  /// `found a file packed with gzip, expected text in UTF-8`
  package var message: String
  /// How to convert it.
  package var advice: String
  let code: DiagnosticCode

  /// How many bytes at the start of a file are examined.
  package static let prefixLength = 1 << 16

  /// What the first bytes of a file give away; nil if they may be text in UTF-8.
  package static func find(in bytes: some RandomAccessCollection<UInt8>) -> ForeignText? {
    let start = Array(bytes.prefix(4))
    for (name, magic, advice) in packed where start.starts(with: magic) {
      return ForeignText(
        message: "found a file packed with \(name), expected text in UTF-8", advice: advice, code: .notUTF8)
    }
    let isMarked = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    let zeros = start.map { $0 == 0 }
    if isMarked || zeros == [false, true, false, true] || zeros == [true, false, true, false] {
      return ForeignText(
        message: "found text in UTF-16, expected UTF-8",
        advice: "`iconv -f UTF-16 -t UTF-8 FILE > NEW` converts it", code: .notUTF8)
    }
    let text = bytes.prefix(prefixLength)
    guard let lineEnd = text.firstIndex(of: Byte.carriageReturn), lineEnd != bytes.indices.last,
      !text.contains(Byte.newline)
    else { return nil }
    return ForeignText(
      message: "found lines that end with a carriage return alone, expected line feeds",
      advice: #"`tr '\r' '\n' < FILE > NEW` converts them"#, code: .wrongSeparator)
  }

  private static let packed: [(name: String, magic: [UInt8], advice: String)] = [
    ("gzip", [0x1F, 0x8B], "unpack it with `gunzip`; `eval --engine duckdb` reads it packed"),
    ("zstd", [0x28, 0xB5, 0x2F, 0xFD], "unpack it with `unzstd`; `eval --engine duckdb` reads it packed"),
    ("zip", Array("PK\u{3}\u{4}".utf8), "unpack it with `unzip`"),
  ]

  /// The separator of a CSV header without any needed name; nil if it is a comma.
  package static func find(inHeader names: [String]) -> ForeignText? {
    let separators: [(name: String, byte: Character, shell: String)] = [
      ("semicolons", ";", ";"), ("tabs", "\t", #"\t"#), ("bars", "|", "|"),
    ]
    let header = names.joined()
    for (name, separator, shell) in separators where header.count(where: { $0 == separator }) >= names.count {
      return ForeignText(
        message: "found \(name) between the names of the header, expected commas",
        advice: "save the file with commas and, in numbers, decimal points; if no cell has a comma, "
          + "`tr '\(shell)' ',' < FILE > NEW` converts it", code: .wrongSeparator)
    }
    return nil
  }

  /// What text in another encoding of single bytes needs.
  package static let latin1 =
    "if it is Latin-1, `iconv -f LATIN1 -t UTF-8 FILE > NEW` converts it"
}
