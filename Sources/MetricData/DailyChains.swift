internal import MetricIntrinsics

/// Numbers by day, in chains of small chunks: what a fold keeps of each day of each key.
///
/// An entry is one word: the day below, the number above. Records mostly come in the order of their days, so that an
/// entry is added to as long as its day lasts, and a chain has an entry per day; where they do not, a day has several.
/// Chunks are lines of the cache and never move, so that two stores are put together by joining chains.
struct DailyChains: ~Copyable {
  private var blocks: [UnsafeMutablePointer<UInt64>] = []
  private var next: UnsafeMutablePointer<UInt64>?
  private var left = 0

  /// Seven entries and the address of the next chunk.
  private static let chunkWords = 8
  private static let mostChunksABlock = 1 << 16
  /// In place of an entry: none. No entry is this one, as its number is out of range.
  private static let none: UInt64 = 1 << 63
  /// Numbers are smaller than this, so that those of all days of a chain together fit an Int64.
  private static let limit: Int64 = 1 << 46

  deinit { for block in blocks { block.deallocate() } }

  /// Adds to a chain, whose first chunk and last entry stand at `chain`; false if the day or the number does not fit an
  /// entry.
  @inline(__always)
  mutating func add(_ number: Int64, day: Int, to chain: UnsafeMutablePointer<UInt64>) -> Bool {
    guard let short = Int16(exactly: day) else { return false }
    let dayBits = UInt64(UInt16(bitPattern: short))
    if let last = UnsafeMutablePointer<UInt64>(bitPattern: UInt(chain[1])), last.pointee & 0xFFFF == dayBits {
      let sum = (Int64(bitPattern: last.pointee) &>> 16) &+ number
      guard number.magnitude < DailyChains.limit, sum.magnitude < DailyChains.limit else { return false }
      last.pointee = UInt64(bitPattern: sum) &<< 16 | dayBits
      return true
    }
    guard number.magnitude < DailyChains.limit else { return false }
    append(UInt64(bitPattern: number) &<< 16 | dayBits, to: chain)
    return true
  }

  private mutating func append(_ entry: UInt64, to chain: UnsafeMutablePointer<UInt64>) {
    guard let last = UnsafeMutablePointer<UInt64>(bitPattern: UInt(chain[1])) else {
      let chunk = newChunk()
      chunk[0] = entry
      chain[0] = UInt64(UInt(bitPattern: chunk))
      chain[1] = chain[0]
      return
    }
    var place = last + 1
    if UInt(bitPattern: place) >> 3 & 7 == 7 {
      let chunk = newChunk()
      place.pointee = UInt64(UInt(bitPattern: chunk))
      place = chunk
    }
    place.pointee = entry
    chain[1] = UInt64(UInt(bitPattern: place))
  }

  private mutating func newChunk() -> UnsafeMutablePointer<UInt64> {
    if left == 0 {
      left = min(DailyChains.mostChunksABlock, 64 << min(blocks.count, 10))
      let size = left * DailyChains.chunkWords
      let raw = UnsafeMutableRawPointer.allocate(byteCount: size * 8, alignment: 64)
      let block = raw.bindMemory(to: UInt64.self, capacity: size)
      blocks.append(block)
      next = block
    }
    guard let chunk = next else { preconditionFailure("a block has chunks") }
    left -= 1
    next = chunk + DailyChains.chunkWords
    chunk.initialize(repeating: DailyChains.none, count: DailyChains.chunkWords - 1)
    (chunk + DailyChains.chunkWords - 1).initialize(to: 0)
    return chunk
  }

  /// Takes over the chunks of another; its chains stay where they are and have to be joined to those here.
  mutating func take(_ other: inout DailyChains) {
    blocks = other.blocks + blocks
    other.blocks = []
    other.left = 0
  }

  /// Puts a chain after another.
  static func join(_ other: UnsafePointer<UInt64>, to chain: UnsafeMutablePointer<UInt64>) {
    guard other[0] != 0 else { return }
    if let last = UnsafeMutablePointer<UInt64>(bitPattern: UInt(chain[1])) {
      let place = Int(UInt(bitPattern: last) >> 3 & 7)
      last[7 - place] = other[0]
    } else {
      chain[0] = other[0]
    }
    chain[1] = other[1]
  }

  /// Brings chains into the cache, all at once: each of their chunks only tells where the next one is, and following one
  /// chain after another took 19 of the 30 milliseconds of a best streak of 10,000 habits.
  ///
  /// - Parameter first: the first chain; those after it are so many words apart.
  static func prefetch(_ first: UnsafePointer<UInt64>, stride: Int, count: Int) {
    withUnsafeTemporaryAllocation(of: UInt.self, capacity: count) { chunks in
      for chain in 0..<count { chunks[chain] = UInt(first[chain &* stride]) }
      var isDone = false
      while !isDone {
        isDone = true
        for chain in 0..<count {
          guard let chunk = UnsafePointer<UInt64>(bitPattern: chunks[chain]) else { continue }
          chunks[chain] = UInt(chunk[chunkWords - 1])
          metric_prefetch(UnsafeRawPointer(bitPattern: chunks[chain]))
          isDone = false
        }
      }
    }
  }

  /// How many entries a chain has at most.
  static func capacity(of chain: UnsafePointer<UInt64>) -> Int {
    var count = 0
    var chunk = UnsafePointer<UInt64>(bitPattern: UInt(chain[0]))
    while let words = chunk {
      count &+= chunkWords - 1
      chunk = UnsafePointer(bitPattern: UInt(words[chunkWords - 1]))
    }
    return count
  }

  /// Copies the entries of a chain, those of one day in a row as one.
  ///
  /// - Returns: how many there are, and whether their days rise: they do so only as far as those of the records did.
  static func copy(
    _ chain: UnsafePointer<UInt64>, to days: UnsafeMutablePointer<Int32>, _ sums: UnsafeMutablePointer<Int64>
  ) -> (count: Int, isRising: Bool) {
    var (count, isRising, last) = (0, true, Int32.min)
    var chunk = UnsafePointer<UInt64>(bitPattern: UInt(chain[0]))
    while let words = chunk {
      for index in 0..<chunkWords - 1 {
        let entry = words[index]
        if entry == none { break }
        let (day, number) = (Int32(Int16(truncatingIfNeeded: entry)), Int64(bitPattern: entry) &>> 16)
        if day == last {
          sums[count &- 1] &+= number
        } else {
          isRising = isRising && day > last
          (days[count], sums[count], last) = (day, number, day)
          count &+= 1
        }
      }
      chunk = UnsafePointer(bitPattern: UInt(words[chunkWords - 1]))
    }
    return (count, isRising)
  }
}
