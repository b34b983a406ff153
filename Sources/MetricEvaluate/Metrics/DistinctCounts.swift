import MetricPlan

/// Counts different values by asked day: each value counts on the days whose period holds one of its facts. As facts
/// come by rising day, so do the stretches of asked days on which they count, and a value only has to remember how
/// far it has been counted.
struct DistinctCounts {
  private let asked: DayRange
  private let worker: Worker
  private var starts: PeriodStarts
  /// The first asked day that is not before the last fact, and the first whose period starts behind it.
  private var (first, end) = (0, 0)
  private let ids: DistinctIDs.Mark
  private var changes: [Int]

  init(_ period: Period, _ asked: DayRange, _ worker: Worker) {
    self.asked = asked
    self.worker = worker
    starts = PeriodStarts(period)
    ids = worker.distinct.begin()
    changes = Array(repeating: 0, count: asked.count + 1)
  }

  /// A fact with a value; its day is not before those of the facts before it.
  @inline(__always)
  mutating func add(_ value: Cell, day: Int32) {
    let lanes = lanes(holding: day)
    if !lanes.isEmpty { add(value, lanes) }
  }

  /// A fact that counts on some of the asked days, which do not start before those of the facts before it.
  @inline(__always)
  mutating func add(_ value: Cell, _ lanes: Range<Int>) {
    let from = worker.distinct.cover(value, ids, lanes)
    if from < lanes.upperBound {
      changes[from] += 1
      changes[lanes.upperBound] -= 1
    }
  }

  /// The asked days whose period holds a day.
  @inline(__always)
  private mutating func lanes(holding day: Int32) -> Range<Int> {
    while first < asked.count, asked[first] < day { first &+= 1 }
    while end < asked.count, starts.start(endingAt: asked[end]) <= day { end &+= 1 }
    return first..<max(first, end)
  }

  mutating func write(to out: UnsafeMutablePointer<Cell>) {
    var count = 0
    for lane in 0..<asked.count {
      count += changes[lane]
      out[lane] = Cell(count)
    }
  }
}

/// How far each of some values has been counted; reused from count to count.
final class DistinctIDs {
  private var keys: [Cell] = Array(repeating: 0, count: 256)
  /// Which count a place belongs to, in the upper half, and how far it has been counted.
  private var covered: [UInt64] = Array(repeating: 0, count: 256)
  private var round: UInt64 = 0
  private var used = 0

  struct Mark { fileprivate var round: UInt64 }

  func begin() -> Mark {
    round += 1
    used = 0
    return Mark(round: round)
  }

  /// Says that a value counts on some asked days.
  ///
  /// - Returns: the first of them on which it has not been counted yet.
  @inline(__always)
  func cover(_ value: Cell, _ mark: Mark, _ lanes: Range<Int>) -> Int {
    var place = hash(value)
    while covered[place] &>> 32 == mark.round {
      if keys[place] == value {
        let known = Int(covered[place] & 0xFFFF_FFFF)
        covered[place] = mark.round &<< 32 | UInt64(max(known, lanes.upperBound))
        return max(known, lanes.lowerBound)
      }
      place = (place &+ 1) & (keys.count &- 1)
    }
    keys[place] = value
    covered[place] = mark.round &<< 32 | UInt64(lanes.upperBound)
    used += 1
    if used * 2 > keys.count { grow() }
    return lanes.lowerBound
  }

  @inline(__always)
  private func hash(_ value: Cell) -> Int { Hashing.mix(UInt64(bitPattern: value)) & (keys.count &- 1) }

  private func grow() {
    let (oldKeys, oldCovered) = (keys, covered)
    keys = Array(repeating: 0, count: 2 * oldKeys.count)
    covered = Array(repeating: 0, count: 2 * oldKeys.count)
    for (key, entry) in zip(oldKeys, oldCovered) where entry &>> 32 == round {
      var place = hash(key)
      while covered[place] &>> 32 == round { place = (place &+ 1) & (keys.count &- 1) }
      keys[place] = key
      covered[place] = entry
    }
  }
}
