import MetricPlan

/// Counts different values by asked day: each value counts on the days whose period holds one of its facts. As facts
/// come by rising day, so do the stretches of asked days on which they count, and a value only has to remember how
/// far it has been counted.
struct DistinctCounts {
  private let asked: DayRange
  private var covered = CoveredValues()
  private var changes: [Int]

  init(_ asked: DayRange) {
    self.asked = asked
    changes = Array(repeating: 0, count: asked.count + 1)
  }

  /// A fact that counts on some of the asked days, which do not start before those of the facts before it.
  @inline(__always)
  mutating func add(_ value: Cell, _ lanes: Range<Int>) {
    let from = covered.cover(value, lanes)
    if from < lanes.upperBound {
      changes[from] += 1
      changes[lanes.upperBound] -= 1
    }
  }

  mutating func write(to out: UnsafeMutablePointer<Cell>) {
    var count = 0
    for lane in 0..<asked.count {
      count += changes[lane]
      out[lane] = Cell(count)
    }
  }
}

/// How far each of some values has been counted.
private struct CoveredValues {
  private var keys: [Cell] = Array(repeating: 0, count: 64)
  /// How far the value of a place has been counted; 0 is a free place.
  private var ends: [Int] = Array(repeating: 0, count: 64)
  private var used = 0

  /// Notes that a value counts on some asked days.
  ///
  /// - Returns: the first of them on which it has not been counted yet.
  @inline(__always)
  mutating func cover(_ value: Cell, _ lanes: Range<Int>) -> Int {
    var place = hash(value)
    while ends[place] != 0 {
      if keys[place] == value {
        let known = ends[place]
        ends[place] = max(known, lanes.upperBound)
        return max(known, lanes.lowerBound)
      }
      place = (place &+ 1) & (keys.count &- 1)
    }
    keys[place] = value
    ends[place] = lanes.upperBound
    used += 1
    if used * 2 > keys.count { grow() }
    return lanes.lowerBound
  }

  @inline(__always)
  private func hash(_ value: Cell) -> Int { Hashing.mix(UInt64(bitPattern: value)) & (keys.count &- 1) }

  private mutating func grow() {
    let (oldKeys, oldEnds) = (keys, ends)
    keys = Array(repeating: 0, count: 2 * oldKeys.count)
    ends = Array(repeating: 0, count: 2 * oldKeys.count)
    for (key, end) in zip(oldKeys, oldEnds) where end != 0 {
      var place = hash(key)
      while ends[place] != 0 { place = (place &+ 1) & (keys.count &- 1) }
      keys[place] = key
      ends[place] = end
    }
  }
}
