/// A set of days as bits in a memory that somebody else owns: bit n is the day `first + n`.
package struct DayBits {
  package var words: UnsafePointer<UInt64>
  package var wordCount: Int
  package var first: Int32

  package init(words: UnsafePointer<UInt64>, wordCount: Int, first: Int32) {
    self.words = words
    self.wordCount = wordCount
    self.first = first
  }

  @inline(__always)
  package var bitCount: Int { wordCount &<< 6 }

  /// The bits of `first…last` that exist, or nil where there are none.
  @inline(__always)
  private func range(_ from: Int32, _ last: Int32) -> (low: Int, high: Int)? {
    let low = max(0, Int(from) - Int(first))
    let high = min(bitCount - 1, Int(last) - Int(first))
    return low <= high ? (low, high) : nil
  }

  /// A word of which only the bits of `low…high` are left.
  @inline(__always)
  private func word(_ index: Int, _ low: Int, _ high: Int) -> UInt64 {
    var word = words[index]
    if index == low &>> 6 { word &= UInt64.max &<< UInt64(low & 63) }
    if index == high &>> 6 { word &= UInt64.max &>> UInt64(63 &- high & 63) }
    return word
  }

  /// How many days of `from…last` there are.
  package func count(from: Int32, through last: Int32) -> Int {
    guard let (low, high) = range(from, last) else { return 0 }
    var count = 0
    for index in low &>> 6...high &>> 6 { count &+= word(index, low, high).nonzeroBitCount }
    return count
  }

  package func isEmpty(from: Int32, through last: Int32) -> Bool {
    guard let (low, high) = range(from, last) else { return true }
    for index in low &>> 6...high &>> 6 where word(index, low, high) != 0 { return false }
    return true
  }

  package func contains(_ day: Int32) -> Bool { !isEmpty(from: day, through: day) }

  package func firstDay(from: Int32, through last: Int32) -> Int32? {
    guard let (low, high) = range(from, last) else { return nil }
    for index in low &>> 6...high &>> 6 {
      let word = word(index, low, high)
      if word != 0 { return first &+ Int32(index &<< 6 &+ word.trailingZeroBitCount) }
    }
    return nil
  }

  package func lastDay(from: Int32, through last: Int32) -> Int32? {
    guard let (low, high) = range(from, last) else { return nil }
    for index in (low &>> 6...high &>> 6).reversed() {
      let word = word(index, low, high)
      if word != 0 { return first &+ Int32(index &<< 6 &+ 63 &- word.leadingZeroBitCount) }
    }
    return nil
  }

  /// How many days in a row there are that end with `last`.
  package func run(endingAt last: Int32) -> Int {
    guard last >= first, let (_, high) = range(first, last), high == Int(last) - Int(first) else { return 0 }
    var run = 0
    var index = high &>> 6
    // The bits up to `high`, moved to the top.
    var word = words[index] &<< UInt64(63 &- high & 63)
    var left = high & 63 &+ 1
    while true {
      let ones = min((~word).leadingZeroBitCount, left)
      run &+= ones
      guard ones == left, index > 0 else { return run }
      index &-= 1
      word = words[index]
      left = 64
    }
  }

  /// The most days in a row up to `last`.
  package func longestRun(through last: Int32) -> Int {
    guard let (_, high) = range(first, last) else { return 0 }
    var best = 0
    var run = 0
    for index in 0...high &>> 6 {
      var word = word(index, 0, high)
      var left = 64
      while left > 0 {
        let zeros = min(word.trailingZeroBitCount, left)
        if zeros > 0 {
          best = max(best, run)
          run = 0
          left &-= zeros
          word = zeros < 64 ? word &>> UInt64(zeros) : 0
        }
        let ones = min((~word).trailingZeroBitCount, left)
        run &+= ones
        left &-= ones
        word = ones < 64 ? word &>> UInt64(ones) : 0
      }
    }
    return max(best, run)
  }

  /// Calls `body` with each day up to `last`, rising.
  package func forEach(through last: Int32, _ body: (Int32) -> Void) {
    guard let (_, high) = range(first, last) else { return }
    for index in 0...high &>> 6 {
      var word = word(index, 0, high)
      while word != 0 {
        body(first &+ Int32(index &<< 6 &+ word.trailingZeroBitCount))
        word &= word &- 1
      }
    }
  }
}

extension DayBits {
  /// No day at all: it has no words, so that its address is never examined.
  package static var empty: DayBits { DayBits(words: noWords, wordCount: 0, first: 0) }

  private static nonisolated(unsafe) let noWords: UnsafePointer<UInt64> = {
    let word = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
    word.initialize(to: 0)
    return UnsafePointer(word)
  }()
}
