/// The short way for rows without quotes, of the right number of cells and with values in their usual
/// spellings: nearly all rows of nearly all files.
///
/// It takes a batch of rows, sees that their separators are right, and then decodes one column after the other,
/// so that each loop does one thing. It never says what is wrong: it stops at the first row that is not plain.
struct PlainRows: ~Copyable {
  /// A needed cell.
  private struct Target {
    var cell: Int
    var column: Int
    var rule: FieldRule
  }

  var places = PlaceIndex()
  private let decoder = PlainDecoder()
  private var targets: [Target] = []
  private var cellCount = 0
  /// The separators of a row, eight in a word, and which of these count.
  private var rowKinds: [(bytes: UInt64, mask: UInt64)] = []

  /// - Parameter columns: for each cell of a row the column that it fills, or -1.
  mutating func prepare(_ columns: [Int], _ builder: borrowing TableBuilder) {
    cellCount = columns.count
    rowKinds = stride(from: 0, to: cellCount, by: 8).map { first in
      var (bytes, mask): (UInt64, UInt64) = (0, 0)
      for cell in (first..<min(first + 8, cellCount)).reversed() {
        bytes = bytes << 8 | UInt64(cell == cellCount - 1 ? Byte.newline : Byte.comma)
        mask = mask << 8 | 0xFF
      }
      return (bytes, mask)
    }
    targets = []
    for column in builder.decodingOrder {
      guard let cell = columns.firstIndex(of: column) else { continue }
      targets.append(Target(cell: cell, column: column, rule: builder.rules[column]))
    }
  }

  /// Reads plain rows from `start` on that start before `limit`.
  ///
  /// - Returns: where it stopped, and up to where rows must be read in the general way.
  mutating func read(
    into builder: inout TableBuilder, _ input: Input, from start: Int, to limit: Int
  ) -> (next: Int, generalEnd: Int) {
    places.setStart(start)
    var firstStashed = start
    var isPlain = true
    while isPlain {
      let count = rightRows(input, limit, most: builder.freeRows)
      var plainCount = count
      for target in targets {
        plainCount = min(plainCount, decode(target, plainCount, input.base, builder.place(target.column)))
        builder.prefetch(target.column, count: plainCount)
      }
      places.take(plainCount * cellCount)
      builder.finishPlainRecords(plainCount)
      isPlain = count > 0 && plainCount == count
      guard builder.freeRows == 0 || !isPlain else { continue }
      guard builder.resolve() else { return (firstStashed, places.start) }
      firstStashed = places.start
    }
    return (places.start, 0)
  }

  /// How many of the next rows have the right separators.
  private mutating func rightRows(_ input: Input, _ limit: Int, most: Int) -> Int {
    while places.available < cellCount {
      let separators = (Byte.comma, Byte.newline, Byte.quote)
      guard places.extend(to: input.end, of: separators, input.base) else { return 0 }
    }
    let (base, cellCount) = (input.base, cellCount)
    let known = min(most, places.available / cellCount)
    var (ends, kinds) = (places.first, places.firstKinds)
    var count = 0
    while count < known, Int(ends[-1] &+ 1) < limit, isRow(kinds) {
      guard cellCount > 1 || !isEmpty(ends, base) else { break }
      ends += cellCount
      kinds += cellCount
      count &+= 1
    }
    return count
  }

  /// Whether the next separators are those of a row: commas, and a line feed at its end.
  @inline(__always)
  private func isRow(_ kinds: UnsafePointer<UInt8>) -> Bool {
    var different: UInt64 = 0
    for word in 0..<rowKinds.count {
      different |= (ByteScan.word(kinds + word &* 8) ^ rowKinds[word].bytes) & rowKinds[word].mask
    }
    return different == 0
  }

  /// Whether a line of a file with a single column is empty, so that it is no row.
  private func isEmpty(_ ends: UnsafePointer<UInt32>, _ base: UnsafePointer<UInt8>) -> Bool {
    let (start, end) = (ends[-1] &+ 1, ends[0])
    return start == end || start &+ 1 == end && base[Int(start)] == Byte.carriageReturn
  }

  /// Decodes the cells of a column, and says for how many rows that went well.
  private func decode(
    _ target: Target, _ count: Int, _ base: UnsafePointer<UInt8>, _ cells: TableBuilder.Place
  ) -> Int {
    let (decoder, type, minimum) = (decoder.view, target.rule.type, target.rule.minimum)
    switch type {
    case .text:
      return forEach(target, count, base, cells) { row, start, length in
        let bytes = UnsafeBufferPointer(start: base + start, count: length)
        cells.hashes[row] = StashedTexts.hash(bytes)
        return StashedTexts.stretch(start, length)
      }
    case .dayKey:
      return forEach(target, count, base, cells) { _, start, length in
        length == 10 ? decoder.day(base + start) : PlainDecoder.notPlain
      }
    case .decimal:
      return forEach(target, count, base, cells) { _, start, length in
        let value = decoder.number(base + start, length, isDecimal: true)
        return value >= minimum ? value : PlainDecoder.notPlain
      }
    case .int, .bool, .instant:
      return forEach(target, count, base, cells) { _, start, length in
        decoder.decode(base + start, length, type, minimum: minimum)
      }
    }
  }

  @inline(__always)
  private func forEach(
    _ target: Target, _ count: Int, _ base: UnsafePointer<UInt8>, _ cells: TableBuilder.Place,
    _ decode: (_ row: Int, _ start: Int, _ length: Int) -> Int64
  ) -> Int {
    let (cellCount, isRequired) = (cellCount, target.rule.isRequired)
    let isLast = target.cell == cellCount - 1
    var ends = places.first + target.cell
    for row in 0..<count {
      let start = Int(ends[-1] &+ 1)
      var end = Int(ends[0])
      ends += cellCount
      if isLast, base[end &- 1] == Byte.carriageReturn, end > start { end &-= 1 }
      if start == end {
        guard !isRequired else { return row }
        cells.cells[row] = Column.missingWide
        continue
      }
      let cell = decode(row, start, end &- start)
      guard cell != PlainDecoder.notPlain else { return row }
      cells.cells[row] = cell
    }
    return count
  }
}
