import Dispatch

/// Room for the rows of a file, into which each of its parts writes some way behind the one before it. At the end they move
/// together.
///
/// What nobody writes to is no memory yet, and what is written to once costs as much as the reading of a column: parts with
/// columns of their own, of which one was then extended by the others, took 100 of a funnel's 440 MB and a tenth of its time.
///
/// `@unchecked Sendable`: each part has rows of its own.
struct RowRoom: @unchecked Sendable {
  private enum Cells {
    /// A column that is not kept.
    case none
    case narrow(UnsafeMutablePointer<Int32>)
    case wide(UnsafeMutablePointer<Int64>)
  }

  private var columns: [Cells] = []
  private let isText: [Bool]
  /// Those of a part.
  private(set) var rows: Range<Int>

  /// Columns with so many rows as `body` returns.
  ///
  /// - Parameters:
  ///   - capacity: for how many rows there is room.
  ///   - dropped: columns that are not kept.
  static func columns(
    _ schema: TableSchema, capacity: Int, dropping dropped: [Int], _ body: (RowRoom) -> Int
  ) -> [Column] {
    let capacity = max(1, capacity)
    var room = RowRoom(isText: schema.columns.map { $0.type == .text }, rows: 0..<capacity)
    var (made, count): ([Column], Int) = ([], 0)
    func make<Cell: BitwiseCopyable>(_ cells: (UnsafeMutablePointer<Cell>) -> Cells) -> [Cell] {
      [Cell](unsafeUninitializedCapacity: capacity) { buffer, filled in
        if let base = buffer.baseAddress {
          LargeMemory.advise(base, capacity * MemoryLayout<Cell>.stride)
          room.columns.append(cells(base))
        }
        makeNext()
        filled = count
      }
    }
    func makeNext() {
      let index = room.columns.count
      guard index < schema.columns.count else {
        count = body(room)
        return
      }
      switch Column(type: schema.columns[index].type) {
      case let empty where dropped.contains(index):
        room.columns.append(.none)
        makeNext()
        made.append(empty)
      case .narrow:
        let cells = make { Cells.narrow($0) }
        made.append(.narrow(cells))
      case .wide:
        let cells = make { Cells.wide($0) }
        made.append(.wide(cells))
      }
    }
    makeNext()
    return made.reversed()
  }

  /// The room of a part.
  func part(_ rows: Range<Int>) -> RowRoom {
    var part = self
    part.rows = rows
    return part
  }

  /// Writes the rows of a batch, whose cells stand column after column. There is room for them.
  func write(_ cells: UnsafePointer<Int64>, stride: Int, count: Int, at row: Int) {
    for (column, place) in columns.enumerated() {
      let cells = cells + column * stride
      switch place {
      case .none: break
      case .narrow(let base): for index in 0..<count { base[row &+ index] = Column.narrowed(cells[index]) }
      case .wide(let base): (base + row).update(from: cells, count: count)
      }
    }
  }

  /// Moves the rows of parts together, column by column on all threads, the first to the front.
  ///
  /// - Parameter numbers: for each part, for the numbers of its pool those of the table's; nil where they are the same.
  /// - Returns: how many they are.
  func join(_ parts: [Range<Int>], numbers: [[Int32]?]) -> Int {
    DispatchQueue.concurrentPerform(iterations: parts.count > 1 ? columns.count : 0) { column in
      var end = 0
      for (part, numbers) in zip(parts, numbers) {
        if part.lowerBound > end || numbers != nil { move(column, part, to: end, numbers) }
        end += part.count
      }
    }
    return parts.reduce(0) { $0 + $1.count }
  }

  private func move(_ column: Int, _ part: Range<Int>, to end: Int, _ numbers: [Int32]?) {
    switch columns[column] {
    case .none: break
    case .narrow(let base):
      guard isText[column], let numbers else {
        return (base + end).update(from: base + part.lowerBound, count: part.count)
      }
      for (index, row) in part.enumerated() {
        let cell = base[row]
        base[end &+ index] = cell == Column.missingNarrow ? cell : numbers[Int(cell)]
      }
    case .wide(let base): (base + end).update(from: base + part.lowerBound, count: part.count)
    }
  }
}
