internal import MetricIntrinsics

/// A set of days as bits in a memory that somebody else owns: bit n is the day `first + n`.
@usableFromInline package struct DayBits {
  @usableFromInline package var words: UnsafePointer<UInt64>
  @usableFromInline package var wordCount: Int
  @usableFromInline package var first: Int32

  /// No day at all: it has no words, so that its address is never examined.
  package static var empty: DayBits {
    DayBits(words: UnsafePointer(bitPattern: 8).unsafelyUnwrapped, wordCount: 0, first: 0)
  }

  @inlinable @inline(__always)
  package var bitCount: Int { wordCount &<< 6 }

  /// The bits of `first…last` that exist, or nil if there are none.
  @inlinable @inline(__always)
  func range(_ from: Int32, _ last: Int32) -> (low: Int, high: Int)? {
    let low = max(0, Int(from) - Int(first))
    let high = min(bitCount - 1, Int(last) - Int(first))
    return low <= high ? (low, high) : nil
  }

  /// A word with only the bits of `low…high`.
  @inlinable @inline(__always)
  func word(_ index: Int, _ low: Int, _ high: Int) -> UInt64 {
    var word = words[index]
    if index == low &>> 6 { word &= UInt64.max &<< UInt64(low & 63) }
    if index == high &>> 6 { word &= UInt64.max &>> UInt64(63 &- high & 63) }
    return word
  }

  /// How many days of `from…last` there are.
  @inlinable
  package func count(from: Int32, through last: Int32) -> Int {
    guard let (low, high) = range(from, last) else { return 0 }
    var count = 0
    for index in low &>> 6...high &>> 6 { count &+= word(index, low, high).nonzeroBitCount }
    return count
  }

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

  /// Calls `body` with each day up to `last`, rising. It is inlined: a call for each day took a twentieth of the time of
  /// habit metrics.
  @inlinable @inline(__always)
  package func forEach(through last: Int32, _ body: (Int32) -> Void) {
    guard let (_, high) = range(first, last) else { return }
    for index in 0...high &>> 6 {
      var word = word(index, 0, high)
      while word != 0 {
        body(first &+ Int32(truncatingIfNeeded: index &<< 6 &+ word.trailingZeroBitCount))
        word &= word &- 1
      }
    }
  }
}

/// For each slot of a fold the days that have a record: a bit per day for each bundle that keeps days.
///
/// They are stored by 64 days and not by slot, each slice with a word for every slot and bundle. Records mostly come in
/// the order of their days; then all of them touch the same slice for a long time, which is small enough to stay in the
/// cache. With all the words of a slot side by side, each record touched a line that nobody else did: folding ten
/// million records by a hundred thousand keys took 7 % more processor time.
struct DaySlices: ~Copyable {
  typealias Slice = UnsafeMutablePointer<UInt64>

  /// For how many bundles there are bits.
  let bundleCount: Int
  /// The words of days that there may be slices for; a word is that of the days from 64 times it on.
  private(set) var words = 0..<0
  /// Word after word; nil if no record has had such a day.
  private var slices: UnsafeMutablePointer<Slice?>
  /// For how many slots each slice has words; those of a slot's bundles are adjacent.
  private var capacity = 256

  init(bundleCount: Int) {
    self.bundleCount = bundleCount
    slices = .allocate(capacity: 1)
  }

  deinit {
    for word in 0..<words.count { slices[word]?.deallocate() }
    slices.deallocate()
  }

  /// The slices for use in a loop; valid until a day or a slot is added.
  var view: View { View(slices: slices, bundleCount: bundleCount) }

  struct View {
    fileprivate let slices: UnsafeMutablePointer<Slice?>
    fileprivate let bundleCount: Int

    /// The bits of a slot and a bundle for a word, both counted from 0; nil if the word has no slice.
    @inline(__always)
    func bits(_ word: Int, _ slot: Int, _ bundle: Int) -> Slice? {
      slices[word].map { $0 + (slot &* bundleCount &+ bundle) }
    }
  }

  /// The words from the first to the last one of those that are there and others.
  func words(covering others: Range<Int>) -> Range<Int> {
    if words.isEmpty || others.isEmpty { return words.isEmpty ? others : words }
    return min(words.lowerBound, others.lowerBound)..<max(words.upperBound, others.upperBound)
  }

  /// Allows slices for other words, too.
  mutating func cover(_ others: Range<Int>) {
    let all = words(covering: others)
    let wider = UnsafeMutablePointer<Slice?>.allocate(capacity: all.count)
    wider.initialize(repeating: nil, count: all.count)
    if !words.isEmpty {
      (wider + (words.lowerBound - all.lowerBound)).update(from: slices, count: words.count)
    }
    slices.deallocate()
    (slices, words) = (wider, all)
  }

  func needsRoom(for slotCount: Int) -> Bool { slotCount > capacity }

  /// Makes room for as many slots.
  mutating func reserve(_ slotCount: Int) {
    guard needsRoom(for: slotCount) else { return }
    let old = capacity
    while capacity < slotCount { capacity *= 2 }
    for word in 0..<words.count {
      guard let slice = slices[word] else { continue }
      let larger = newSlice()
      larger.update(from: slice, count: old * bundleCount)
      slice.deallocate()
      slices[word] = larger
    }
  }

  /// Makes the slice of a word, where there is none.
  @inline(__always)
  mutating func open(_ word: Int) {
    if slices[word] == nil { slices[word] = newSlice() }
  }

  @inline(never)
  private func newSlice() -> Slice {
    let slice = LargeMemory.allocate(UInt64.self, capacity: capacity * bundleCount)
    slice.initialize(repeating: 0, count: capacity * bundleCount)
    return slice
  }

  /// Asks for the words of the days of a slot.
  @inline(__always)
  func prefetch(_ slot: Int) {
    for word in 0..<words.count {
      if let bits = view.bits(word, slot, 0) { metric_prefetch(bits) }
    }
  }

  /// Writes the words of the days of a slot, bundle by bundle.
  @inline(__always)
  func copy(_ slot: Int, to target: UnsafeMutablePointer<UInt64>) {
    for word in 0..<words.count {
      guard let bits = view.bits(word, slot, 0) else { continue }
      for bundle in 0..<bundleCount { target[bundle &* words.count &+ word] = bits[bundle] }
    }
  }

  /// Adds the days of another, whose days are covered here.
  ///
  /// - Parameter slots: for the slots of the other one those here.
  mutating func add(_ other: borrowing DaySlices, slots: [Int32]) {
    for word in 0..<other.words.count {
      let own = word + other.words.lowerBound - words.lowerBound
      guard let source = other.view.bits(word, 0, 0) else { continue }
      open(own)
      guard let target = view.bits(own, 0, 0) else { continue }
      for (slot, own) in slots.enumerated() {
        for bundle in 0..<bundleCount {
          target[Int(own) &* bundleCount &+ bundle] |= source[slot &* bundleCount &+ bundle]
        }
      }
    }
  }
}
