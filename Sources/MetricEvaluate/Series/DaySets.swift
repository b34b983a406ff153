import MetricData
import MetricPlan

/// For each subject the days on which it has a fact, a bit a day.
///
/// Right where days are dense, as those of people are; `init` gives nil where the bits would take far
/// more memory than the facts themselves.
final class DaySets: @unchecked Sendable {
  let firstDay: Int32
  let dayCount: Int
  let subjectCount: Int
  let words: Int
  private let bits: UnsafeMutablePointer<UInt64>

  deinit { bits.deallocate() }

  private init(firstDay: Int32, dayCount: Int, subjectCount: Int) {
    self.firstDay = firstDay
    self.dayCount = dayCount
    self.subjectCount = subjectCount
    words = (dayCount + 63) / 64
    bits = LargeMemory.allocate(UInt64.self, capacity: subjectCount * words)
    bits.initialize(repeating: 0, count: max(1, subjectCount * words))
  }

  /// The days of the facts of a scan that meet condition `condition`.
  convenience init?(_ scan: FactScan, condition: Int, subjectCount: Int, threads: Int, lastDay: Int32) {
    var low = Int32.max
    var high = Int32.min
    for day in scan.days where day <= lastDay {
      low = min(low, day)
      high = max(high, day)
    }
    guard low <= high else {
      self.init(firstDay: 0, dayCount: 0, subjectCount: subjectCount)
      return
    }
    let dayCount = Int(high) - Int(low) + 1
    let bytes = (dayCount + 63) / 64 * subjectCount * 8
    guard bytes <= max(32 << 20, scan.rowCount * 16) else { return nil }
    self.init(firstDay: low, dayCount: dayCount, subjectCount: subjectCount)
    // Each thread but one needs bits of its own.
    let pieces = max(1, min(threads, 1 + (128 << 20) / max(1, bytes), scan.rowCount / 65536))
    var sets = [self]
    for _ in 1..<pieces {
      sets.append(DaySets(firstDay: low, dayCount: dayCount, subjectCount: subjectCount))
    }
    let targets = sets
    let wanted: UInt32 = 1 << UInt32(condition)
    Parallel.perform(pieces: pieces) { number in
      let bits = targets[number].bits
      let words = targets[number].words
      scan.forEach(in: Parallel.part(number, of: pieces, scan.rowCount)) { subject, _, day, mask in
        guard mask & wanted != 0 else { return }
        let bit = Int(day - low)
        bits[subject * words + bit >> 6] |= 1 << UInt64(bit & 63)
      }
    }
    for other in sets.dropFirst() {
      for word in 0..<subjectCount * words { bits[word] |= other.bits[word] }
    }
  }

  /// The days of facts that were folded while they were read, in no more memory than the fold takes.
  convenience init(_ facts: FoldedFacts, bundle: Int, lastDay: Int32) {
    let count = facts.store.slotCount
    var low = Int32.max
    var high = Int32.min
    for subject in 0..<count {
      let days = facts.days(bundle, of: subject)
      low = min(low, days.firstDay(from: .min, through: lastDay) ?? low)
      high = max(high, days.lastDay(from: .min, through: lastDay) ?? high)
    }
    guard low <= high else {
      self.init(firstDay: 0, dayCount: 0, subjectCount: count)
      return
    }
    // Both count their words from the same day, so that these can be copied.
    let firstWord = Int(low) >> 6
    self.init(
      firstDay: Int32(firstWord << 6), dayCount: Int(high) - firstWord << 6 + 1, subjectCount: count)
    let lastWord = UInt64.max >> UInt64(63 - (Int(high) & 63))
    for subject in 0..<count {
      let days = facts.days(bundle, of: subject)
      let own = bits + subject * words
      own.update(from: days.words + (firstWord - Int(days.first) >> 6), count: words)
      own[words - 1] &= lastWord
    }
  }

  /// The words of a subject; bit 0 of the first is `firstDay`.
  @inline(__always)
  func words(of subject: Int) -> UnsafeBufferPointer<UInt64> {
    UnsafeBufferPointer(start: bits + subject * words, count: words)
  }

  /// The first day that is not before `day`, or nil.
  @inline(__always)
  func next(_ subject: Int, from day: Int32) -> Int32? {
    var index = max(Int(day) - Int(firstDay), 0)
    guard index < dayCount else { return nil }
    let words = words(of: subject)
    var word = words[index >> 6] & (~0 << UInt64(index & 63))
    while word == 0 {
      index = (index >> 6 + 1) << 6
      guard index < dayCount else { return nil }
      word = words[index >> 6]
    }
    return firstDay + Int32(index & ~63 + word.trailingZeroBitCount)
  }

  @inline(__always)
  func contains(_ subject: Int, _ day: Int32) -> Bool {
    let index = Int(day) - Int(firstDay)
    guard index >= 0, index < dayCount else { return false }
    return bits[subject * words + index >> 6] >> UInt64(index & 63) & 1 == 1
  }

  /// Calls `body` with the days of a subject, rising.
  @inline(__always)
  func forEachDay(_ subject: Int, _ body: (Int32) -> Void) {
    for (number, word) in words(of: subject).enumerated() {
      var word = word
      while word != 0 {
        body(firstDay + Int32(number * 64 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
  }
}

extension Compiler {
  /// The days on which each number of an entity has a fact that leads to it; nil where a fact can lead to several,
  /// or where days do not fit into bits.
  func daySets(
    _ record: RecordID, _ route: Route, where filter: Expression?, subjectCount: Int
  ) throws(EvaluationError) -> DaySets? {
    let aggregate = Aggregate(daysOf: record, route, where: filter)
    return try engine.daySets(aggregate, isTeam: isTeam) { () throws(EvaluationError) in
      if let (facts, bundle) = folded(aggregate) {
        return DaySets(facts, bundle: bundle, lastDay: engine.lastDay)
      }
      guard let scan = try FactScan(record, route, filters: [filter], self) else { return nil }
      return DaySets(
        scan, condition: 0, subjectCount: subjectCount, threads: engine.threads, lastDay: engine.lastDay)
    }
  }
}
