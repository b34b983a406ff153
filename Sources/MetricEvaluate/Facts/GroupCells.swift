import Synchronization

/// Numbers for pairs of cells, so that a group of several fields is one cell until its row is written. The first of a
/// pair is the cell of the first field or, of more than two, the number of those before the last.
final class GroupCells: Sendable {
  struct Pair: Hashable {
    var first, last: Cell
  }

  private let known = Mutex<(numbers: [Pair: Cell], pairs: [Pair])>(([:], []))

  func number(_ pair: Pair) -> Cell {
    known.withLock { known in
      if let number = known.numbers[pair] { return number }
      let number = Cell(known.pairs.count)
      known.numbers[pair] = number
      known.pairs.append(pair)
      return number
    }
  }

  /// The cells of a group's fields.
  func cells(of group: Cell, count: Int) -> [Cell] {
    guard count > 1 else { return [group] }
    let pair = known.withLock { $0.pairs[Int(group)] }
    return cells(of: pair.first, count: count - 1) + [pair.last]
  }
}

/// The numbers that a thread has met. Open addressing: each fact of a grouped measure is looked up.
struct KnownGroupCells {
  private typealias Slot = (pair: GroupCells.Pair, number: Cell)
  private var slots = [Slot](repeating: KnownGroupCells.free, count: 64)
  private var count = 0
  private static let free: Slot = (GroupCells.Pair(first: 0, last: 0), -1)

  @inline(__always)
  mutating func number(_ first: Cell, _ last: Cell, _ all: GroupCells) -> Cell {
    let pair = GroupCells.Pair(first: first, last: last)
    let place = slots.withUnsafeBufferPointer { KnownGroupCells.place(of: pair, in: $0) }
    if slots[place].number >= 0 { return slots[place].number }
    let number = all.number(pair)
    slots[place] = (pair, number)
    count += 1
    if count * 4 > slots.count { grow() }
    return number
  }

  /// Replaces first cells by the numbers of their pairs.
  mutating func number(
    _ firsts: UnsafeMutablePointer<Cell>, _ lasts: UnsafePointer<Cell>, _ count: Int, _ all: GroupCells
  ) {
    var lane = numberKnown(firsts, lasts, 0..<count)
    while lane < count {
      firsts[lane] = number(firsts[lane], lasts[lane], all)
      lane = numberKnown(firsts, lasts, lane + 1..<count)
    }
  }

  /// Up to the first pair that the thread has not met, whose place it returns.
  private func numberKnown(
    _ firsts: UnsafeMutablePointer<Cell>, _ lasts: UnsafePointer<Cell>, _ lanes: Range<Int>
  ) -> Int {
    slots.withUnsafeBufferPointer { slots in
      for lane in lanes {
        let pair = GroupCells.Pair(first: firsts[lane], last: lasts[lane])
        let place = KnownGroupCells.place(of: pair, in: slots)
        guard slots[place].number >= 0 else { return lane }
        firsts[lane] = slots[place].number
      }
      return lanes.upperBound
    }
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: KnownGroupCells.free, count: 2 * old.count)
    slots.withUnsafeMutableBufferPointer { slots in
      for slot in old where slot.number >= 0 {
        slots[KnownGroupCells.place(of: slot.pair, in: UnsafeBufferPointer(slots))] = slot
      }
    }
  }

  /// Where a pair is, or would be.
  @inline(__always)
  private static func place(of pair: GroupCells.Pair, in slots: UnsafeBufferPointer<Slot>) -> Int {
    let mask = slots.count &- 1
    var place = Hashing.mix(UInt64(bitPattern: pair.first) &* 31 ^ UInt64(bitPattern: pair.last)) & mask
    while slots[place].number >= 0, slots[place].pair != pair { place = (place &+ 1) & mask }
    return place
  }
}

extension Compiler {
  /// The cell of a record's group by some fields; a nil field is missing in it.
  func group(_ paths: [FieldPath?]) throws(EvaluationError) -> Program {
    let programs = try paths.map { path throws(EvaluationError) in
      try compile(path.map { .field($0) }) ?? Operators.constant(noValue)
    }
    guard let first = programs.first else { return Operators.constant(noValue) }
    let others = programs.dropFirst()
    guard !others.isEmpty else { return first }
    return { place, out, worker in
      first(place, out, worker)
      worker.withCells(place.count) { cells in
        for program in others {
          program(place, cells, worker)
          worker.combine(out, cells, place.count)
        }
      }
    }
  }
}

extension Worker {
  /// Replaces groups by those that have one more field.
  func combine(_ groups: UnsafeMutablePointer<Cell>, _ cells: UnsafePointer<Cell>, _ count: Int) {
    knownGroups.number(groups, cells, count, engine.groupCells)
  }

  /// The group of some of a group's fields.
  func group(_ group: Cell, at places: [Int], of count: Int) -> Cell {
    guard group != noValue || count == 1, places != Array(0..<count) else { return group }
    let cells = engine.groupCells.cells(of: group, count: count)
    return places.dropFirst().reduce(cells[places[0]]) {
      knownGroups.number($0, cells[$1], engine.groupCells)
    }
  }
}

extension Engine {
  /// The group that a cell stands for; a missing value is an empty text.
  func key(of group: Cell, _ grouping: [GroupField]) -> GroupKey {
    guard let first = grouping.first else { return GroupKey() }
    guard grouping.count > 1 else { return GroupKey(text(of: group, first.type)) }
    let cells = groupCells.cells(of: group, count: grouping.count)
    return GroupKey(zip(cells, grouping).map { text(of: $0, $1.type) })
  }
}
