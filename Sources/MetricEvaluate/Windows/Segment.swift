/// Windows in a row of a chain that are alike, or whose states come again and again.
struct Segment {
  /// The states that come again: a bit for each window that is complete, and that is a rest window.
  var complete: UInt8
  var rest: UInt8
  /// How many they are, 1…7.
  var cycle: Int8
  /// The numbers of the first and last window.
  var first: Int32
  var last: Int32
  /// How many windows of the chain before these exist, and how many are complete.
  var existingBefore: Int32 = 0
  var completeBefore: Int32 = 0
  /// The streak at the window before these, and the greatest up to it.
  var runBefore: Int32 = 0
  var bestBefore: Int32 = 0

  init(_ states: [CompiledCompletion.State], first: Int, last: Int) {
    var (complete, rest): (UInt8, UInt8) = (0, 0)
    let cycle = states.allSatisfy { $0 == states[0] } ? 1 : states.count
    for (index, state) in states.prefix(cycle).enumerated() {
      if state == .complete { complete |= 1 << index }
      if state == .rest { rest |= 1 << index }
    }
    self.complete = complete
    self.rest = rest
    self.cycle = Int8(cycle)
    self.first = Int32(first)
    self.last = Int32(last)
  }

  var count: Int { Int(last) - Int(first) + 1 }
  /// Whether each of them is as the others.
  var isUniform: Bool { cycle == 1 }
  private var isUnbroken: Bool { complete | rest == UInt8(truncatingIfNeeded: 1 << Int(cycle)) &- 1 }

  private func isSet(_ mask: UInt8, _ index: Int) -> Bool { mask >> (index % Int(cycle)) & 1 == 1 }
  func isComplete(_ index: Int) -> Bool { isSet(complete, index) }
  func isRest(_ index: Int) -> Bool { isSet(rest, index) }

  /// How many of the first `count` are in a mask.
  private func number(_ mask: UInt8, of count: Int) -> Int {
    let (cycles, left) = count.quotientAndRemainder(dividingBy: Int(cycle))
    return cycles * mask.nonzeroBitCount + (mask & (1 << left - 1)).nonzeroBitCount
  }

  /// How many of the first `count` are complete.
  func completes(of count: Int) -> Int { number(complete, of: count) }

  /// How many of the first `count` exist.
  func existing(of count: Int) -> Int { count - number(rest, of: count) }

  /// How many of the first `count` that exist are complete.
  func completes(ofExisting count: Int) -> Int {
    let (each, size) = (existing(of: Int(cycle)), Int(cycle))
    guard each > 0, count > 0 else { return 0 }
    let (cycles, left) = count.quotientAndRemainder(dividingBy: each)
    var (found, seen) = (cycles * complete.nonzeroBitCount, 0)
    for index in 0..<size where seen < left && !isRest(index) {
      seen += 1
      if isComplete(index) { found += 1 }
    }
    return found
  }

  /// The streak at one of them.
  func run(at index: Int) -> Int {
    if isUnbroken { return Int(runBefore) + completes(of: index + 1) }
    var (run, index) = (0, index)
    while index >= 0 {
      if isComplete(index) { run += 1 } else if !isRest(index) { return run }
      index -= 1
    }
    return run + Int(runBefore)
  }

  /// The greatest streak at any of some of them.
  func peak(from first: Int, through last: Int) -> Int {
    if isUnbroken { return run(at: last) }
    // Behind the first cycle they come again.
    return (first...min(last, first + 2 * Int(cycle))).reduce(0) { max($0, run(at: $1)) }
  }
}
