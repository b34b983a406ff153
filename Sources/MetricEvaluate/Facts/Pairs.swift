/// A subject and one of its groups.
struct Pair: Hashable {
  var subject: Int32
  /// The group's cell; `noValue` is the empty group.
  var group: Cell
}

/// Numbers pairs in the order of their first occurrence; each fact of a grouped measure is looked up.
///
/// Where a table with a column for each group takes no more memory than hashed places, a pair's number is at its place in
/// that table, and nothing is compared; otherwise there is open addressing: a Dictionary takes four times as long.
struct PairNumbers {
  private(set) var all: [Pair] = []
  /// In large pages: a million pairs are looked up at random places.
  private var index = Cells<Int32>(count: 0)
  /// Nil where places are hashed.
  private var columns: GroupColumns?
  private let subjectCount: Int

  /// - Parameter subjectCount: all subjects are less.
  init(subjectCount: Int) {
    self.subjectCount = subjectCount
    makeRoom()
  }

  /// Numbers the pairs of a batch. All places are looked up before the first comparison, so that the cache misses of
  /// a million pairs overlap.
  ///
  /// - Parameter numbers: receives them after those that are there.
  mutating func number(_ batch: FactScan.Batch, into all: inout [Int32]) {
    let first = all.count
    all.append(contentsOf: UnsafeBufferPointer(start: batch.subjects, count: batch.count))
    all.withUnsafeMutableBufferPointer { all in
      if let base = all.baseAddress { number(batch, into: base + first) }
    }
  }

  private mutating func number(_ batch: FactScan.Batch, into numbers: UnsafeMutablePointer<Int32>) {
    look(batch, from: 0, numbers)
    var lane = 0
    while true {
      lane = firstOther(from: lane, batch, numbers)
      guard lane < batch.count else { return }
      let known = index
      numbers[lane] = number(Pair(subject: batch.subjects[lane], group: batch.groups[lane]))
      lane += 1
      if index !== known { look(batch, from: lane, numbers) }
    }
  }

  /// Puts what stands at the places of a batch's pairs into `numbers`.
  private func look(_ batch: FactScan.Batch, from first: Int, _ numbers: UnsafeMutablePointer<Int32>) {
    let (index, count) = (index.base, index.count)
    guard let columns else {
      for lane in first..<batch.count {
        numbers[lane] = index[hash(Pair(subject: batch.subjects[lane], group: batch.groups[lane]), count)]
      }
      return
    }
    let width = columns.width
    columns.withColumns { columns in
      for lane in first..<batch.count {
        let column = GroupColumns.column(batch.groups[lane], columns)
        numbers[lane] = index[Int(batch.subjects[lane]) &* width &+ column]
      }
    }
  }

  /// The first fact from a place on whose pair is not the one at its place in the index.
  private func firstOther(from first: Int, _ batch: FactScan.Batch, _ numbers: UnsafePointer<Int32>) -> Int {
    let isHashed = columns == nil
    return all.withUnsafeBufferPointer { all in
      for lane in first..<batch.count where batch.masks[lane] != 0 && !batch.isBeyond(lane) {
        let likely = Int(numbers[lane])
        if likely < 0 { return lane }
        guard isHashed else { continue }
        if all[likely] != Pair(subject: batch.subjects[lane], group: batch.groups[lane]) { return lane }
      }
      return batch.count
    }
  }

  func find(_ pair: Pair) -> Int32? {
    let number = index.base[place(pair)]
    return number >= 0 ? number : nil
  }

  /// Where a pair is in the index, or would be if its group has a column.
  private func place(_ pair: Pair) -> Int {
    if let columns {
      let column = columns.withColumns { GroupColumns.column(pair.group, $0) }
      return Int(pair.subject) * columns.width + column
    }
    var place = hash(pair, index.count)
    while index.base[place] >= 0, all[Int(index.base[place])] != pair {
      place = (place &+ 1) & (index.count &- 1)
    }
    return place
  }

  mutating func number(_ pair: Pair) -> Int32 {
    if columns?.add(pair.group) == false {
      all.append(pair)
      makeRoom()
      return Int32(all.count - 1)
    }
    let place = place(pair)
    if index.base[place] >= 0 { return index.base[place] }
    index.base[place] = Int32(all.count)
    all.append(pair)
    if columns == nil, all.count * 4 > index.count { makeRoom() }
    return Int32(all.count - 1)
  }

  @inline(__always)
  private func hash(_ pair: Pair, _ count: Int) -> Int {
    Hashing.mix(UInt64(bitPattern: pair.group) ^ UInt64(UInt32(bitPattern: pair.subject)) &<< 32)
      & (count &- 1)
  }

  /// Makes an index with room for more pairs, in the form that takes less.
  private mutating func makeRoom() {
    var places = 64
    while places < all.count * 8 { places *= 2 }
    columns = GroupColumns(all, most: places / max(1, subjectCount))
    index = Cells(count: columns.map { $0.width * subjectCount } ?? places)
    index.base.initialize(repeating: -1, count: index.count)
    for (number, pair) in all.enumerated() { index.base[place(pair)] = Int32(number) }
  }
}

/// The columns of a table with a row for each subject: for groups whose cells are small numbers, such as those of texts.
private struct GroupColumns {
  /// How many there are, with the last one, in which nothing stands: that of all groups that have none of their own.
  let width: Int
  /// By `slot` of a group its column.
  private var columns: [Int16]
  private var count = 0
  private static let slotCount = 1 << 12

  /// Columns for the groups of pairs and for as many others; nil if these are more than `most`, or a group is no small
  /// number.
  init?(_ pairs: [Pair], most: Int) {
    var groups: [Cell] = []
    var isMet = [Bool](repeating: false, count: GroupColumns.slotCount + 1)
    for pair in pairs where !isMet[GroupColumns.slot(pair.group)] {
      isMet[GroupColumns.slot(pair.group)] = true
      groups.append(pair.group)
    }
    width = min(most, 2 * groups.count + 8)
    columns = Array(repeating: Int16(truncatingIfNeeded: width - 1), count: GroupColumns.slotCount + 1)
    guard width > 0, groups.allSatisfy({ add($0) }) else { return nil }
  }

  /// Makes a column for a group; false if there is no room for one.
  mutating func add(_ group: Cell) -> Bool {
    let slot = GroupColumns.slot(group)
    if columns[slot] != width - 1 { return true }
    guard slot < GroupColumns.slotCount, count < width - 1 else { return false }
    columns[slot] = Int16(count)
    count += 1
    return true
  }

  @inline(__always)
  func withColumns<Result>(_ body: (UnsafePointer<Int16>) -> Result) -> Result {
    columns.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
  }

  @inline(__always)
  static func column(_ group: Cell, _ columns: UnsafePointer<Int16>) -> Int { Int(columns[slot(group)]) }

  /// Even numbers for cells from 0, 1 for the empty group, which is the smallest integer; the last one, which has no
  /// column, for all that are not small. One comparison for each fact.
  @inline(__always)
  private static func slot(_ group: Cell) -> Int {
    let bits = UInt64(bitPattern: group)
    return Int(truncatingIfNeeded: min(bits &<< 1 | bits &>> 63, UInt64(slotCount)))
  }
}

/// The pairs of a subject and a group that have facts, sorted by subject and then by the group's cell, in the order in
/// which they are evaluated.
struct PairKeys {
  /// A subject's keys are `offsets[subject] ..< offsets[subject + 1]`.
  private var offsets: [Int]
  private var groups: [Cell] = []

  var count: Int { groups.count }

  /// The groups of a subject, rising.
  func groups(of subject: Int) -> ArraySlice<Cell> {
    subject + 1 < offsets.count ? groups[offsets[subject]..<offsets[subject + 1]] : []
  }

  /// The key of a pair; -1 if it has no facts.
  func key(_ subject: Int, _ group: Cell) -> Int {
    guard subject + 1 < offsets.count else { return -1 }
    var (low, high) = (offsets[subject], offsets[subject + 1])
    while low < high {
      let middle = (low &+ high) &>> 1
      if groups[middle] < group { low = middle &+ 1 } else { high = middle }
    }
    return low < offsets[subject + 1] && groups[low] == group ? low : -1
  }

  /// Merges the pairs that several threads found.
  ///
  /// - Parameter keys: receives the keys of all pairs, thread after thread.
  init(_ pieces: [PairNumbers], subjectCount: Int, threads: Int, keys: inout [Int32]) {
    var starts = [Int](repeating: 0, count: subjectCount + 1)
    for piece in pieces { for pair in piece.all { starts[Int(pair.subject) + 1] += 1 } }
    for subject in 0..<subjectCount { starts[subject + 1] += starts[subject] }
    let parts = Parallel.pieces(rows: starts[subjectCount], threads: threads)
    var met = PairKeys.bySubject(pieces, starts)
    keys = Array(repeating: 0, count: met.count)
    offsets = [0]
    offsets.reserveCapacity(subjectCount + 1)
    met.withUnsafeMutableBufferPointer { met in
      keys.withUnsafeMutableBufferPointer { keys in
        nonisolated(unsafe) let (met, keys) = (met, keys)
        func subjects(_ part: Int) -> Range<Int> { Parallel.part(part, of: parts, subjectCount) }
        let made = Parallel.map(pieces: parts) { PairKeys.number(subjects($0), starts, met, keys) }
        let firsts = made.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.groups.count) }
        Parallel.perform(pieces: parts) { part in
          let (all, first) = (subjects(part), Int32(firsts[part]))
          for index in starts[all.lowerBound]..<starts[all.upperBound] { keys[met[index].number] += first }
        }
        groups.reserveCapacity(firsts[parts])
        for (part, first) in zip(made, firsts) {
          groups += part.groups
          offsets += part.ends.map { first + $0 }
        }
      }
    }
  }

  /// A group of a subject, and its pair's number among those of all threads.
  private typealias Met = (group: Cell, number: Int)

  /// All pairs by subject.
  private static func bySubject(_ pieces: [PairNumbers], _ starts: [Int]) -> [Met] {
    var next = starts
    var met = [Met](repeating: (0, 0), count: starts[starts.count - 1])
    for (number, pair) in pieces.lazy.map(\.all).joined().enumerated() {
      met[next[Int(pair.subject)]] = (pair.group, number)
      next[Int(pair.subject)] += 1
    }
    return met
  }

  /// Sorts the groups of some subjects and gives them keys, from 0.
  ///
  /// - Returns: the groups, and for each subject where its own end.
  private static func number(
    _ subjects: Range<Int>, _ starts: [Int], _ met: UnsafeMutableBufferPointer<Met>,
    _ keys: UnsafeMutableBufferPointer<Int32>
  ) -> (groups: [Cell], ends: [Int]) {
    var (groups, ends): ([Cell], [Int]) = ([], [])
    groups.reserveCapacity(starts[subjects.upperBound] - starts[subjects.lowerBound])
    ends.reserveCapacity(subjects.count)
    for subject in subjects {
      let own = starts[subject]..<starts[subject + 1]
      if own.count > 1 { met[own].sort { $0.group < $1.group } }
      for index in own {
        if index == own.lowerBound || met[index - 1].group != met[index].group {
          groups.append(met[index].group)
        }
        keys[met[index].number] = Int32(groups.count - 1)
      }
      ends.append(groups.count)
    }
    return (groups, ends)
  }
}

enum Hashing {
  /// Mixes all bits of a word: both halves of a 128-bit product.
  @inline(__always)
  static func mix(_ word: UInt64) -> Int {
    let product = word.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}
