import MetricData
import MetricPlan

/// The values of one group of a metric: the parts in their order.
struct GroupValues {
  /// The group's cell; `noValue` is the empty group.
  var group: Cell
  var values: [Cell]
}

/// Pairs of a subject and a group, numbered as they are met, so that facts can be indexed by them.
final class GroupSpace {
  private struct Key: Hashable {
    var subject: Int32
    var group: Cell
  }

  private var numbers: [Key: Int32] = [:]
  private(set) var groups: [Cell] = []
  private var bySubject: [Int32: [Int32]] = [:]

  var count: Int { groups.count }

  /// The number of a pair; a new one where it was not met before.
  func number(subject: Int, group: Cell) -> Int32 {
    let key = Key(subject: Int32(subject), group: group)
    if let known = numbers[key] { return known }
    let number = Int32(groups.count)
    numbers[key] = number
    groups.append(group)
    bySubject[key.subject, default: []].append(number)
    return number
  }

  /// The pairs of a subject.
  func pairs(of subject: Int) -> [Int32] { bySubject[Int32(subject)] ?? [] }
}

/// How a grouped measure splits the facts of its aggregates.
struct GroupContext {
  let space: GroupSpace
  /// By record, the group of a fact.
  let programs: [RecordID: Program]
}

extension FactList {
  /// The same facts by pairs of subject and group in place of subjects.
  func regrouped(
    _ space: GroupSpace, _ group: (_ subject: Int, _ row: Int32) -> Cell, sums: Bool, countsDays: Bool
  ) -> FactList {
    var pairs: [Int32] = []
    pairs.reserveCapacity(index.rows.count)
    for subject in 0..<index.subjectCount {
      for slot in index.slots(of: subject) {
        pairs.append(space.number(subject: subject, group: group(subject, index.rows[slot])))
      }
    }
    // The slots are numbered through the subjects, so slot n belongs to pair n.
    var regrouped = FactIndex(
      subjectCount: space.count, rows: Array(0..<Int32(index.rows.count)), subjects: pairs,
      day: { self.index.days[Int($0)] })
    let values = self.values.isEmpty ? [] : regrouped.rows.map { self.values[Int($0)] }
    regrouped.mapRows { self.index.rows[Int($0)] }
    return FactList(index: regrouped, values: values, beyond: beyond, sums: sums, countsDays: countsDays)
  }
}

/// `at least K users`: which groups show no value (LANGUAGE, Consent and privacy).
enum Hiding {
  /// - Parameters:
  ///   - users: distinct users behind each group.
  ///   - order: the groups' names as UTF-8 bytes, for ties.
  /// - Returns: whether each group is hidden.
  static func hidden(users: [Int], order: [[UInt8]], atLeast minimum: Int) -> [Bool] {
    var hidden = users.map { $0 < minimum }
    guard hidden.count(where: { $0 }) == 1 else { return hidden }
    // One hidden group alone could be computed from a total that is shown.
    let shown = users.indices.filter { !hidden[$0] }
    let smallest = shown.min { left, right in
      users[left] != users[right]
        ? users[left] < users[right] : order[left].lexicographicallyPrecedes(order[right])
    }
    if let smallest { hidden[smallest] = true }
    return hidden
  }
}
