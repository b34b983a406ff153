import MetricData
internal import MetricIntrinsics

/// The state of an ordered funnel for each subject, for facts that come in their order: nothing is kept of a fact
/// but how far its subject has come with it.
///
/// Files are mostly written in the order of time. Where they are, ten million facts need neither be put in places
/// by subject nor sorted, which took as long as reading them.
struct FunnelStream: ~Copyable {
  private let subjects: Range<Int>
  private let steps: Int
  /// For each subject a moment, and behind it how far it has come at each step: one line of the cache for as
  /// many as six steps.
  private let states: UnsafeMutableRawPointer
  private let stride: Int
  private let block: UnsafeMutablePointer<Fact>

  /// The last moment at which a subject had facts, and the steps that these can serve.
  private struct Moment: BitwiseCopyable {
    var instant: Int64
    var day: Int32
    var steps: UInt32
  }

  /// A fact of the block at hand.
  private struct Fact: BitwiseCopyable {
    var moment: Moment
    var state: UnsafeMutableRawPointer
  }

  private static let blockSize = 256

  /// - Parameter subjects: the numbers of those that this one is about.
  init(_ subjects: Range<Int>, steps: Int) {
    self.subjects = subjects
    self.steps = steps
    let size = MemoryLayout<Moment>.stride + steps * MemoryLayout<FunnelScan.Reached>.stride
    stride = size <= 64 ? 64 : (size + 7) / 8 * 8
    states = UnsafeMutableRawPointer(
      LargeMemory.allocate(UInt64.self, capacity: subjects.count * stride / 8))
    for index in 0..<subjects.count {
      let state = states + index * stride
      state.initializeMemory(as: Moment.self, to: Moment(instant: .min, day: .min, steps: 0))
      FunnelStream.reached(state).initialize(repeating: FunnelScan.Reached(), count: steps)
    }
    block = .allocate(capacity: FunnelStream.blockSize)
  }

  deinit {
    states.deallocate()
    block.deallocate()
  }

  @inline(__always)
  private static func reached(
    _ state: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<FunnelScan.Reached> {
    (state + MemoryLayout<Moment>.stride).assumingMemoryBound(to: FunnelScan.Reached.self)
  }

  /// Goes through all facts.
  ///
  /// - Parameter meet: takes the steps that the facts of one moment can serve, moment after moment.
  /// - Returns: false where a fact came after a later one of its subject, or without an Instant.
  func run(
    _ scan: FactScan, _ instants: [Int64], included: [Bool]?,
    _ meet: (_ steps: UInt32, _ day: Int32, _ state: UnsafeMutablePointer<FunnelScan.Reached>) -> Void
  ) -> Bool {
    var count = 0
    var isInOrder = true
    scan.forEach(in: 0..<scan.rowCount) { subject, row, day, mask in
      guard subjects.contains(subject), isInOrder, included?[subject] ?? true else { return }
      let state = states + (subject &- subjects.lowerBound) &* stride
      metric_prefetch(state)
      let moment = Moment(instant: instants[row], day: day, steps: mask)
      (block + count).initialize(to: Fact(moment: moment, state: state))
      count &+= 1
      if count == FunnelStream.blockSize {
        isInOrder = take(count, meet)
        count = 0
      }
    }
    guard isInOrder, take(count, meet) else { return false }
    for index in 0..<subjects.count {
      let state = states + index * stride
      let moment = state.load(as: Moment.self)
      if moment.steps != 0 { meet(moment.steps, moment.day, FunnelStream.reached(state)) }
    }
    return true
  }

  /// Takes in the facts of the block, whose states have been asked for; false where one is not in order.
  @inline(__always)
  private func take(
    _ count: Int,
    _ meet: (_ steps: UInt32, _ day: Int32, _ state: UnsafeMutablePointer<FunnelScan.Reached>) -> Void
  ) -> Bool {
    for index in 0..<count {
      let (new, state) = (block[index].moment, block[index].state)
      let moment = state.assumingMemoryBound(to: Moment.self)
      let last = moment.pointee
      if last.day == new.day, last.instant == new.instant {
        moment.pointee.steps |= new.steps
        continue
      }
      let isLater = new.day != last.day ? new.day > last.day : new.instant > last.instant
      guard isLater, new.instant != Event.noInstant else { return false }
      moment.pointee = new
      if last.steps != 0 { meet(last.steps, last.day, FunnelStream.reached(state)) }
    }
    return true
  }
}
