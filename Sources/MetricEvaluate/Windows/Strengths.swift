import MetricPlan

/// The weights of a half life, added up, so that windows in a row cost one subtraction.
struct Weights: Sendable {
  let windows: Int
  /// The sum of all weights before each, in billionths: a little over 10⁹ at the most.
  private let sums: [Int32]

  init(halfLife windows: Int) {
    self.windows = windows
    var sum: Int32 = 0
    sums =
      [0]
      + HalfLife.weights(windows: windows).map { weight in
        sum += Int32(weight)
        return sum
      }
  }

  var count: Int { sums.count - 1 }

  /// The sum of some weights; there are none behind the last.
  func sum(_ range: Range<Int>) -> Int64 {
    Int64(sums[min(range.upperBound, count)]) - Int64(sums[min(range.lowerBound, count)])
  }
}

struct StrengthKey: Hashable {
  var halfLife: Int
  var shift: Int
}

/// What is known of the strengths at the windows of a chain.
struct KnownStrengths {
  /// How many steps it took to find some of them one by one.
  var steps = 0
  /// By number among the windows that exist.
  var sums: [Int32] = []
}

extension Chain {
  /// The weights of the complete windows up to one, in billionths: the newest that exists has the weight `shift`,
  /// the one before it the next.
  ///
  /// Complete windows in a row are one step. Where so many steps have been taken that it pays, the strengths at
  /// all windows are computed together, as a convolution: in integers, so that both ways give the same.
  func strength(through number: Int, _ weights: Weights, shift: Int) -> Int64 {
    let existing = existing(through: number)
    guard existing > 0, let (index, _) = place(of: number) else { return 0 }
    let key = StrengthKey(halfLife: weights.windows, shift: shift)
    var known = strengths[key] ?? KnownStrengths()
    if existing <= known.sums.count { return Int64(known.sums[existing - 1]) }
    var sum: Int64 = 0
    for segment in segments[...index].reversed() {
      let (first, steps) = (Int(segment.existingBefore), known.steps)
      let end = min(existing, first + segment.existing(of: segment.count))
      guard existing - end + shift < weights.count else { break }
      known.steps = steps + 1
      guard segment.complete != 0, first < end else { continue }
      let ages = existing - end + shift..<existing - first + shift
      if segment.hasOnlyComplete {
        sum += weights.sum(ages)
      } else {
        let pattern = segment.existingStates
        for age in ages.lowerBound..<min(ages.upperBound, weights.count)
        where pattern[(ages.upperBound - 1 - age) % pattern.count] {
          sum += weights.sum(age..<age + 1)
        }
        known.steps += ages.count
      }
    }
    if known.steps > Chain.stepsForAll * (windowCount + 64) {
      known.sums = allStrengths(weights, shift: shift)
    }
    strengths[key] = known
    return sum
  }

  /// A convolution takes about as long as so many steps for each window.
  private static let stepsForAll = 64

  /// How many windows there are that exist.
  private var windowCount: Int { segments.last.map { existing(through: Int($0.last)) } ?? 0 }

  private func allStrengths(_ weights: Weights, shift: Int) -> [Int32] {
    var states: [UInt8] = []
    states.reserveCapacity(windowCount)
    for segment in segments {
      for index in 0..<segment.count where !segment.isRest(index) {
        states.append(segment.isComplete(index) ? 1 : 0)
      }
    }
    let used = max(0, min(weights.count - shift, states.count))
    let kernel = (0..<used).map { UInt64(weights.sum($0 + shift..<$0 + shift + 1)) }
    return Convolution(kernel: kernel, length: states.count).sums(of: states)
  }
}

extension Segment {
  /// Whether all that exist of them are complete.
  var hasOnlyComplete: Bool { completes(of: Int(cycle)) == existing(of: Int(cycle)) }

  /// Whether each of those of a cycle that exist is complete.
  var existingStates: [Bool] { (0..<Int(cycle)).filter { !isRest($0) }.map(isComplete) }
}
