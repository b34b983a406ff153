import MetricData
import MetricPlan

/// Funnels, by trying every choice of facts (LANGUAGE, Funnels and retention).
extension ReferenceEvaluator {
  /// What one subject reached.
  private struct Attempt {
    var reached: Int
    /// From the day of step 1 to the earliest day of each step that was reached.
    var days: [Int]
    var group: ReferenceGroup
    var ways: [[ByteText?]]
  }

  /// "one part per step: subjects that reached it"
  func table(_ funnel: Funnel, _ id: MetricID, at day: DayKey) throws -> [GroupRow] {
    let attempts = try manySubjects(of: id).compactMap { try bestAttempt(funnel, id, of: $0, at: day) }
    var groups = Set(attempts.map(\.group))
    if funnel.grouping.isEmpty { groups.insert([""]) }
    // "in a funnel behind each step; what follows a hidden number is hidden with it"
    var values: [ReferenceGroup: [ReferenceValue]] = [:]
    var hidden: Set<ReferenceGroup> = []
    var hiddenAt: [Set<ReferenceGroup>] = []
    for step in funnel.steps.indices {
      let reached = attempts.filter { $0.reached > step }
      hidden.formUnion(
        self.hidden(groups, atLeast: funnel.atLeast) { first in
          fewest(reached.filter { $0.group.starts(with: first) }.flatMap(\.ways))
        })
      for group in groups {
        let count = reached.count { $0.group == group }
        values[group, default: []].append(hidden.contains(group) ? .none : .int(Int128(count)))
      }
      hiddenAt.append(hidden)
    }
    // "percentiles of the days from step 1", hidden with their step, and where fewer than K stand on either side.
    for step in funnel.steps.indices.dropFirst() {
      for percentile in funnel.percentiles {
        func of(_ first: ReferenceGroup) -> (middle: Int?, fewest: Int) {
          let own = attempts.filter { $0.group.starts(with: first) && $0.reached > step }
          let days = own.map { $0.days[step] }.sorted()
          guard !days.isEmpty else { return (nil, 0) }
          let middle = days[(percentile * days.count + 99) / 100 - 1]
          let sides = [own.filter { $0.days[step] <= middle }, own.filter { $0.days[step] >= middle }]
          return (middle, sides.map { fewest($0.flatMap(\.ways)) }.min() ?? 0)
        }
        let hidden = hiddenAt[step].union(self.hidden(groups, atLeast: funnel.atLeast) { of($0).fewest })
        for group in groups {
          let middle = hidden.contains(group) ? nil : of(group).middle
          values[group, default: []].append(middle.map { .int(Int128($0)) } ?? .none)
        }
      }
    }
    return values.map { GroupRow(group: $0.key, values: $0.value) }
  }

  /// "The best choice counts." "FIELD belongs to the fact that took step 1 in the best attempt (the
  /// earliest of these)."
  private func bestAttempt(
    _ funnel: Funnel, _ id: MetricID, of subject: ByteText, at day: DayKey
  ) throws -> Attempt? {
    let steps = try funnel.steps.map { try events($0.source, of: subject, id, at: day) }
    // "`over P`: step 1, or day 0, lies in P."
    let span = DaySpan(funnel.over, at: day)
    let openings = funnel.order == .any ? Array(Set(steps.joined())) : steps[0]
    let parting = try funnel.without.map { try events($0, of: subject, id, at: day) } ?? []
    let others = try Set(funnel.steps.flatMap { try allEvents($0.source, of: subject, id, at: day) })
    let starts = openings.filter { span.contains($0.day) }
    // "between two neighbouring steps lies no such fact"
    func isParted(_ left: ReferenceEvent, _ right: ReferenceEvent) -> Bool {
      parting.contains { left.isSurelyBefore($0) && $0.isSurelyBefore(right) }
    }
    let choices = starts.map { start -> [Int] in
      let inReach = steps.map { step in
        step.filter { event in
          // "all lie less than N days after step 1's day"
          funnel.within.map { event.day < start.day.advanced(by: $0) } ?? true
        }
      }
      switch funnel.order {
      case .any: return Array(repeating: 0, count: countAny(inReach, from: start))
      case .inOrder:
        return longest(inReach, from: start) { $0.isInOrder(with: $1) && !isParted($0, $1) }
      case .strict:
        return longest(inReach, from: start) {
          $0.isInOrder(with: $1) && nothingBetween($0, $1, others) && !isParted($0, $1)
        }
      }
    }
    let reached = choices.map(\.count)
    guard let most = reached.max() else { return nil }
    let best = zip(starts, reached).filter { $0.1 == most }.map(\.0)
    let scope = eventScope(id, subject, at: day)
    guard let first = try earliest(best, funnel.grouping, scope) else { return nil }
    let days = zip(starts, choices).first { $0.0 == first.event && $0.1.count == most }?.1 ?? []
    return Attempt(
      reached: most, days: days, group: first.group, ways: ways(to: starts, of: subject, id))
  }

  /// "`order any` …: subjects that did at least k different steps within one window."
  private func countAny(_ steps: [[ReferenceEvent]], from start: ReferenceEvent) -> Int {
    steps.filter { step in step.contains { $0.day >= start.day } }.count
  }

  /// "Steps 1…k are reached when facts can be chosen, one for each, so that each pair of neighbours is in
  /// order": the greatest k over all choices that start with `start`, as the days to the earliest fact of each.
  private func longest(
    _ steps: [[ReferenceEvent]], from start: ReferenceEvent,
    isPair: (ReferenceEvent, ReferenceEvent) -> Bool
  ) -> [Int] {
    // What step k can have been taken by, after all choices of facts for the steps before it.
    var taken: [ReferenceEvent] = [start]
    var reached = [0]
    for step in steps.dropFirst() {
      taken = step.filter { event in taken.contains { isPair($0, event) } }
      guard let day = taken.map(\.day).min() else { break }
      reached.append(Int(day.number - start.day.number))
    }
    return reached
  }

  /// "between two steps' facts lies no other fact of either step's record type"
  private func nothingBetween(
    _ left: ReferenceEvent, _ right: ReferenceEvent, _ others: Set<ReferenceEvent>
  ) -> Bool {
    !others.contains { other in
      (other.kind == left.kind || other.kind == right.kind) && other != left && other != right
        && left.isSurelyBefore(other) && other.isSurelyBefore(right)
    }
  }
}
