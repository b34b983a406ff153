import MetricData
import MetricPlan

/// A fact of a funnel: when it was, and which steps it can serve.
struct StepEvent: BitwiseCopyable {
  /// Microseconds, or the smallest number where there is none: those come first in a day.
  var instant: Int64
  var day: Int32
  /// Bit 0 is the first step.
  var steps: UInt32

  @inline(__always)
  func isBefore(_ other: StepEvent) -> Bool {
    day != other.day ? day < other.day : instant < other.instant
  }
}

/// The facts of a funnel by subject, each subject's by day, then those without an Instant, then by
/// Instant. Two passes over the facts, each on all threads: one counts, one puts them in their places.
final class StepEvents: @unchecked Sendable {
  let subjectCount: Int
  /// A subject's events are `offsets[s] ..< offsets[s + 1]`.
  private var offsets: [Int]
  private let events: UnsafeMutablePointer<StepEvent>

  deinit { events.deallocate() }

  init(_ sources: [(scan: FactScan, instants: [Int64]?)], subjectCount: Int, threads: Int) {
    self.subjectCount = subjectCount
    let rows = sources.reduce(0) { $0 + $1.scan.rowCount }
    let pieces = max(1, min(threads, rows / 65536))
    // By piece and subject: at first how many events, then where the next one goes.
    let counts = Places(count: pieces * subjectCount)
    Parallel.perform(pieces: pieces) { number in
      let counts = counts.base + number * subjectCount
      for source in sources {
        source.scan.forEach(in: Parallel.part(number, of: pieces, source.scan.rowCount)) {
          subject, _, _, _ in counts[subject] += 1
        }
      }
    }
    var total = 0
    offsets = Array(repeating: 0, count: subjectCount + 1)
    for subject in 0..<subjectCount {
      offsets[subject] = total
      for number in 0..<pieces {
        let count = counts.base[number * subjectCount + subject]
        counts.base[number * subjectCount + subject] = total
        total += count
      }
    }
    offsets[subjectCount] = total
    events = LargeMemory.allocate(StepEvent.self, capacity: total)
    Parallel.perform(pieces: pieces) { number in
      let places = counts.base + number * subjectCount
      let events = events
      for (scan, instants) in sources {
        scan.forEach(in: Parallel.part(number, of: pieces, scan.rowCount)) { subject, row, day, steps in
          let instant = instants?[row] ?? Event.noInstant
          (events + places[subject]).initialize(to: StepEvent(instant: instant, day: day, steps: steps))
          places[subject] += 1
        }
      }
    }
  }

  /// The events of a subject in their order. They are put in order when they are first asked for, so one
  /// thread at a time may ask for a subject.
  @inline(__always)
  func sorted(of subject: Int) -> UnsafeMutableBufferPointer<StepEvent> {
    let range = offsets[subject]..<offsets[subject + 1]
    var own = UnsafeMutableBufferPointer(start: events + range.lowerBound, count: range.count)
    for index in 1..<max(1, own.count) where own[index].isBefore(own[index - 1]) {
      own.sort { $0.isBefore($1) }
      break
    }
    return own
  }

  /// Numbers by piece and subject that the threads write side by side.
  private final class Places: @unchecked Sendable {
    let base: UnsafeMutablePointer<Int>

    init(count: Int) {
      base = LargeMemory.allocate(Int.self, capacity: count)
      base.initialize(repeating: 0, count: max(1, count))
    }

    deinit { base.deallocate() }
  }
}
