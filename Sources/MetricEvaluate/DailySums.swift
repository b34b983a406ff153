/// What a fold keeps of the days of one subject, made ready for questions about stretches of days. Filled
/// again for the next subject.
final class DailySums {
  private var subject = -1
  /// Rising, each once.
  private var days: [Int32] = []
  /// The sum of all days before each, and behind the last one of all.
  private var sums: [Int64] = [0]

  func prepare(_ facts: FoldedFacts, _ bundle: Int, _ subject: Int) {
    guard subject != self.subject else { return }
    self.subject = subject
    days.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
    sums.append(0)
    let slot = facts.slot(of: subject)
    guard slot >= 0 else { return }
    var isRising = true
    facts.store.forEachDay(bundle, slot) { day, number in
      if let last = days.last, last >= day { isRising = false }
      days.append(day)
      sums.append((sums.last ?? 0) &+ number)
    }
    if !isRising { sort() }
  }

  /// Puts the days in their order, where the file had them in another.
  private func sort() {
    let entries = days.indices.map { (day: days[$0], number: sums[$0 + 1] &- sums[$0]) }
    days.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
    sums.append(0)
    for entry in entries.sorted(by: { $0.day < $1.day }) {
      let total = (sums.last ?? 0) &+ entry.number
      if days.last == entry.day {
        sums[sums.count - 1] = total
      } else {
        days.append(entry.day)
        sums.append(total)
      }
    }
  }

  /// The sum of the days from `first` to `last`.
  func sum(from first: Int32, through last: Int32) -> Int64 {
    let low = count(before: first)
    let high = last == .max ? days.count : count(before: last + 1)
    return low < high ? sums[high] &- sums[low] : 0
  }

  /// How many of the days lie before one.
  private func count(before day: Int32) -> Int {
    var low = 0
    var high = days.count
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
