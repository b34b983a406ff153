import MetricData
import MetricDiagnostics

/// One file of an export: its name as it is shown, and its bytes.
///
/// The bytes belong to the caller, who keeps them (mapped into memory, say) as long as the import runs.
public struct ExportFile {
  public let name: String
  /// The path within the folder of the export; empty where the export is this one file.
  public let path: String
  public let bytes: UnsafeRawBufferPointer

  public init(name: String, path: String = "", bytes: UnsafeRawBufferPointer) {
    self.name = name
    self.path = path
    self.bytes = bytes
  }

  /// The number of the first byte behind a byte order mark.
  var start: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  private nonisolated(unsafe) static let nothing = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

  /// A stretch for the scanners.
  func input(_ start: Int, _ end: Int) -> Input {
    // No byte of an empty stretch is read.
    let base = bytes.baseAddress ?? ExportFile.nothing
    return Input(base.assumingMemoryBound(to: UInt8.self), end: end, start: start)
  }

  /// Line and column (from 1, in Unicode scalars) of an offset.
  func position(of offset: Int) -> Position {
    var position = Position(line: 1, column: 1)
    for byte in bytes[min(start, bytes.count)..<max(start, min(offset, bytes.count))] {
      if byte == UInt8(ascii: "\n") {
        position = Position(line: position.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }

  func failure(_ message: String, at offset: Int) -> ImportFailure {
    ImportFailure(message, file: name, at: position(of: offset))
  }

  /// The text of a stretch; fails where the bytes are no UTF-8.
  func text(_ start: Int, _ end: Int) throws(ImportFailure) -> String {
    guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
      throw failure("found bytes that are not valid UTF-8; \(ForeignText.latin1)", at: start)
    }
    return text
  }

  /// Fails where the file is no text in UTF-8, or its first row shows other separators than commas.
  func requireReadable(firstRow cells: [String]? = nil) throws(ImportFailure) {
    let foreign = cells.map(ForeignText.find(inHeader:)) ?? ForeignText.find(in: bytes)
    if let foreign { throw failure("\(foreign.message); \(foreign.advice)", at: 0) }
  }

  /// Whether the file is a zip archive, which has to be unpacked first.
  public var isZip: Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }
}
