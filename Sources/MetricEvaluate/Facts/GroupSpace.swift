import MetricPlan

/// A subject and one of its groups.
struct Pair: Hashable {
  var subject: Int32
  /// The group's cell; `noValue` is the empty group.
  var group: Cell
}

/// Pairs numbered as they are met. Open addressing: each fact of a grouped measure is looked up, and a Dictionary
/// takes four times as long.
struct PairNumbers {
  private(set) var all: [Pair] = []
  private var index: [Int32] = Array(repeating: -1, count: 64)

  mutating func number(_ pair: Pair) -> Int {
    var place = hash(pair) & (index.count &- 1)
    while index[place] >= 0 {
      if all[Int(index[place])] == pair { return Int(index[place]) }
      place = (place &+ 1) & (index.count &- 1)
    }
    index[place] = Int32(all.count)
    all.append(pair)
    if all.count * 2 > index.count { grow() }
    return all.count - 1
  }

  @inline(__always)
  private func hash(_ pair: Pair) -> Int {
    Hashing.mix(UInt64(bitPattern: pair.group) ^ UInt64(UInt32(bitPattern: pair.subject)) &<< 32)
  }

  private mutating func grow() {
    index = Array(repeating: -1, count: 2 * index.count)
    for (number, pair) in all.enumerated() {
      var place = hash(pair) & (index.count - 1)
      while index[place] >= 0 { place = (place + 1) & (index.count - 1) }
      index[place] = Int32(number)
    }
  }
}

/// The groups of a measure: pairs of subject and group, by which its facts are listed.
final class GroupSpace {
  /// For each record type, the path from a fact to its group.
  let paths: [RecordID: FieldPath]
  /// What has been listed by these pairs.
  var lists: [FactContent: FactList] = [:]
  private var numbers = PairNumbers()
  private var bySubject: [[Int]] = []

  init(paths: [RecordID: FieldPath]) { self.paths = paths }

  var count: Int { numbers.all.count }

  /// The number of a pair; a new one where it was not met before.
  func number(_ pair: Pair) -> Int32 {
    let before = count
    let number = numbers.number(pair)
    if number == before {
      while bySubject.count <= Int(pair.subject) { bySubject.append([]) }
      bySubject[Int(pair.subject)].append(number)
    }
    return Int32(number)
  }

  func group(_ pair: Int) -> Cell { numbers.all[pair].group }

  /// The pairs of a subject.
  func pairs(of subject: Int) -> [Int] { subject < bySubject.count ? bySubject[subject] : [] }
}

enum Hashing {
  /// A word whose every bit depends on every bit of another: both halves of a product.
  @inline(__always)
  static func mix(_ word: UInt64) -> Int {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}
