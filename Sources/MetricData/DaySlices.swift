/// For each slot of a fold the days that have a record: a bit a day for each bundle that keeps days.
///
/// They stand by 64 days and not by slot, each slice with a word for every slot. Records mostly come in the order of
/// their days; then all of them touch the same slice for a long time, which is small enough to stay in the cache. With
/// the words of a slot side by side, each record touched a line that nobody else did: a tenth of the time of
/// folding ten million records by a hundred thousand keys.
struct DaySlices: ~Copyable {
  typealias Slice = UnsafeMutablePointer<UInt64>

  /// For how many bundles there are bits.
  let bundleCount: Int
  /// The days from 64 times this are those of the first slices.
  private(set) var firstWord = 0
  /// How many words of days there may be slices for.
  private(set) var wordCount = 0
  /// Word after word, those of each bundle; nil where no record has had such a day.
  private var slices: UnsafeMutablePointer<Slice?>
  /// For how many slots each slice has words.
  private var capacity = 256

  init(bundleCount: Int) {
    self.bundleCount = bundleCount
    slices = .allocate(capacity: 1)
  }

  deinit {
    for index in 0..<wordCount * bundleCount { slices[index]?.deallocate() }
    slices.deallocate()
  }

  /// The slices for use in a loop; valid until a day or a slot is added.
  var view: View { View(slices: slices, bundleCount: bundleCount) }

  struct View {
    fileprivate let slices: UnsafeMutablePointer<Slice?>
    fileprivate let bundleCount: Int

    /// The slice of a word and a bundle, both counted from 0.
    @inline(__always)
    subscript(word: Int, bundle: Int) -> Slice? { slices[word &* bundleCount &+ bundle] }
  }

  /// How many words it takes to have all days from `low` to `high` beside those that are there.
  func words(covering low: Int, _ high: Int) -> Int {
    let (first, last) = range(covering: low, high)
    return last - first + 1
  }

  private func range(covering low: Int, _ high: Int) -> (first: Int, last: Int) {
    guard wordCount > 0 else { return (low >> 6, high >> 6) }
    return (min(firstWord, low >> 6), max(firstWord + wordCount - 1, high >> 6))
  }

  /// Whether there may be slices for all days from `low` to `high`.
  func covers(_ low: Int, _ high: Int) -> Bool {
    wordCount > 0 && low >> 6 >= firstWord && high >> 6 < firstWord + wordCount
  }

  /// Lets there be slices for the days from `low` to `high`.
  mutating func cover(_ low: Int, _ high: Int) {
    let (first, last) = range(covering: low, high)
    let wider = UnsafeMutablePointer<Slice?>.allocate(capacity: (last - first + 1) * bundleCount)
    wider.initialize(repeating: nil, count: (last - first + 1) * bundleCount)
    let moved = wider + (wordCount > 0 ? firstWord - first : 0) * bundleCount
    moved.update(from: slices, count: wordCount * bundleCount)
    slices.deallocate()
    (slices, firstWord, wordCount) = (wider, first, last - first + 1)
  }

  /// Makes room for as many slots.
  mutating func reserve(_ slotCount: Int) {
    guard slotCount > capacity else { return }
    let old = capacity
    while capacity < slotCount { capacity *= 2 }
    for index in 0..<wordCount * bundleCount {
      guard let slice = slices[index] else { continue }
      let larger = newSlice()
      larger.update(from: slice, count: old)
      slice.deallocate()
      slices[index] = larger
    }
  }

  /// Makes the slices of a word, where there are none.
  @inline(__always)
  mutating func open(_ word: Int) {
    if slices[word &* bundleCount] == nil { make(word) }
  }

  @inline(never)
  private mutating func make(_ word: Int) {
    for bundle in 0..<bundleCount { slices[word * bundleCount + bundle] = newSlice() }
  }

  private func newSlice() -> Slice {
    let slice = LargeMemory.allocate(UInt64.self, capacity: capacity)
    slice.initialize(repeating: 0, count: capacity)
    return slice
  }

  /// Writes the words of the days of a slot, bundle by bundle.
  @inline(__always)
  func copy(_ slot: Int, to words: UnsafeMutablePointer<UInt64>) {
    for bundle in 0..<bundleCount {
      for word in 0..<wordCount {
        if let slice = view[word, bundle] { words[bundle &* wordCount &+ word] = slice[slot] }
      }
    }
  }

  /// Adds the days of another, whose days are covered here.
  ///
  /// - Parameter slots: for the slots of the other one those here.
  mutating func add(_ other: borrowing DaySlices, slots: [Int32]) {
    for word in 0..<other.wordCount {
      let own = word + other.firstWord - firstWord
      for bundle in 0..<bundleCount {
        guard let source = other.view[word, bundle] else { continue }
        open(own)
        guard let target = view[own, bundle] else { continue }
        for (slot, own) in slots.enumerated() { target[Int(own)] |= source[slot] }
      }
    }
  }
}
