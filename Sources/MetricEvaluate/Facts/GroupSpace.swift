import MetricPlan

/// A subject and one of its groups.
struct Pair: Hashable {
  var subject: Int32
  /// The group's cell; `noValue` is the empty group.
  var group: Cell
}

/// Numbers pairs in the order of their first occurrence. Open addressing: each fact of a grouped measure is looked up, and a Dictionary
/// takes four times as long.
struct PairNumbers {
  private(set) var all: [Pair] = []
  private var index: [Int32] = Array(repeating: -1, count: 64)

  /// Numbers the pairs of a batch. All places are looked up before the first comparison, so that the cache misses of
  /// a million pairs overlap.
  mutating func number(_ batch: FactScan.Batch, into numbers: UnsafeMutablePointer<Int32>) {
    index.withUnsafeBufferPointer { index in
      for lane in 0..<batch.count {
        let pair = Pair(subject: batch.subjects[lane], group: batch.groups[lane])
        numbers[lane] = index[hash(pair, index.count)]
      }
    }
    for lane in 0..<batch.count where batch.masks[lane] != 0 && !batch.isBeyond(lane) {
      let pair = Pair(subject: batch.subjects[lane], group: batch.groups[lane])
      let likely = Int(numbers[lane])
      if likely < 0 || all[likely] != pair { numbers[lane] = number(pair) }
    }
  }

  private mutating func number(_ pair: Pair) -> Int32 {
    var place = hash(pair, index.count)
    while index[place] >= 0 {
      if all[Int(index[place])] == pair { return index[place] }
      place = (place &+ 1) & (index.count &- 1)
    }
    index[place] = Int32(all.count)
    all.append(pair)
    if all.count * 2 > index.count { grow() }
    return Int32(all.count - 1)
  }

  @inline(__always)
  private func hash(_ pair: Pair, _ count: Int) -> Int {
    Hashing.mix(UInt64(bitPattern: pair.group) ^ UInt64(UInt32(bitPattern: pair.subject)) &<< 32)
      & (count &- 1)
  }

  private mutating func grow() {
    index = Array(repeating: -1, count: 2 * index.count)
    for (number, pair) in all.enumerated() {
      var place = hash(pair, index.count)
      while index[place] >= 0 { place = (place + 1) & (index.count - 1) }
      index[place] = Int32(number)
    }
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
  init(_ pieces: [PairNumbers], subjectCount: Int, keys: inout [Int32]) {
    var starts = [Int](repeating: 0, count: subjectCount + 1)
    for piece in pieces { for pair in piece.all { starts[Int(pair.subject) + 1] += 1 } }
    for subject in 0..<subjectCount { starts[subject + 1] += starts[subject] }
    var next = starts
    var met = [(group: Cell, number: Int)](repeating: (0, 0), count: starts[subjectCount])
    for (number, pair) in pieces.lazy.map(\.all).joined().enumerated() {
      met[next[Int(pair.subject)]] = (pair.group, number)
      next[Int(pair.subject)] += 1
    }
    offsets = [0]
    keys = Array(repeating: 0, count: met.count)
    for subject in 0..<subjectCount {
      let own = starts[subject]..<starts[subject + 1]
      if own.count > 1 { met[own].sort { $0.group < $1.group } }
      for index in own {
        if index == own.lowerBound || met[index - 1].group != met[index].group {
          groups.append(met[index].group)
        }
        keys[met[index].number] = Int32(groups.count - 1)
      }
      offsets.append(groups.count)
    }
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
