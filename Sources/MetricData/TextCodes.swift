/// Codes of a byte for the texts of a column, as long as there are no more than 255.
///
/// `@unchecked Sendable`: one thread adds texts; afterwards nobody does.
final class TextCodes: @unchecked Sendable {
  /// By code the narrow cell; that of a missing value for codes without a text.
  private(set) var texts = [Int32](repeating: Column.missingNarrow, count: 256)
  /// How many texts there are.
  private(set) var count = 0
  /// By number of the pool its code.
  private var codes: [UInt8] = []
  private let pool: StringPool

  /// The code of a missing value.
  static let missing = UInt8.max

  init(_ pool: StringPool) { self.pool = pool }

  /// The code of a cell, a new one where it has none; nil if there are too many.
  func code(of cell: Int32) -> UInt8? {
    guard cell != Column.missingNarrow else { return TextCodes.missing }
    makeRoom()
    if codes[Int(cell)] != TextCodes.missing { return codes[Int(cell)] }
    guard count < Int(TextCodes.missing) else { return nil }
    (texts[count], codes[Int(cell)]) = (cell, UInt8(count))
    count += 1
    return codes[Int(cell)]
  }

  /// Writes the codes of cells; false if there are too many texts.
  func encode(_ cells: UnsafePointer<Int64>, _ count: Int, to bytes: UnsafeMutablePointer<UInt8>) -> Bool {
    makeRoom()
    if encodeKnown(cells, count, to: bytes) { return true }
    for index in 0..<count where code(of: Column.narrowed(cells[index])) == nil { return false }
    return encodeKnown(cells, count, to: bytes)
  }

  /// The same; false if a text has no code.
  private func encodeKnown(
    _ cells: UnsafePointer<Int64>, _ count: Int, to bytes: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    codes.withUnsafeBufferPointer { codes in
      var unknown = 0
      for index in 0..<count {
        let cell = cells[index]
        bytes[index] = cell < 0 ? TextCodes.missing : codes[Int(cell)]
        unknown |= cell >= 0 && bytes[index] == TextCodes.missing ? 1 : 0
      }
      return unknown == 0
    }
  }

  private func makeRoom() {
    if pool.count > codes.count {
      codes += Array(repeating: TextCodes.missing, count: max(pool.count, 2 * codes.count) - codes.count)
    }
  }
}
