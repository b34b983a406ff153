import Dispatch

/// The values of a metric of many subjects at once, a funnel or a retention, which are computed for all
/// reference days together.
///
/// A metric that reads it shifted asks for days beside those; the first question about a shift is
/// answered for all reference days, too.
final class WholeSeries: @unchecked Sendable {
  /// The groups at each of some rising days.
  typealias Compute = (_ days: [Int32], _ worker: Worker) -> [[GroupValues]]

  private struct Known {
    var groups: [GroupValues]
    /// Whether a number left its range on the way.
    var overflow: Bool
  }

  private let lock = DispatchSemaphore(value: 1)
  private let engine: Engine
  private var days: [Int32] { engine.days }
  private let compute: Compute
  private var known: [Int32: Known] = [:]
  private var shifts: Set<Int32> = []

  init(_ engine: Engine, _ compute: @escaping Compute) {
    self.engine = engine
    self.compute = compute
  }

  func values(_ day: Int32, _ worker: Worker) -> [GroupValues] {
    lock.wait()
    defer { lock.signal() }
    if known[day] == nil { learn(day) }
    guard let found = known[day] else { return [] }
    if found.overflow { worker.overflow = true }
    return found.groups
  }

  private func learn(_ day: Int32) {
    let shift = days.contains(day) ? 0 : day - (days.first ?? day)
    let isNew = shifts.insert(shift).inserted
    let asked = isNew ? days.map { $0 + shift } : [day]
    // A worker of its own: the one that asks is in the middle of its work.
    let worker = Worker(engine: engine)
    let values = compute(asked, worker)
    for (day, groups) in zip(asked, values) {
      known[day] = Known(groups: groups, overflow: worker.overflow)
    }
  }
}
