extension RandomAccessCollection {
  /// The first index whose element belongs to the second part; the end where none does.
  ///
  /// All elements of the first part come before those of the second, so a binary search finds it.
  @inlinable
  package func partitioningIndex(where belongsToSecondPart: (Element) throws -> Bool) rethrows -> Index {
    var (low, left) = (startIndex, count)
    while left > 0 {
      let half = left / 2
      let middle = index(low, offsetBy: half)
      if try belongsToSecondPart(self[middle]) {
        left = half
      } else {
        low = index(after: middle)
        left -= half + 1
      }
    }
    return low
  }
}

extension Collection {
  /// The stretches of equal elements, which must be adjacent.
  package func runs<Key: Equatable>(by key: (Element) -> Key) -> [SubSequence] {
    var runs: [SubSequence] = []
    var rest = self[...]
    while let first = rest.first.map(key) {
      runs.append(rest.prefix { key($0) == first })
      rest = rest[runs[runs.count - 1].endIndex...]
    }
    return runs
  }
}

extension Sequence {
  /// The elements without those whose key an earlier one has.
  package func once<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}
