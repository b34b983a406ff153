/// What is kept of the facts of each key where all of them are asked about at once: totals, or which texts they have. So a
/// distinct count of users by country takes one pass over the facts and no memory for each of them.
struct FactSummary {
  enum Kind: Hashable { case totals, texts }

  private struct Totals {
    var sum: Int128 = 0
    var least = Cell.max
    var greatest = Cell.min
  }

  private let kind: Kind
  /// By key.
  private var totals: [Totals] = []
  /// A bit for each text of the pool, key after key.
  private var texts: [UInt64] = []
  /// How many words the bits of a key are.
  private let words: Int
  /// Whether lists take less memory.
  private(set) var isTooLarge = false

  /// 32 MB for each thread.
  private static let mostWords = 4 << 20

  init(_ kind: Kind, textCount: Int) {
    self.kind = kind
    words = (textCount + 63) / 64
  }

  /// Adds the facts of a batch to their keys, all of them below `keyCount`.
  mutating func add(_ batch: FactScan.Batch, keys: UnsafePointer<Int32>, keyCount: Int) {
    makeRoom(for: keyCount)
    if isTooLarge { return }
    let words = words
    switch kind {
    case .totals:
      totals.withUnsafeMutableBufferPointer { totals in
        for lane in 0..<batch.count where batch.masks[lane] != 0 && !batch.isBeyond(lane) {
          let (key, value) = (Int(keys[lane]), batch.values[lane])
          totals[key].sum &+= Int128(value)
          totals[key].least = min(totals[key].least, value)
          totals[key].greatest = max(totals[key].greatest, value)
        }
      }
    case .texts:
      texts.withUnsafeMutableBufferPointer { texts in
        for lane in 0..<batch.count where batch.masks[lane] != 0 && !batch.isBeyond(lane) {
          let text = Int(batch.values[lane])
          texts[Int(keys[lane]) &* words &+ text &>> 6] |= 1 &<< UInt64(text & 63)
        }
      }
    }
  }

  /// Whether lists take less memory for so many keys.
  func isTooLarge(for keyCount: Int) -> Bool { kind == .texts && keyCount * words > FactSummary.mostWords }

  private mutating func makeRoom(for keyCount: Int) {
    switch kind {
    case .totals:
      if totals.count < keyCount { totals += Array(repeating: Totals(), count: keyCount) }
    case .texts:
      isTooLarge = isTooLarge || isTooLarge(for: keyCount)
      if !isTooLarge, texts.count < keyCount * words {
        texts += Array(repeating: 0, count: keyCount * words)
      }
    }
  }

  /// Adds what another one has of a key.
  mutating func add(_ other: FactSummary, _ own: Int, to key: Int) {
    isTooLarge = isTooLarge || other.isTooLarge
    switch kind {
    case .totals where own < other.totals.count:
      makeRoom(for: key + 1)
      let added = other.totals[own]
      totals[key].sum += added.sum
      totals[key].least = min(totals[key].least, added.least)
      totals[key].greatest = max(totals[key].greatest, added.greatest)
    case .texts where (own + 1) * words <= other.texts.count:
      makeRoom(for: key + 1)
      for word in 0..<words where !isTooLarge {
        texts[key * words + word] |= other.texts[own * words + word]
      }
    case .totals, .texts: break
    }
  }

  /// An aggregate of the facts of a key, of which there are `count`.
  func value(_ function: AggregateFunction, of key: Int, count: Int, isDecimal: Bool) -> Cell {
    if function == .distinct {
      return count == 0
        ? 0 : Cell(texts[key * words..<(key + 1) * words].reduce(0) { $0 + $1.nonzeroBitCount })
    }
    if function == .sum, count == 0 { return 0 }
    guard count > 0 else { return noValue }
    return switch function {
    case .min: totals[key].least
    case .max: totals[key].greatest
    case .average: Statistics.average(sum: totals[key].sum, count: count)
    case .sum, .count, .days, .distinct, .contribution, .stddev, .percentile, .first, .last:
      Operators.checked(totals[key].sum, isDecimal: isDecimal)
    }
  }
}

extension Aggregate {
  /// What a summary needs to keep for it; nil where it asks for each fact.
  var summary: FactSummary.Kind? {
    switch function {
    case .sum, .average, .min, .max: argument == nil ? nil : .totals
    case .distinct: argument?.type == .text ? .texts : nil
    case .count, .days, .contribution, .stddev, .percentile, .first, .last: nil
    }
  }
}
