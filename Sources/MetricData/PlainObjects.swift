/// The short way for lines of NDJSON that are built like the last line that the general way has read: the
/// same keys in the same order with the same blanks between them, strings without escapes, and no arrays or
/// objects for values.
///
/// It never says what is wrong: it stops at the first line that is not plain.
struct PlainObjects: ~Copyable {
  /// A member of the object: what precedes its value, and what becomes of that.
  private struct Member {
    /// Where in `leads` the bytes from the last value's end to this one's start are.
    var lead: Int
    var leadCount: Int
    /// The column that the value fills, or -1.
    var column: Int
    /// The column's; any where it fills none.
    var rule: FieldRule
  }

  private let decoder = PlainDecoder()
  private let schema: TableSchema
  /// The members of a line; none before a line has been learned. The last one stands for what is after
  /// the last value.
  private var members: UnsafeMutableBufferPointer<Member>
  private var leads: UnsafeMutablePointer<UInt8>
  /// Columns that no member fills.
  private var absent: [Int] = []

  init(_ schema: TableSchema) {
    self.schema = schema
    members = .allocate(capacity: 0)
    leads = .allocate(capacity: 1)
  }

  deinit {
    decoder.deallocate()
    members.deallocate()
    leads.deallocate()
  }

  /// Reads plain lines from `start` on that start before `limit`.
  ///
  /// - Returns: where it stopped, and up to where lines must be read in the general way.
  mutating func read(
    into builder: inout TableBuilder, _ input: Input, from start: Int, to limit: Int
  ) -> (next: Int, generalEnd: Int) {
    guard members.count > 0 else { return (start, 0) }
    var line = start
    var firstStashed = start
    var isPlain = true
    while isPlain {
      var count = 0
      let most = builder.freeRows
      while count < most {
        let next = line < limit ? readLine(input, line, count, builder) : nil
        isPlain = next != nil
        guard let next else { break }
        line = next
        count += 1
      }
      for column in absent { builder.cells(column).update(repeating: Column.missingWide, count: count) }
      for column in schema.columns.indices { builder.prefetch(column, count: count) }
      builder.finishPlainRecords(count)
      guard builder.resolve() else { return (firstStashed, line) }
      firstStashed = line
    }
    return (line, 0)
  }

  /// Takes in the line at `start` as the row `row` of the batch, and gives where the next one starts; nil where it
  /// is not plain.
  @inline(__always)
  private func readLine(
    _ input: Input, _ start: Int, _ row: Int, _ builder: borrowing TableBuilder
  ) -> Int? {
    let (base, members) = (input.base, members)
    var cursor = start
    for index in 0..<members.count {
      let member = members[index]
      guard ByteScan.areEqual(base + cursor, leads + member.lead, member.leadCount, isPadded: true) else {
        return nil
      }
      cursor &+= member.leadCount
      if index == members.count &- 1 { break }
      let isString = base[cursor] == Byte.quote
      let value = isString ? cursor &+ 1 : cursor
      if isString {
        cursor = StructuralScan.stringStop(base, from: value)
        guard base[cursor] == Byte.quote else { return nil }
      } else {
        cursor = ByteScan.wordEnd(base, from: cursor)
      }
      guard take(member, base, value, cursor &- value, isString, row, builder) else { return nil }
      if isString { cursor &+= 1 }
    }
    // After a window there are zeros: no line reaches past its end.
    return base[cursor] == Byte.newline && cursor < input.end ? cursor &+ 1 : nil
  }

  /// Decodes a value where it is needed; false where it is not plain, or no JSON.
  @inline(__always)
  private func take(
    _ member: Member, _ base: UnsafePointer<UInt8>, _ start: Int, _ length: Int, _ isString: Bool,
    _ row: Int, _ builder: borrowing TableBuilder
  ) -> Bool {
    let isNumber = member.rule.type == .decimal || member.rule.type == .int
    if !isString, member.column >= 0, isNumber, Byte.digit(base[start]) <= 9 {
      // The decoder sees to the rest.
      if base[start] == Byte.zero, length > 1, base[start &+ 1] != Byte.point { return false }
      let cell = decoder.decode(base + start, length, member.rule.type, minimum: member.rule.minimum)
      builder.cells(member.column)[row] = cell
      return cell != PlainDecoder.notPlain
    }
    if !isString, !PlainObjects.isWord(base + start, length) { return false }
    guard member.column >= 0 else { return true }
    let cells = builder.cells(member.column)
    if length == 0 || !isString && base[start] == UInt8(ascii: "n") {
      cells[row] = Column.missingWide
      return !member.rule.isRequired
    }
    switch member.rule.type {
    case .text:
      guard isString || member.rule.isIdentifier && PlainObjects.isWhole(base + start, length) else {
        return false
      }
      let texts = builder.texts(member.column)
      if texts.pointee.isUsed {
        let number = PlainObjects.number(texts, base + start, length, builder.pool)
        cells[row] = number
        return number != PlainDecoder.notPlain
      }
      cells[row] = StashedTexts.stretch(start, length)
      let bytes = UnsafeBufferPointer(start: base + start, count: length)
      builder.hashes(member.column)[row] = KeyedSlots.hash(bytes, isPadded: true)
      return true
    case .dayKey, .instant: guard isString else { return false }
    case .int, .decimal, .bool: guard !isString else { return false }
    }
    let cell = decoder.decode(base + start, length, member.rule.type, minimum: member.rule.minimum)
    cells[row] = cell
    return cell != PlainDecoder.notPlain
  }

  /// The number of a text. Inlined, it made lines without such texts take 20 instructions more.
  @inline(never)
  private static func number(
    _ texts: UnsafeMutablePointer<KnownTexts>, _ start: UnsafePointer<UInt8>, _ length: Int,
    _ pool: StringPool
  ) -> Int64 {
    texts.pointee.number(start, length, pool)
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

  /// Takes a line that the general way has read without a mistake for the shape of those to come.
  mutating func learn(_ input: Input, _ start: Int, _ end: Int, _ rules: borrowing FieldRules) {
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
    absent = schema.columns.indices.filter { column in !found.contains { $0.column == column } }
  }

  /// The members of a line; false if the line has something that is not plain.
  private func collect(
    _ scanner: inout JSONScanner, _ start: Int, _ rules: borrowing FieldRules, _ found: inout [Member],
    _ bytes: inout [UInt8]
  ) -> Bool {
    var leadStart = start
    let input = scanner.input
    func add(_ column: Int?, upTo end: Int) -> Bool {
      let lead = input.bytes(leadStart, end)
      guard !lead.contains(Byte.backslash) else { return false }
      let rule = column.map { rules[$0] } ?? FieldRule()
      found.append(Member(lead: bytes.count, leadCount: lead.count, column: column ?? -1, rule: rule))
      bytes += lead
      return true
    }
    do throws(JSONFault) {
      try scanner.pass(Byte.openBrace, "an object")
      while let key = try scanner.nextKey(isFirst: found.isEmpty) {
        let name = input.bytes(key.start, key.end)
        let column = schema.columns.firstIndex { $0.nameInFile.utf8.elementsEqual(name) }
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
