/// The reference days of a series, rising, and where a stretch of days lies among them.
struct ReferenceDays {
  let days: [Int32]
  private let isContiguous: Bool

  init(_ days: [Int32]) {
    self.days = days
    isContiguous = !days.isEmpty && Int(days[days.count - 1]) - Int(days[0]) == days.count - 1
  }

  var count: Int { days.count }

  /// The number of the first reference day that is not before `day`; `count` where all are.
  @inline(__always)
  func first(notBefore day: Int32) -> Int {
    if isContiguous { return min(max(Int(day) - Int(days[0]), 0), days.count) }
    var low = 0
    var high = days.count
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The numbers of the reference days in `first…last`.
  @inline(__always)
  func range(from first: Int32, through last: Int32) -> Range<Int> {
    let low = self.first(notBefore: first)
    let high = last == .max ? days.count : self.first(notBefore: last + 1)
    return low..<max(low, high)
  }
}

/// Counts for each reference day, kept as differences: what holds on a stretch of days costs two
/// additions, however long it is.
struct DayCounts {
  let days: ReferenceDays
  let parts: Int
  /// By part and day; one more day than there are, where stretches end that reach the last.
  private var differences: [Int]

  init(_ days: ReferenceDays, parts: Int) {
    self.days = days
    self.parts = parts
    differences = Array(repeating: 0, count: parts * (days.count + 1))
  }

  /// Adds 1 to a part on the reference days in `first…last`.
  @inline(__always)
  mutating func add(part: Int, from first: Int32, through last: Int32) {
    let range = days.range(from: first, through: last)
    guard !range.isEmpty else { return }
    let base = part * (days.count + 1)
    differences[base + range.lowerBound] += 1
    differences[base + range.upperBound] -= 1
  }

  mutating func add(_ other: DayCounts) {
    for index in differences.indices { differences[index] += other.differences[index] }
  }

  /// By reference day, the counts of the parts.
  var values: [[Cell]] {
    var sums = [Int](repeating: 0, count: parts)
    return days.days.indices.map { day in
      for part in 0..<parts { sums[part] += differences[part * (days.count + 1) + day] }
      return sums.map { Cell($0) }
    }
  }
}
