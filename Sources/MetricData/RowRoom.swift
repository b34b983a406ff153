/// Room for the rows of a file, into which each of its parts writes some way behind the one before it. At the end they move
/// together.
///
/// What nobody writes to is no memory yet, and what is written to once costs as much as the reading of a column: parts with
/// columns of their own, of which one was then extended by the others, took 100 of a funnel's 440 MB and a tenth of its time.
/// So texts of which there are few have room for codes of a byte, too.
///
/// `@unchecked Sendable`: each part has rows of its own.
struct RowRoom: @unchecked Sendable {
  private enum Cells {
    /// A column that is not kept.
    case none
    case narrow(UnsafeMutablePointer<Int32>)
    /// Texts; the codes are used where these are few.
    case texts(UnsafeMutablePointer<Int32>, codes: UnsafeMutablePointer<UInt8>)
    case wide(UnsafeMutablePointer<Int64>)
  }

  /// Rows that a part has written.
  struct Rows {
    let range: Range<Int>
    /// By column the part's codes, if it wrote such.
    let codes: [TextCodes?]
    /// For the numbers of the part's pool those of the table's; nil where they are the same.
    let numbers: [Int32]?

    /// By code the table's cells of a column; nil where it has no codes.
    func texts(_ column: Int) -> [Int32]? { column < codes.count ? codes[column]?.texts.map(number) : nil }

    func number(_ cell: Int32) -> Int32 {
      guard let numbers, cell != Column.missingNarrow else { return cell }
      return numbers[Int(cell)]
    }
  }

  /// What the parts are together.
  struct Joined {
    var count: Int
    /// By column the texts of its codes, if it has such.
    var texts: [[Int32]?]
  }

  private var columns: [Cells] = []
  /// Those of a part.
  var rows: Range<Int>

  /// Columns with so many rows as `body` returns.
  ///
  /// - Parameters:
  ///   - capacity: for how many rows there is room.
  ///   - dropped: columns that are not kept.
  static func columns(
    _ schema: TableSchema, capacity: Int, dropping dropped: [Int], _ body: (RowRoom) -> Joined
  ) -> [Column] {
    let capacity = max(1, capacity)
    var room = RowRoom(rows: 0..<capacity)
    var (made, joined): ([Column], Joined) = ([], Joined(count: 0, texts: []))
    func make<Cell: BitwiseCopyable>(
      if isUsed: @autoclosure () -> Bool = true, _ body: (UnsafeMutablePointer<Cell>) -> Void
    ) -> [Cell] {
      [Cell](unsafeUninitializedCapacity: capacity) { buffer, filled in
        if let base = buffer.baseAddress {
          LargeMemory.advise(base, capacity * MemoryLayout<Cell>.stride)
          body(base)
        }
        filled = isUsed() ? joined.count : 0
      }
    }
    func makeNext() {
      let index = room.columns.count
      guard index < schema.columns.count else {
        joined = body(room)
        return
      }
      func add(_ cells: Cells) {
        room.columns.append(cells)
        makeNext()
      }
      switch Column(type: schema.columns[index].type) {
      case let empty where dropped.contains(index):
        add(.none)
        made.append(empty)
      case .narrow where schema.columns[index].type == .text, .coded:
        var codes: [UInt8] = []
        let cells: [Int32] = make(if: joined.texts[index] == nil) { cells in
          codes = make(if: joined.texts[index] != nil) { add(.texts(cells, codes: $0)) }
        }
        made.append(joined.texts[index].map { .coded(codes, texts: $0) } ?? .narrow(cells))
      case .narrow: made.append(.narrow(make { add(.narrow($0)) }))
      case .wide: made.append(.wide(make { add(.wide($0)) }))
      }
    }
    makeNext()
    return made.reversed()
  }

  /// Writes the rows of a batch. There is room for them.
  ///
  /// - Parameters:
  ///   - rows: those of the stretch before them.
  ///   - codes: by column those of the part; a column of which there turn out to be too many texts has none any more.
  ///   - stretches: what the part has read before.
  func write(
    _ batch: RowBatch, after rows: Range<Int>, _ codes: inout [TextCodes?], _ stretches: [ReadStretch]
  ) {
    let (row, count) = (rows.upperBound, batch.count)
    for (column, place) in columns.enumerated() {
      let cells = batch[column]
      switch place {
      case .none: break
      case .texts(let base, let bytes):
        if let own = codes[column] {
          if own.encode(cells, count, to: bytes + row) { continue }
          for rows in stretches.compactMap(\.rows) + [rows] {
            for row in rows { base[row] = own.texts[Int(bytes[row])] }
          }
          codes[column] = nil
        }
        RowRoom.narrow(cells, count, to: base + row)
      case .narrow(let base): RowRoom.narrow(cells, count, to: base + row)
      case .wide(let base): (base + row).update(from: cells, count: count)
      }
    }
  }

  private static func narrow(
    _ cells: UnsafePointer<Int64>, _ count: Int, to base: UnsafeMutablePointer<Int32>
  ) {
    for index in 0..<count { base[index] = Column.narrowed(cells[index]) }
  }

  /// Moves the rows of parts together, column by column on all threads, the first to the front.
  func join(_ parts: [Rows], _ pool: StringPool) -> Joined {
    let joint = columns.indices.map { jointCodes($0, parts, pool) }
    Parallel.perform(pieces: columns.count) { column in
      var end = 0
      for part in parts {
        move(column, part, to: end, joint[column])
        end += part.range.count
      }
    }
    return Joined(count: parts.reduce(0) { $0 + $1.range.count }, texts: joint.map { $0?.texts })
  }

  /// The codes of a column for all parts; nil if one of them has none, there are too many texts, or no rows.
  private func jointCodes(_ column: Int, _ parts: [Rows], _ pool: StringPool) -> TextCodes? {
    guard case .texts = columns[column], parts.contains(where: { !$0.range.isEmpty }) else { return nil }
    let joint = TextCodes(pool)
    for part in parts where !part.range.isEmpty {
      guard let texts = part.texts(column), texts.allSatisfy({ joint.code(of: $0) != nil })
      else { return nil }
    }
    return joint
  }

  private func move(_ column: Int, _ part: Rows, to end: Int, _ joint: TextCodes?) {
    let (first, count) = (part.range.lowerBound, part.range.count)
    switch columns[column] {
    case .none: break
    case .narrow(let base): RowRoom.move(base, first, to: end, count)
    case .wide(let base): RowRoom.move(base, first, to: end, count)
    case .texts(let base, let bytes):
      guard let cells = part.texts(column) else {
        guard part.numbers != nil else { return RowRoom.move(base, first, to: end, count) }
        for index in 0..<count { base[end &+ index] = part.number(base[first &+ index]) }
        return
      }
      guard let joint else {
        for index in 0..<count { base[end &+ index] = cells[Int(bytes[first &+ index])] }
        return
      }
      guard cells != joint.texts else { return RowRoom.move(bytes, first, to: end, count) }
      let own = cells.map { joint.code(of: $0) ?? TextCodes.missing }
      for index in 0..<count { bytes[end &+ index] = own[Int(bytes[first &+ index])] }
    }
  }

  private static func move<Cell>(
    _ base: UnsafeMutablePointer<Cell>, _ first: Int, to end: Int, _ count: Int
  ) {
    if first > end { (base + end).update(from: base + first, count: count) }
  }
}
