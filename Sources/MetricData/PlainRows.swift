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

  deinit { decoder.deallocate() }

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
        plainCount = min(plainCount, decode(target, plainCount, input.base, builder))
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
    let (base, cellCount, rowKinds) = (input.base, cellCount, rowKinds)
    let known = min(most, places.available / cellCount)
    var (ends, kinds) = (places.first, places.firstKinds)
    var count = 0
    // Whether the next separators are those of a row: commas, and a line feed at its end.
    func isRow() -> Bool {
      var different: UInt64 = 0
      for (word, row) in rowKinds.enumerated() {
        different |= (ByteScan.word(kinds + word &* 8) ^ row.bytes) & row.mask
      }
      return different == 0
    }
    while count < known, Int(ends[-1] &+ 1) < limit, isRow() {
      guard cellCount > 1 || !isEmpty(ends, base) else { break }
      ends += cellCount
      kinds += cellCount
      count &+= 1
    }
    return count
  }

  /// Whether a line of a file with a single column is empty, so that it is not a row.
  private func isEmpty(_ ends: UnsafePointer<UInt32>, _ base: UnsafePointer<UInt8>) -> Bool {
    let (start, end) = (ends[-1] &+ 1, ends[0])
    return start == end || start &+ 1 == end && base[Int(start)] == Byte.carriageReturn
  }

  /// Decodes the cells of a column, and says for how many rows that went well.
  private func decode(
    _ target: Target, _ count: Int, _ base: UnsafePointer<UInt8>, _ builder: borrowing TableBuilder
  ) -> Int {
    let (decoder, type, minimum) = (decoder, target.rule.type, target.rule.minimum)
    let (cells, texts) = (builder.cells(target.column), builder.texts(target.column))
    @inline(__always)
    func decode(_ type: ColumnType) -> Int {
      forEach(target, count, base, cells) { _, start, length in
        decoder.decode(base + start, length, type, minimum: minimum)
      }
    }
    switch type {
    case .text where texts.pointee.isUsed:
      let pool = builder.pool
      return forEach(target, count, base, cells) { _, start, length in
        texts.pointee.number(base + start, length, pool)
      }
    case .text:
      let hashes = builder.hashes(target.column)
      return forEach(target, count, base, cells) { row, start, length in
        let bytes = UnsafeBufferPointer(start: base + start, count: length)
        hashes[row] = KeyedSlots.hash(bytes, isPadded: true)
        return StashedTexts.stretch(start, length)
      }
    // Loops of their own, which do not look at the type for each cell.
    case .dayKey: return decode(.dayKey)
    case .decimal: return decode(.decimal)
    case .int, .bool, .instant: return decode(type)
    }
  }

  @inline(__always)
  private func forEach(
    _ target: Target, _ count: Int, _ base: UnsafePointer<UInt8>, _ cells: UnsafeMutablePointer<Int64>,
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
        cells[row] = Column.missingWide
        continue
      }
      let cell = decode(row, start, end &- start)
      guard cell != PlainDecoder.notPlain else { return row }
      cells[row] = cell
    }
    return count
  }
}

/// Decodes values in the spellings that nearly all files use, eight bytes at a time. For any other spelling
/// it gives `notPlain`, and the general path decides.
///
/// Numbers are parsed with the multiplications of Daniel Lemire, "Quickly parsing eight digits" (2018).
struct PlainDecoder: BitwiseCopyable {
  /// No cell: the text is for the general path, which may refuse it.
  static let notPlain = Int64.min + 1

  /// Days by a hash of their text: a file has few different ones.
  private let days: UnsafeMutablePointer<KnownDay>

  /// 10 to the power of 0…6.
  private let powers: UnsafeMutablePointer<Int64>

  init() {
    let count = 1 << Int(KnownDay.bits)
    days = .allocate(capacity: count)
    days.initialize(repeating: KnownDay(), count: count)
    powers = .allocate(capacity: 7)
    powers.initialize(from: [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000], count: 7)
  }

  func deallocate() {
    days.deallocate()
    powers.deallocate()
  }

  private struct KnownDay: BitwiseCopyable {
    var first: UInt64 = 0
    var rest: UInt64 = .max
    var day: Int64 = 0

    static let bits: UInt64 = 10
  }

  /// The cell of a text of `count` bytes, at least 1, by its column's type. Text columns are stashed.
  @inline(__always)
  func decode(
    _ start: UnsafePointer<UInt8>, _ count: Int, _ type: ColumnType, minimum: Int64
  ) -> Int64 {
    switch type {
    case .text: return Self.notPlain
    case .dayKey: return count == 10 ? day(start) : Self.notPlain
    case .decimal:
      let value = number(start, count, isDecimal: true)
      return value >= minimum ? value : Self.notPlain
    case .int:
      let value = number(start, count, isDecimal: false)
      return value >= 0 && value &* FixedDecimal.scale >= minimum ? value : Self.notPlain
    case .instant: return instant(start, count)
    case .bool: return Self.bool(start, count)
    }
  }

  /// The number of a day of ten bytes.
  @inline(__always)
  func day(_ start: UnsafePointer<UInt8>) -> Int64 {
    let first = ByteScan.word(start)
    let rest = UInt64(UnsafeRawPointer(start + 8).loadUnaligned(as: UInt16.self))
    let hash = (first &* 0x9E37_79B9_7F4A_7C15) ^ (rest &* 0xD6E8_FEB8_6659_FD93)
    let entry = days + Int(truncatingIfNeeded: hash &>> (64 - KnownDay.bits))
    if entry.pointee.first == first, entry.pointee.rest == rest { return entry.pointee.day }
    guard let day = DayKey(utf8: UnsafeBufferPointer(start: start, count: 10)) else {
      return Self.notPlain
    }
    entry.pointee = KnownDay(first: first, rest: rest, day: Int64(day.number))
    return Int64(day.number)
  }

  /// 1…8 digits, a point among them where a Decimal is wanted; the 7 bytes before `start` are readable.
  ///
  /// Nothing branches on the point, since whether there is one and where changes from row to row.
  @inline(__always)
  func number(_ start: UnsafePointer<UInt8>, _ count: Int, isDecimal: Bool) -> Int64 {
    guard count <= 8 else { return Self.notPlain }
    // The text is in the upper bytes; zeros fill the lower ones.
    let mask = UInt64.max &<< UInt64(64 &- 8 &* count)
    let text = (ByteScan.word(start + (count &- 8)) & mask) | (Self.zeros & ~mask)
    // The highest bit of the point's byte; 0 where there is none.
    let points = ByteScan.marks(ofExactly: Byte.point, in: text)
    let point = points & (0 &- points)
    let below = (point &>> 7) &- 1
    let joined = text & ~(below &<< 8 | 0xFF) | (text & below) &<< 8 | UInt64(Byte.zero)
    let hasPoint = UInt64(bitPattern: Int64(bitPattern: point | (0 &- point)) &>> 63)
    let digits = (text ^ (text ^ joined) & hasPoint) ^ Self.zeros
    // Neither the first byte is a point nor the last one, and none is in a whole number.
    let last: UInt64 = 1 &<< 63
    let wrong = isDecimal ? point & (last | 0x80 &<< UInt64(64 &- 8 &* count)) : point
    guard wrong | (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else {
      return Self.notPlain
    }
    let fraction = 7 &- (point | last).trailingZeroBitCount &>> 3
    let pairs = digits &* 10 &+ digits &>> 8
    let upper = (pairs & 0x0000_00FF_0000_00FF) &* 0x000F_4240_0000_0064
    let lower = ((pairs &>> 16) & 0x0000_00FF_0000_00FF) &* 0x0000_2710_0000_0001
    let value = Int64((upper &+ lower) &>> 32)
    return isDecimal ? value &* powers[6 &- fraction] : value
  }

  private static let zeros: UInt64 = 0x3030_3030_3030_3030

  /// `2026-01-31T08:15:00Z`, with or without three fractional digits.
  @inline(__always)
  private func instant(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int64 {
    guard count == 24 || count == 20, start[10] == UInt8(ascii: "T"), start[count &- 1] == UInt8(ascii: "Z")
    else { return general(start, count) }
    let day = day(start)
    // `08:15:00` with its colons and zeros taken away.
    let clock = ByteScan.word(start + 11) ^ 0x3030_3A30_303A_3030
    let isClock =
      (clock | (clock &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0
      && clock & 0x0000_FF00_00FF_0000 == 0
    func pair(_ shift: UInt64) -> Int64 {
      Int64((clock &>> shift & 0xF) &* 10 &+ (clock &>> (shift &+ 8) & 0xF))
    }
    let (hour, minute, second) = (pair(0), pair(24), pair(48))
    guard day != Self.notPlain, isClock, hour <= 23, minute <= 59, second <= 59 else {
      return general(start, count)
    }
    var micros = (((day &* 24 &+ hour) &* 60 &+ minute) &* 60 &+ second) &* 1_000_000
    if count == 24 {
      let (tenths, hundredths, thousandths) = (
        Byte.digit(start[20]), Byte.digit(start[21]), Byte.digit(start[22])
      )
      guard start[19] == Byte.point, tenths <= 9, hundredths <= 9, thousandths <= 9 else {
        return general(start, count)
      }
      micros &+= (Int64(tenths) &* 100 &+ Int64(hundredths) &* 10 &+ Int64(thousandths)) &* 1000
    }
    return micros
  }

  @inline(never)
  private func general(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int64 {
    let instant = Instant(utf8: UnsafeBufferPointer(start: start, count: count))
    return instant?.microseconds ?? Self.notPlain
  }

  @inline(never)
  private static func bool(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int64 {
    let bytes = UnsafeBufferPointer(start: start, count: count)
    return bytes.elementsEqual("true".utf8) ? 1 : bytes.elementsEqual("false".utf8) ? 0 : Self.notPlain
  }
}
