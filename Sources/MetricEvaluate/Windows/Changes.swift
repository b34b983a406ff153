/// The days on which the conditions of a completion may change for one subject.
struct Changes {
  private struct Source {
    /// Rising, each once.
    var days: [Int32]
    var reaches: [Reach]
    /// Where the last question found the next day, and for each reach the next fact that goes out of sight.
    var nextDay = 0
    var leaving: [Int]

    /// The first change behind `end`, if it lies before `limit`.
    mutating func next(after end: Int32, before limit: Int32) -> Int32 {
      var next = limit
      nextDay = days.edge(from: nextDay) { $0 > end }
      if nextDay < days.count { next = min(next, days[nextDay]) }
      for (number, reach) in reaches.enumerated() {
        leaving[number] = days.edge(from: leaving[number]) { reach.lastEnd(holding: $0) >= end }
        guard leaving[number] < days.count else { continue }
        let last = reach.lastEnd(holding: days[leaving[number]])
        if last < next { next = last + 1 }
      }
      return next
    }
  }

  private var sources: [Source] = []
  /// Rising.
  private var bounds: [Int32] = []
  private var lastEnd = Int32.min

  mutating func add(_ days: [Int32], _ reaches: [Reach]) {
    guard !days.isEmpty else { return }
    sources.append(Source(days: days, reaches: reaches, leaving: reaches.map { _ in 0 }))
  }

  /// Adds DayKeys with which `day` is compared.
  mutating func add(bounds days: [Int32]) {
    bounds = (bounds + days + days.map { $0 == .max ? $0 : $0 + 1 }).sorted()
  }

  /// The first day behind `end` that may differ from the day before it; the greatest number where there is none.
  /// Quick where the questions go from day to later day.
  mutating func next(after end: Int32) -> Int32 {
    let isBack = end < lastEnd
    lastEnd = end
    let bound = bounds.edge(from: 0) { $0 > end }
    var next = bound < bounds.count ? bounds[bound] : .max
    for index in sources.indices {
      if isBack {
        sources[index].nextDay = 0
        for number in sources[index].leaving.indices { sources[index].leaving[number] = 0 }
      }
      next = sources[index].next(after: end, before: next)
    }
    return next
  }

  /// All of them up to `last`, in no order.
  func all(through last: Int32) -> [Int32] {
    var days = bounds.filter { $0 <= last }
    for source in sources {
      for day in source.days where day <= last {
        days.append(day)
        for reach in source.reaches {
          let end = reach.lastEnd(holding: day)
          if end < last { days.append(end + 1) }
        }
      }
    }
    return days
  }
}

extension [Int32] {
  /// The number of the first element for which a condition holds that holds for all behind it, too; none before
  /// `start` is looked at. Quick where it is near.
  @inline(__always)
  func edge(from start: Int, _ holds: (Int32) -> Bool) -> Int {
    var low = start
    var step = 1
    while low + step <= count, !holds(self[low + step - 1]) {
      low += step
      step *= 2
    }
    var high = Swift.min(low + step - 1, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
