/// Which lines differ between two texts.
///
/// Lines that stand once in each text divide both, as far as they come in the same order; the layout keeps the order of
/// nearly all. Between them the shortest edit is sought where the stretches are small, and large ones without such a
/// line are taken as replaced. So no pair of texts takes long: the shortest edit alone takes time with the product of
/// their lines where they have little in common.
package struct LineDifference {
  /// The lines of the old text that are gone, and those of the new text that have come, by number from 0.
  package private(set) var removed: Set<Int> = []
  package private(set) var inserted: Set<Int> = []

  /// Lines of the old text in place of which lines of the new one come; one of the ranges may be empty.
  package typealias Change = (old: Range<Int>, new: Range<Int>)

  private let old: [Int]
  private let new: [Int]
  /// Stretches with a product of lines up to this are compared by the shortest edit.
  private static let mostPairs = 1 << 20

  /// Of lines, which are equal where their bytes are.
  package init(from old: [some StringProtocol], to new: [some StringProtocol]) {
    var numbers: [[UInt8]: Int] = [:]
    func number(_ line: some StringProtocol) -> Int {
      let bytes = Array(line.utf8)
      if let known = numbers[bytes] { return known }
      numbers[bytes] = numbers.count
      return numbers.count - 1
    }
    self.old = old.map { number($0) }
    self.new = new.map { number($0) }
    var open = [(0..<old.count, 0..<new.count)]
    while let (old, new) = open.popLast() { open += compare(old, new) }
  }

  /// What differs, in order: between two changes all lines are equal.
  package var changes: [Change] {
    var changes: [Change] = []
    var (i, j) = (0, 0)
    while i < old.count || j < new.count {
      let (first, firstNew) = (i, j)
      while removed.contains(i) { i += 1 }
      while inserted.contains(j) { j += 1 }
      if i == first, j == firstNew {
        (i, j) = (i + 1, j + 1)
      } else {
        changes.append((first..<i, firstNew..<j))
      }
    }
    return changes
  }

  /// Notes what differs between two stretches, or gives the stretches that are still to be compared.
  private mutating func compare(_ olds: Range<Int>, _ news: Range<Int>) -> [(Range<Int>, Range<Int>)] {
    let (olds, news) = trimmed(olds, news)
    let (pairs, isTooMany) = olds.count.multipliedReportingOverflow(by: news.count)
    if !isTooMany, pairs <= LineDifference.mostPairs {
      // By the shortest edit.
      for change in new[news].difference(from: old[olds]) {
        switch change {
        case .remove(let offset, _, _): removed.insert(olds.lowerBound + offset)
        case .insert(let offset, _, _): inserted.insert(news.lowerBound + offset)
        }
      }
      return []
    }
    let anchors = anchors(olds, news)
    guard !anchors.isEmpty else {
      removed.formUnion(olds)
      inserted.formUnion(news)
      return []
    }
    var stretches: [(Range<Int>, Range<Int>)] = []
    var (nextOld, nextNew) = (olds.lowerBound, news.lowerBound)
    for anchor in anchors {
      stretches.append((nextOld..<anchor.old, nextNew..<anchor.new))
      (nextOld, nextNew) = (anchor.old + 1, anchor.new + 1)
    }
    return stretches + [(nextOld..<olds.upperBound, nextNew..<news.upperBound)]
  }

  /// Without the equal lines at both ends.
  private func trimmed(_ olds: Range<Int>, _ news: Range<Int>) -> (Range<Int>, Range<Int>) {
    var (low, lowNew, high, highNew) = (olds.lowerBound, news.lowerBound, olds.upperBound, news.upperBound)
    while low < high, lowNew < highNew, old[low] == new[lowNew] { (low, lowNew) = (low + 1, lowNew + 1) }
    while low < high, lowNew < highNew, old[high - 1] == new[highNew - 1] {
      (high, highNew) = (high - 1, highNew - 1)
    }
    return (low..<high, lowNew..<highNew)
  }

  /// Lines that stand once in both stretches and come in the same order.
  private func anchors(_ olds: Range<Int>, _ news: Range<Int>) -> [(old: Int, new: Int)] {
    // By line the place in the new stretch; -1 where it is there twice.
    var places: [Int: Int] = [:]
    for index in news { places[new[index]] = places[new[index]] == nil ? index : -1 }
    var counts: [Int: Int] = [:]
    for index in olds { counts[old[index], default: 0] += 1 }
    var anchors: [(old: Int, new: Int)] = []
    for index in olds where counts[old[index]] == 1 {
      guard let place = places[old[index]], place > anchors.last?.new ?? -1 else { continue }
      anchors.append((index, place))
    }
    return anchors
  }
}
