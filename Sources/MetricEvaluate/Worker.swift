import MetricData
import MetricPlan

/// Where an expression is evaluated.
struct Place {
  /// Number of the metric's subject in its entity's space; 0 for `app`.
  var subject = 0
  /// Row of the record at hand in its table, or -1.
  var row = -1
  /// Number of the counted subject, inside an aggregate over subjects.
  var counted = 0
  /// What `day` stands for outside an aggregate's `where`: the window's last day, or r.
  var day: Int32 = 0
  /// The days that an aggregate without a period of its own looks at.
  var windowStart: Int32 = 0
  var windowEnd: Int32 = 0
  /// In a grouped measure the number of the pair of subject and group, by which its facts are indexed.
  var pair = 0
}

/// An expression made ready: from a worker's place to a cell.
typealias Program = (Worker) -> Cell

/// What one thread needs to evaluate: a place, and what it remembers of the subject at work.
final class Worker {
  let engine: Engine
  var place = Place()
  /// Set where a result left the range of numbers; the metric at work is then given up.
  var overflow = false

  private var memo: [MemoKey: Cell] = [:]
  private var timelines: [VariantID: Timeline] = [:]

  /// Words for a set of days that is made of facts.
  var dayWords = DayWords()

  /// By the engine's number for a bundle of a fold, the days of the last subject.
  private var dailySums: [DailySums] = []

  /// What a fold keeps of a subject's days.
  func daily(_ cache: Int, _ facts: FoldedFacts, _ bundle: Int, of subject: Int) -> DailySums {
    while dailySums.count <= cache { dailySums.append(DailySums()) }
    let sums = dailySums[cache]
    sums.prepare(facts, bundle, subject)
    return sums
  }

  private struct MemoKey: Hashable {
    var metric: Int32
    var part: Int32
    var subject: Int32
    var day: Int32
  }

  init(engine: Engine) {
    self.engine = engine
  }

  /// Forgets what is remembered, before another subject of the results is taken up.
  func forget() {
    if !memo.isEmpty { memo.removeAll(keepingCapacity: true) }
  }

  /// Runs `body` in another place and comes back.
  @inline(__always)
  func at<T>(_ other: Place, _ body: () -> T) -> T {
    let saved = place
    place = other
    defer { place = saved }
    return body()
  }

  /// The cell of a part of a metric for a subject at a day, for expressions that read it. None for a
  /// subject that the metric's `for … where` leaves out.
  func value(of id: VariantID, part: Int, subject: Int, day: Int32) -> Cell {
    let key = MemoKey(metric: Int32(id), part: Int32(part), subject: Int32(subject), day: day)
    if let known = memo[key] { return known }
    let metric = engine.metric(id)
    let value =
      metric.includes(subject) ? metric.value(part: part, subject: subject, day: day, self) : noValue
    // Bounds the memory of a metric for `app` that reads every subject.
    if memo.count >= 1 << 18 { memo.removeAll(keepingCapacity: true) }
    memo[key] = value
    return value
  }

  /// The windows of a completion for a subject; the last subject's are remembered.
  func timeline(of id: VariantID, subject: Int) -> Timeline {
    if let known = timelines[id], known.subject == subject { return known }
    let timeline = Timeline(
      engine.completion(id), subject: subject, lastDay: engine.lastDay, keepsChains: engine.isSeries)
    timelines[id] = timeline
    return timeline
  }
}
