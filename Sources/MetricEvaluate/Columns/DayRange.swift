/// Equally spaced days in rising order: a column has one cell for each.
///
/// One reference day is a range of one; a series steps by 1; the windows of a completion step by their length.
struct DayRange: Hashable {
  var first: Int32
  var step: Int32
  var count: Int

  init(first: Int32, step: Int32 = 1, count: Int) {
    self.first = first
    self.step = step
    self.count = count
  }

  init(_ day: Int32) { self.init(first: day, count: 1) }

  /// Every day from `first` through `last`; none where `last` is earlier.
  init(from first: Int32, through last: Int32) {
    self.init(first: first, count: max(0, Int(last) - Int(first) + 1))
  }

  @inline(__always)
  subscript(index: Int) -> Int32 { first &+ step &* Int32(truncatingIfNeeded: index) }

  var last: Int32 { self[count - 1] }

  func shifted(by days: Int32) -> DayRange { DayRange(first: first - days, step: step, count: count) }

  /// The index of the first day that is not before `day`; `count` where all are.
  @inline(__always)
  func firstIndex(notBefore day: Int32) -> Int {
    let distance = Int(day) &- Int(first)
    if distance <= 0 { return 0 }
    // A division per fact cost more than the rest of the work on it.
    return min(count, step == 1 ? distance : (distance &+ Int(step) &- 1) / Int(step))
  }

  /// The indices of the days in `low…high`.
  @inline(__always)
  func indices(from low: Int32, through high: Int32) -> Range<Int> {
    let start = firstIndex(notBefore: low)
    let end = high == .max ? count : firstIndex(notBefore: high &+ 1)
    return start..<max(start, end)
  }

  /// Splits rising days into the longest possible ranges.
  static func ranges(of days: [Int32]) -> [DayRange] {
    var ranges: [DayRange] = []
    for day in days {
      if var range = ranges.last, range.count == 1 || day == range.last + range.step {
        range.step = day - range.last
        range.count += 1
        ranges[ranges.count - 1] = range
      } else {
        ranges.append(DayRange(day))
      }
    }
    return ranges
  }
}
