import MetricData
import MetricPlan

/// The live facts of one record type by the subjects that a route leads them to, in the order of
/// their days. A subject's facts are the slots `offsets[s] ..< offsets[s + 1]`.
///
/// Built in time linear in the facts (counting sorts by day and by subject).
struct FactIndex {
  private(set) var offsets: [Int32]
  /// Row of the fact's table, by slot.
  private(set) var rows: [Int32]
  /// Day number, by slot; rising within a subject.
  private(set) var days: [Int32]

  var subjectCount: Int { offsets.count - 1 }

  @inline(__always)
  func slots(of subject: Int) -> Range<Int> {
    guard subject >= 0, subject < subjectCount else { return 0..<0 }
    return Int(offsets[subject])..<Int(offsets[subject + 1])
  }

  /// Whether no subject's first and last day are more than so many days apart.
  func hasNoSpan(over longest: Int32) -> Bool {
    (0..<subjectCount).allSatisfy { subject in
      let slots = slots(of: subject)
      guard let first = slots.first, let last = slots.last else { return true }
      return days[last] - days[first] <= longest
    }
  }

  /// The slots of a subject whose day lies in `first…last`.
  @inline(__always)
  func slots(of subject: Int, from first: Int32, through last: Int32) -> Range<Int> {
    let all = slots(of: subject)
    guard !all.isEmpty, first <= last else { return 0..<0 }
    let low = lowerBound(first, in: all)
    guard low < all.upperBound else { return 0..<0 }
    let high = last == .max ? all.upperBound : lowerBound(last + 1, in: low..<all.upperBound)
    return low..<high
  }

  /// The first slot of the range whose day is not before `day`.
  @inline(__always)
  private func lowerBound(_ day: Int32, in range: Range<Int>) -> Int {
    var low = range.lowerBound
    var high = range.upperBound
    // Most questions are about the end of the range: the last days before the reference day.
    if days[range.lowerBound] >= day { return range.lowerBound }
    if days[range.upperBound - 1] < day { return range.upperBound }
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// - Parameters:
  ///   - pairs: fact rows with their subjects, each pair once, in the order of the days.
  init(subjectCount: Int, rows pairRows: [Int32], subjects: [Int32], day: (Int32) -> Int32) {
    var offsets = [Int32](repeating: 0, count: subjectCount + 1)
    for subject in subjects { offsets[Int(subject) + 1] += 1 }
    for index in 1..<max(1, offsets.count) { offsets[index] += offsets[index - 1] }
    var next = offsets
    var rows = [Int32](repeating: 0, count: pairRows.count)
    var days = [Int32](repeating: 0, count: pairRows.count)
    for (row, subject) in zip(pairRows, subjects) {
      let slot = Int(next[Int(subject)])
      next[Int(subject)] += 1
      rows[slot] = row
      days[slot] = day(row)
    }
    self.offsets = offsets
    self.rows = rows
    self.days = days
  }

  /// A part of another index: the slots for which `keep` holds, with the same subjects.
  init(_ base: FactIndex, keep: (_ slot: Int, _ subject: Int) -> Bool) {
    var offsets: [Int32] = [0]
    offsets.reserveCapacity(base.offsets.count)
    var rows: [Int32] = []
    var days: [Int32] = []
    for subject in 0..<base.subjectCount {
      for slot in base.slots(of: subject) where keep(slot, subject) {
        rows.append(base.rows[slot])
        days.append(base.days[slot])
      }
      offsets.append(Int32(rows.count))
    }
    self.offsets = offsets
    self.rows = rows
    self.days = days
  }

  /// Puts a fact in its place: behind those of its day that it is not before.
  ///
  /// - Returns: its slot.
  @discardableResult
  mutating func insert(
    row: Int32, subject: Int, day: Int32, isBefore: (_ row: Int32, _ other: Int32) -> Bool
  ) -> Int {
    let ofDay = slots(of: subject, from: day, through: day)
    let end = slots(of: subject, from: .min, through: day).upperBound
    let first = ofDay.isEmpty ? max(end, Int(offsets[subject])) : ofDay.lowerBound
    var slot = ofDay.isEmpty ? first : ofDay.upperBound
    while slot > first, isBefore(row, rows[slot - 1]) { slot -= 1 }
    rows.insert(row, at: slot)
    days.insert(day, at: slot)
    for index in subject + 1..<offsets.count { offsets[index] += 1 }
    return slot
  }

  /// Takes a fact out.
  ///
  /// - Returns: the slot that it had; nil where it was not there.
  @discardableResult
  mutating func remove(row: Int32, subject: Int, day: Int32) -> Int? {
    guard let slot = slots(of: subject, from: day, through: day).first(where: { rows[$0] == row }) else {
      return nil
    }
    rows.remove(at: slot)
    days.remove(at: slot)
    for index in subject + 1..<offsets.count { offsets[index] -= 1 }
    return slot
  }

  /// Replaces each row by another name for it.
  mutating func mapRows(_ transform: (Int32) -> Int32) {
    for slot in rows.indices { rows[slot] = transform(rows[slot]) }
  }

  /// Reorders the slots of each day of each subject.
  mutating func sortWithinDays(_ isBefore: (_ row: Int32, _ other: Int32) -> Bool) {
    for subject in 0..<subjectCount {
      let all = slots(of: subject)
      var start = all.lowerBound
      while start < all.upperBound {
        var end = start + 1
        while end < all.upperBound, days[end] == days[start] { end += 1 }
        if end - start > 1 { rows[start..<end].sort(by: isBefore) }
        start = end
      }
    }
  }
}

/// The rows of a table by rising day: a counting sort where the days are dense, as they nearly
/// always are.
func rowsByDay(_ rows: [Int32], day: (Int32) -> Int32) -> [Int32] {
  guard let first = rows.first else { return rows }
  var low = day(first)
  var high = low
  var isSorted = true
  var last = low
  for row in rows {
    let day = day(row)
    if day < last { isSorted = false }
    last = day
    low = min(low, day)
    high = max(high, day)
  }
  if isSorted { return rows }
  let span = Int(high) - Int(low) + 1
  guard span <= 4 * rows.count + 4096 else { return rows.sorted { (day($0), $0) < (day($1), $1) } }
  var next = [Int32](repeating: 0, count: span + 1)
  for row in rows { next[Int(day(row) - low) + 1] += 1 }
  for index in 1...span { next[index] += next[index - 1] }
  var sorted = [Int32](repeating: 0, count: rows.count)
  for row in rows {
    let bucket = Int(day(row) - low)
    sorted[Int(next[bucket])] = row
    next[bucket] += 1
  }
  return sorted
}
