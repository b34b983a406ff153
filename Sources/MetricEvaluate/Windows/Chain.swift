/// The windows of a chain from the first fact on, in segments, so that ten thousand years without a fact are one.
final class Chain {
  let ruler: Ruler
  private(set) var segments: [Segment] = []
  private var isFinished = false
  /// Of each segment the greatest streak, and of pairs, pairs of pairs… of them.
  private var peaks: [Int32] = []
  /// By half life and shift, the strength at each window, where so many were asked for that all are worth it.
  var strengths: [StrengthKey: KnownStrengths] = [:]

  init(_ ruler: Ruler) {
    self.ruler = ruler
  }

  // MARK: Making

  /// Appends windows whose states come again and again.
  func append(_ states: [CompiledCompletion.State], first: Int, last: Int) {
    var next = Segment(states, first: first, last: last)
    guard let index = segments.indices.last else {
      segments.append(next)
      return
    }
    let before = segments[index]
    if before.isUniform, next.isUniform, before.complete == next.complete, before.rest == next.rest {
      segments[index].last = next.last
      return
    }
    let count = before.count
    next.existingBefore = before.existingBefore + Int32(before.existing(of: count))
    next.completeBefore = before.completeBefore + Int32(before.completes(of: count))
    next.runBefore = Int32(before.run(at: count - 1))
    next.bestBefore = max(before.bestBefore, Int32(before.peak(from: 0, through: count - 1)))
    segments.append(next)
  }

  // MARK: Questions

  /// The number of the segment that holds a window; nil before the first one. A window behind the last belongs
  /// to the last.
  private func index(of number: Int) -> Int? {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if Int(segments[middle].first) <= number { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  /// The segment that holds a window, and how many of its windows there are up to it.
  func place(of number: Int) -> (index: Int, count: Int)? {
    guard let index = index(of: number) else { return nil }
    return (index, min(number, Int(segments[index].last)) - Int(segments[index].first) + 1)
  }

  /// How many windows there are that exist, up to one.
  func existing(through number: Int) -> Int {
    guard let (index, count) = place(of: number) else { return 0 }
    return Int(segments[index].existingBefore) + segments[index].existing(of: count)
  }

  /// How many complete windows there are up to one.
  func completes(through number: Int) -> Int {
    guard let (index, count) = place(of: number) else { return 0 }
    return Int(segments[index].completeBefore) + segments[index].completes(of: count)
  }

  /// How many of the first windows that exist are complete.
  private func completes(ofExisting count: Int) -> Int {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if Int(segments[middle].existingBefore) < count { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0 }
    let segment = segments[low - 1]
    return Int(segment.completeBefore)
      + segment.completes(ofExisting: count - Int(segment.existingBefore))
  }

  /// How many of the last so many windows that exist, up to one, are complete.
  func completes(amongLast windows: Int, through number: Int) -> Int {
    let before = existing(through: number) - windows
    return completes(through: number) - (before > 0 ? completes(ofExisting: before) : 0)
  }

  /// The streak read from a window.
  func run(at number: Int) -> Int {
    guard let (index, count) = place(of: number) else { return 0 }
    return segments[index].run(at: count - 1)
  }

  /// The greatest streak read from any window up to one.
  func best(through number: Int) -> Int {
    guard let (index, count) = place(of: number) else { return 0 }
    return max(Int(segments[index].bestBefore), segments[index].peak(from: 0, through: count - 1))
  }

  /// The greatest streak read from any of some windows.
  func peak(from first: Int, through last: Int) -> Int {
    guard first <= last, let (end, endCount) = place(of: last) else { return 0 }
    let (start, startCount) = place(of: first) ?? (0, 1)
    if start == end { return segments[end].peak(from: startCount - 1, through: endCount - 1) }
    let edges = max(
      segments[start].peak(from: startCount - 1, through: segments[start].count - 1),
      segments[end].peak(from: 0, through: endCount - 1))
    return max(edges, wholePeak(start + 1..<end))
  }

  private func wholePeak(_ range: Range<Int>) -> Int {
    guard !range.isEmpty else { return 0 }
    if peaks.isEmpty { makePeaks() }
    let size = segments.count
    var (low, high, peak) = (range.lowerBound + size, range.upperBound + size, Int32(0))
    while low < high {
      if low & 1 == 1 {
        peak = max(peak, peaks[low])
        low += 1
      }
      if high & 1 == 1 {
        high -= 1
        peak = max(peak, peaks[high])
      }
      low /= 2
      high /= 2
    }
    return Int(peak)
  }

  private func makePeaks() {
    let size = segments.count
    peaks = [Int32](repeating: 0, count: 2 * size)
    for index in 0..<size {
      peaks[size + index] = Int32(segments[index].peak(from: 0, through: segments[index].count - 1))
    }
    for index in stride(from: size - 1, to: 0, by: -1) {
      peaks[index] = max(peaks[2 * index], peaks[2 * index + 1])
    }
  }

  // MARK: Ends

  /// The last day of the first complete window that ends in a stretch of days.
  func firstComplete(from start: Int32, through day: Int32) -> Int32? {
    let last = ruler.last(through: day)
    guard let start = start == .min ? segments.first.map({ Int($0.first) }) : ruler.first(from: start),
      start <= last
    else { return nil }
    let before = completes(through: start - 1)
    return completes(through: last) > before ? end(ofComplete: before) : nil
  }

  /// The last day of the last complete window that ends in a stretch of days.
  func lastComplete(from start: Int32, through day: Int32) -> Int32? {
    let count = completes(through: ruler.last(through: day))
    guard count > 0 else { return nil }
    let end = end(ofComplete: count - 1)
    return end >= start ? end : nil
  }

  /// The last day of the complete window before which there are so many.
  private func end(ofComplete number: Int) -> Int32 {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if Int(segments[middle].completeBefore) <= number { low = middle + 1 } else { high = middle }
    }
    let segment = segments[max(0, low - 1)]
    let left = number - Int(segment.completeBefore)
    let each = max(1, segment.complete.nonzeroBitCount)
    var index = left / each * Int(segment.cycle)
    var seen = left % each
    while !segment.isComplete(index) || seen > 0 {
      if segment.isComplete(index) { seen -= 1 }
      index += 1
    }
    return ruler.end(Int(segment.first) + index)
  }

  /// The last days of all complete windows, rising.
  var completeEnds: [Int32] {
    var ends: [Int32] = []
    for segment in segments where segment.complete != 0 {
      for index in 0..<segment.count where segment.isComplete(index) {
        ends.append(ruler.end(Int(segment.first) + index))
      }
    }
    return ends
  }
}
