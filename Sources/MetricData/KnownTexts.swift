/// The short texts of a column and their numbers, by a hash of their bytes.
///
/// Most text columns of facts hold a few short texts, such as countries or names of events. Found here, a text is neither
/// stashed nor looked up in the pool, which saves three quarters of its instructions: a tenth of a count by two such fields.
/// A column whose texts are mostly new or long is stashed from its next batch on (`StashedTexts`).
struct KnownTexts: BitwiseCopyable {
  private struct Entry: BitwiseCopyable {
    var first: UInt64 = 0
    var second: UInt64 = 0
    /// 0 where the entry is free.
    var length: Int32 = 0
    var number: Int32 = 0
  }

  /// Nil if the column's texts are stashed.
  private var entries: UnsafeMutablePointer<Entry>?
  /// How many texts of the batch were not found.
  private var misses = 0

  private static let bits: UInt64 = 10
  private static let longest = 16

  /// - Parameter isUsed: whether texts may be known; only texts that the pool numbers.
  init(isUsed: Bool) {
    guard isUsed else { return }
    let count = 1 << Int(KnownTexts.bits)
    let entries = UnsafeMutablePointer<Entry>.allocate(capacity: count)
    entries.initialize(repeating: Entry(), count: count)
    self.entries = entries
  }

  mutating func deallocate() {
    entries?.deallocate()
    entries = nil
  }

  /// Whether texts get their numbers at once.
  @inline(__always)
  var isUsed: Bool { entries != nil }

  /// Ends a batch: where more than a quarter of its texts were not found, the next ones are stashed.
  mutating func finishBatch(_ rows: Int) {
    if misses * 4 > rows { deallocate() }
    misses = 0
  }

  /// The number of a text of `length` bytes, at least 1, or `notPlain` if it is not UTF-8. The 7 bytes after it
  /// must be readable.
  @inline(__always)
  mutating func number(_ start: UnsafePointer<UInt8>, _ length: Int, _ pool: StringPool) -> Int64 {
    guard let entries, length <= KnownTexts.longest else { return add(start, length, pool) }
    let first = ByteScan.firstWord(start, length, isPadded: true)
    let second = length > 8 ? ByteScan.firstWord(start + 8, length &- 8, isPadded: true) : 0
    let hash = (first ^ second &* 0xD6E8_FEB8_6659_FD93) &* 0x9E37_79B9_7F4A_7C15
    let entry = entries + Int(truncatingIfNeeded: hash &>> (64 &- KnownTexts.bits))
    if entry.pointee.first == first, entry.pointee.second == second, entry.pointee.length == length {
      return Int64(entry.pointee.number)
    }
    let number = add(start, length, pool)
    if number >= 0 {
      entry.pointee = Entry(first: first, second: second, length: Int32(length), number: Int32(number))
    }
    return number
  }

  @inline(never)
  private mutating func add(_ start: UnsafePointer<UInt8>, _ length: Int, _ pool: StringPool) -> Int64 {
    misses += 1
    let number = pool.internValidated(UnsafeBufferPointer(start: start, count: length))
    return number.map(Int64.init) ?? PlainDecoder.notPlain
  }
}
