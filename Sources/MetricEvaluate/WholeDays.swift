import MetricData

/// The complete days of a completion of day windows without rest that asks only whether there is a fact: they
/// are the days that have one. So a streak is a scan over bits and a momentum a count of them.
enum WholeDays {
  case folded(FoldedFacts, bundle: Int)
  case facts(FactIndex)

  /// From a subject's first day to its last, in a series; a fold keeps no longer ones either.
  static let longestSpan: Int32 = 1 << 16

  /// Calls `body` with a subject's complete days, which are valid during the call.
  @inline(__always)
  func withDays<Result>(of subject: Int, _ worker: Worker, _ body: (DayBits) -> Result) -> Result {
    switch self {
    case .folded(let facts, let bundle): body(facts.days(bundle, of: subject))
    case .facts(let index): worker.dayWords.withDays(index, subject, body)
    }
  }
}

/// A set of days made of a subject's facts, in words that are used again for the next subject.
struct DayWords {
  private var words: [UInt64] = []

  mutating func withDays<Result>(
    _ index: FactIndex, _ subject: Int, _ body: (DayBits) -> Result
  ) -> Result {
    let slots = index.slots(of: subject)
    guard let first = slots.first, let last = slots.last else { return body(.empty) }
    let firstWord = Int(index.days[first]) >> 6
    let count = Int(index.days[last]) >> 6 - firstWord + 1
    words.removeAll(keepingCapacity: true)
    words.append(contentsOf: repeatElement(0, count: count))
    for slot in slots {
      let bit = Int(index.days[slot]) - firstWord << 6
      words[bit >> 6] |= 1 << UInt64(bit & 63)
    }
    return words.withUnsafeBufferPointer { words in
      guard let base = words.baseAddress else { return body(.empty) }
      return body(DayBits(words: base, wordCount: count, first: Int32(firstWord << 6)))
    }
  }
}
