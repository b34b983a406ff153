/// The short way for lines of NDJSON that are built like the last line that the general way has read: the
/// same keys in the same order with the same blanks between them, strings without escapes, and no arrays or
/// objects for values.
///
/// It never says what is wrong: it stops at the first line that is not plain.
struct PlainObjects: ~Copyable {
  /// A member of the object: what stands before its value, and what becomes of that.
  private struct Member {
    /// Where in `leads` the bytes from the last value's end to this one's start are.
    var lead: Int
    var leadCount: Int
    /// How many quotes are among them.
    var leadPlaces: Int
    /// The column that the value fills, or -1.
    var column: Int
    var type: ColumnType
    var isRequired: Bool
    var isIdentifier: Bool
    var minimum: Int64
  }

  var places = PlaceIndex()
  private let decoder = PlainDecoder()
  private let schema: TableSchema
  /// The members of a line; none before a line has been learned. The last one stands for what is behind
  /// the last value.
  private var members: UnsafeMutableBufferPointer<Member>
  private var leads: UnsafeMutablePointer<UInt8>
  /// The most places that a line can have, its line feed among them.
  private var mostPlaces = 0
  /// Columns that no member fills.
  private var absent: [Int] = []

  init(_ schema: TableSchema) {
    self.schema = schema
    members = .allocate(capacity: 0)
    leads = .allocate(capacity: 1)
  }

  deinit {
    members.deallocate()
    leads.deallocate()
  }
}

// MARK: - Reading

extension PlainObjects {
  /// Reads plain lines from `start` on that start before `limit`.
  ///
  /// - Returns: where it stopped, and up to where lines must be read in the general way.
  mutating func read(
    into builder: inout TableBuilder, _ input: Input, from start: Int, to limit: Int
  ) -> (next: Int, generalEnd: Int) {
    guard members.count > 0 else { return (start, 0) }
    places.setStart(start)
    var firstStashed = start
    var isPlain = true
    while isPlain {
      var count = 0
      let most = builder.freeRows
      while count < most {
        isPlain = places.start < limit && readLine(input, count, builder)
        guard isPlain else { break }
        count += 1
      }
      for column in absent { builder.place(column).cells.update(repeating: Column.missingWide, count: count) }
      for column in schema.columns.indices { builder.prefetch(column, count: count) }
      builder.finishPlainRecords(count)
      guard builder.resolve() else { return (firstStashed, places.start) }
      firstStashed = places.start
    }
    return (places.start, 0)
  }

  /// Takes in the next line as the row `row` of the batch; false where it is not plain.
  @inline(__always)
  private mutating func readLine(_ input: Input, _ row: Int, _ builder: borrowing TableBuilder) -> Bool {
    while places.available < mostPlaces {
      let isExtended = places.extend(to: input.end) { start, end, places in
        StructuralScan.stringStops(input.base, from: start, to: end, into: places)
      }
      guard isExtended else { return false }
    }
    let (base, first, members) = (input.base, places.first, members)
    var cursor = places.start
    var place = 0
    for index in 0..<members.count {
      let member = members[index]
      guard cursor &+ member.leadCount <= input.end,
        ByteScan.areEqual(base + cursor, leads + member.lead, member.leadCount)
      else { return false }
      cursor &+= member.leadCount
      place &+= member.leadPlaces
      if index == members.count &- 1 { break }
      let isString = base[cursor] == Byte.quote
      var value = cursor
      if isString {
        value &+= 1
        cursor = Int(first[place &+ 1])
        guard base[cursor] == Byte.quote else { return false }
        place &+= 2
      } else {
        cursor = PlainObjects.wordEnd(base, cursor)
      }
      let isRight = take(member, base, value, cursor &- value, isString, row, builder)
      guard isRight else { return false }
      if isString { cursor &+= 1 }
    }
    guard Int(first[place]) == cursor, base[cursor] == Byte.newline else { return false }
    places.take(place &+ 1)
    return true
  }

  /// The end of a number or word.
  @inline(__always)
  private static func wordEnd(_ base: UnsafePointer<UInt8>, _ start: Int) -> Int {
    var end = start
    while base[end] > Byte.blank, base[end] != Byte.comma, base[end] != Byte.closeBrace { end &+= 1 }
    return end
  }

  /// Decodes a value where it is needed; false where it is not plain, or no JSON.
  @inline(__always)
  private func take(
    _ member: Member, _ base: UnsafePointer<UInt8>, _ start: Int, _ length: Int, _ isString: Bool,
    _ row: Int, _ builder: borrowing TableBuilder
  ) -> Bool {
    if !isString, !PlainObjects.isWord(base + start, length) { return false }
    guard member.column >= 0 else { return true }
    let cells = builder.place(member.column)
    if length == 0 || !isString && base[start] == UInt8(ascii: "n") {
      cells.cells[row] = Column.missingWide
      return !member.isRequired
    }
    switch member.type {
    case .text:
      guard isString || member.isIdentifier && PlainObjects.isWhole(base + start, length) else {
        return false
      }
      cells.cells[row] = StashedTexts.stretch(start, length)
      cells.hashes[row] = StashedTexts.hash(UnsafeBufferPointer(start: base + start, count: length))
      return true
    case .dayKey, .instant: guard isString else { return false }
    case .int, .decimal, .bool: guard !isString else { return false }
    }
    let cell = decoder.view.decode(base + start, length, member.type, minimum: member.minimum)
    cells.cells[row] = cell
    return cell != PlainDecoder.notPlain
  }

  /// Whether bytes are `null`, `true`, `false`, or a number of digits and perhaps a point, as JSON has it.
  @inline(__always)
  private static func isWord(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    guard length > 0 else { return false }
    if Byte.digit(start[0]) <= 9 { return isNumber(start, length) }
    let word = ByteScan.word(start)
    if length == 4 {
      let four = word & 0xFFFF_FFFF
      return four == 0x6C6C_756E || four == 0x6575_7274  // null, true
    }
    return length == 5 && word & 0xFF_FFFF_FFFF == 0x65_736C_6166  // false
  }

  /// Digits with a point among them or none, without leading zeros.
  @inline(__always)
  private static func isNumber(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    if start[0] == Byte.zero, length > 1, start[1] != Byte.point { return false }
    var points = 0
    for index in 1..<max(1, length) where Byte.digit(start[index]) > 9 {
      guard start[index] == Byte.point, index < length &- 1 else { return false }
      points &+= 1
    }
    return points <= 1
  }

  private static func isWhole(_ start: UnsafePointer<UInt8>, _ length: Int) -> Bool {
    for index in 0..<length where Byte.digit(start[index]) > 9 { return false }
    return true
  }
}

// MARK: - Learning

extension PlainObjects {
  /// Takes a line that the general way has read without a mistake for the shape of those to come.
  ///
  /// - Parameter reader: any reader of the input.
  mutating func learn(
    _ input: Input, _ start: Int, _ end: Int, _ rules: borrowing FieldRules
  ) {
    var found: [Member] = []
    var bytes: [UInt8] = []
    var scanner = JSONScanner(input)
    scanner.move(to: input, from: start, to: end)
    guard collect(&scanner, start, rules, &found, &bytes), end < input.end else { return }
    members.deallocate()
    members = .allocate(capacity: found.count)
    _ = members.initialize(from: found)
    leads.deallocate()
    // Whole words of it are compared.
    leads = .allocate(capacity: bytes.count + 8)
    leads.initialize(repeating: 0, count: bytes.count + 8)
    leads.update(from: bytes, count: bytes.count)
    mostPlaces = found.reduce(1) { $0 + $1.leadPlaces + 2 }
    absent = schema.columns.indices.filter { column in !found.contains { $0.column == column } }
  }

  /// The members of a line; false where the line has something that is not plain.
  private func collect(
    _ scanner: inout JSONScanner, _ start: Int, _ rules: borrowing FieldRules, _ found: inout [Member],
    _ bytes: inout [UInt8]
  ) -> Bool {
    var leadStart = start
    let input = scanner.input
    func add(_ column: Int?, upTo end: Int) -> Bool {
      let lead = input.bytes(leadStart, end)
      guard !lead.contains(Byte.backslash) else { return false }
      var member = Member(
        lead: bytes.count, leadCount: lead.count, leadPlaces: lead.count { $0 == Byte.quote || $0 < 0x20 },
        column: column ?? -1, type: .bool, isRequired: false, isIdentifier: false, minimum: .min)
      if let column {
        let rule = rules[column]
        (member.type, member.isRequired) = (rule.type, rule.isRequired)
        (member.isIdentifier, member.minimum) = (rule.isIdentifier, rule.minimum)
      }
      found.append(member)
      bytes += lead
      return true
    }
    do throws(JSONFault) {
      try scanner.pass(Byte.openBrace, "an object")
      while let key = try scanner.nextKey(isFirst: found.isEmpty) {
        let name = input.bytes(key.start, key.end)
        let column = schema.columns.firstIndex { $0.name.utf8.elementsEqual(name) }
        _ = scanner.peek()
        let valueStart = scanner.cursor
        let value = try scanner.scanValue(depth: 1)
        guard value.kind != .array, value.kind != .object, add(column, upTo: valueStart) else { return false }
        leadStart = scanner.cursor
      }
    } catch {
      return false
    }
    return add(nil, upTo: scanner.end)
  }
}
