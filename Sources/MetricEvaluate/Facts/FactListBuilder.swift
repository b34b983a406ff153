/// The content of a list of facts, which serves every function and period.
struct FactContent: Hashable {
  var record: RecordID
  var route: Route
  var filter: Expression?
  /// The aggregated expression over the fact.
  var argument: Expression?
  /// The type of a contribution, which counts or sums as each link says.
  var contribution: ValueType?
  /// The paths from a fact to the fields of its group, where facts are listed by pairs of subject and group.
  var group: [FieldPath] = []
  /// Where all facts from this day on are asked about at once, so that they need no days; nil for facts with their days.
  var since: Int32?
  /// Whether the facts of a day are in their order (AGG-08).
  var isOrdered = false
  var hasRows = false
  /// What is kept of a key's facts, where nobody asks for each of them.
  var summary: FactSummary.Kind?

  fileprivate var hasValues: Bool { summary == nil && (argument != nil || contribution != nil) }

  /// Whether the facts of a key are only counted, or summarised.
  fileprivate var isOnlyCounts: Bool { since != nil && !hasValues && !hasRows && !isOrdered }
}

/// Builds lists of facts in two parallel passes over the rows: the first counts, the second fills.
struct FactListBuilder {
  let content: FactContent
  let compiler: Compiler
  private let scan: FactScan

  init(_ content: FactContent, _ compiler: Compiler) throws(EvaluationError) {
    self.content = content
    self.compiler = compiler
    scan = try FactScan(
      content.record, content.route, conditions: [content.filter], argument: content.argument,
      contribution: content.contribution, group: content.group, since: content.since, compiler)
  }

  private var engine: Engine { compiler.engine }

  /// One thread's counts, by its own numbers of the keys.
  private final class Piece {
    var counts: [Int]
    var pairs: PairNumbers
    /// In a grouped measure the number of each fact's pair, from counting for filling: 4 bytes a fact for a sixth of the
    /// instructions of two fields. Those of the last batch where nothing is filled.
    var numbers: [Int32] = []
    var beyond: [(subject: Int32, day: Int32)] = []
    var summary: FactSummary?

    init(subjectCount: Int, isGrouped: Bool, _ summary: FactSummary?) {
      counts = Array(repeating: 0, count: isGrouped ? 0 : subjectCount)
      pairs = PairNumbers(subjectCount: subjectCount)
      self.summary = summary
    }
  }

  func build() throws(EvaluationError) -> FactList {
    let pieces = Parallel.pieces(rows: scan.rowCount, threads: engine.threads)
    let subjectCount = engine.routing.subjectCount(compiler.subject)
    // Without groups it is known before the facts are.
    if content.group.isEmpty, newSummary?.isTooLarge(for: subjectCount) ?? false {
      return try withoutSummary()
    }
    let made = Parallel.map(pieces: pieces) { count($0, of: pieces, subjectCount) }
    var keys: [Int32] = []
    let pairs =
      content.group.isEmpty
      ? nil : PairKeys(made.map(\.pairs), subjectCount: subjectCount, threads: engine.threads, keys: &keys)
    let keyCount = pairs?.count ?? subjectCount
    let summary = summary(made, keys)
    if summary?.isTooLarge ?? false { return try withoutSummary() }
    let offsets = placed(made, keys, keyCount)
    let beyond = made.flatMap(\.beyond)
    let list = FactList(
      offsets: offsets, pairs: pairs, hasDays: content.since == nil, hasValues: content.hasValues,
      hasRows: content.hasRows || content.isOrdered, summary: summary,
      beyond: beyond.isEmpty ? nil : FactList(beyond, subjectCount: subjectCount))
    if content.isOnlyCounts { return list }
    Parallel.perform(pieces: pieces) {
      fill(list, $0, of: pieces, made[$0])
      made[$0].numbers = []
    }
    if content.since != nil { return list }
    let order = FactOrder(content, compiler)
    Parallel.perform(pieces: pieces) { piece in
      for key in Parallel.part(piece, of: pieces, keyCount) { list.sort(key, order) }
    }
    return list
  }

  /// Counts are kept in local variables: in an object, every access would be checked for exclusivity, which took a third
  /// of the time of a percentile by group. A loop over a batch has them as a pointer: an array asks for each fact
  /// whether it is the only owner of its memory.
  private func count(_ number: Int, of pieces: Int, _ subjectCount: Int) -> Piece {
    let isGrouped = !content.group.isEmpty
    let piece = Piece(subjectCount: subjectCount, isGrouped: isGrouped, newSummary)
    var (pairs, counts, numbers, summary) = (piece.pairs, piece.counts, piece.numbers, piece.summary)
    piece.summary = nil
    let isKept = isGrouped && !content.isOnlyCounts
    let rows = Parallel.part(number, of: pieces, scan.rowCount)
    if isKept { numbers.reserveCapacity(rows.count) }
    scan.forEachBatch(in: rows, Worker(engine: engine, isPart: true)) { batch in
      if !isKept { numbers.removeAll(keepingCapacity: true) }
      if isGrouped { pairs.number(batch, into: &numbers) }
      let keyCount = pairs.all.count
      if counts.count < keyCount { counts += Array(repeating: 0, count: keyCount - counts.count) }
      withKeys(of: batch, numbers, from: max(0, numbers.count - batch.count)) { keys in
        counts.withUnsafeMutableBufferPointer { counts in
          for lane in 0..<batch.count where batch.masks[lane] != 0 {
            if batch.isBeyond(lane) {
              piece.beyond.append((batch.subjects[lane], scan.day(batch.rows[lane])))
            } else {
              counts[Int(keys[lane])] &+= 1
            }
          }
        }
        summary?.add(batch, keys: keys, keyCount: counts.count)
      }
    }
    (piece.pairs, piece.counts, piece.numbers, piece.summary) = (pairs, counts, numbers, summary)
    return piece
  }

  /// Calls `body` with the keys of a batch's facts: their subjects, or in a grouped measure the numbers of their pairs.
  private func withKeys(
    of batch: FactScan.Batch, _ numbers: [Int32], from first: Int, _ body: (UnsafePointer<Int32>) -> Void
  ) {
    if content.group.isEmpty { return body(batch.subjects) }
    numbers.withUnsafeBufferPointer { numbers in
      if let base = numbers.baseAddress { body(base + first) }
    }
  }

  private func withoutSummary() throws(EvaluationError) -> FactList {
    var content = content
    content.summary = nil
    return try FactListBuilder(content, compiler).build()
  }

  private var newSummary: FactSummary? {
    content.summary.map { FactSummary($0, textCount: compiler.dataset.pool.count) }
  }

  /// The summaries of all pieces together.
  private func summary(_ pieces: [Piece], _ keys: [Int32]) -> FactSummary? {
    // What one thread has found needs no other numbers.
    if pieces.count == 1, keys.isEmpty { return pieces[0].summary }
    var all = newSummary
    forEachNumber(pieces, keys) { piece, own, key in
      if let summary = piece.summary { all?.add(summary, own, to: key) }
    }
    return all
  }

  /// Calls `body` with the keys of all pieces' numbers.
  ///
  /// - Parameter keys: piece after piece; empty if the numbers are the keys.
  private func forEachNumber(
    _ pieces: [Piece], _ keys: [Int32], _ body: (_ piece: Piece, _ own: Int, _ key: Int) -> Void
  ) {
    var first = 0
    for piece in pieces {
      for own in piece.counts.indices { body(piece, own, keys.isEmpty ? own : Int(keys[first + own])) }
      first += piece.counts.count
    }
  }

  /// Turns the counts of the pieces into the indices of their first facts.
  private func placed(_ pieces: [Piece], _ keys: [Int32], _ keyCount: Int) -> [Int] {
    var offsets = [Int](repeating: 0, count: keyCount + 1)
    forEachNumber(pieces, keys) { offsets[$2 + 1] += $0.counts[$1] }
    for key in 0..<keyCount { offsets[key + 1] += offsets[key] }
    if content.isOnlyCounts { return offsets }
    var next = offsets
    forEachNumber(pieces, keys) { piece, own, key in
      let count = piece.counts[own]
      piece.counts[own] = next[key]
      next[key] += count
    }
    return offsets
  }

  private func fill(_ list: FactList, _ number: Int, of pieces: Int, _ piece: Piece) {
    let (days, values, rows) = (list.days?.base, list.values?.base, list.rows?.base)
    var (next, first) = (piece.counts, 0)
    let part = Parallel.part(number, of: pieces, scan.rowCount)
    let worker = Worker(engine: engine, isPart: true)
    scan.days.withUnsafeBufferPointer { dayOfRow in
      scan.forEachBatch(in: part, readsGroups: false, worker) { batch in
        withKeys(of: batch, piece.numbers, from: first) { keys in
          next.withUnsafeMutableBufferPointer { next in
            for lane in 0..<batch.count where batch.masks[lane] != 0 && !batch.isBeyond(lane) {
              let (key, row) = (Int(keys[lane]), batch.rows[lane])
              let index = next[key]
              next[key] = index &+ 1
              days?[index] = dayOfRow[Int(row)]
              values?[index] = batch.values[lane]
              rows?[index] = row
            }
          }
        }
        first += batch.count
      }
    }
  }

  /// Updates a list for one added or removed fact; false if it must be rebuilt.
  func change(_ list: FactList, row: Int, isNew: Bool) -> Bool {
    guard list.beyond == nil, list.pairs == nil, list.rows != nil else { return false }
    let order = FactOrder(content, compiler)
    var isDone = true
    scan.forEachBatch(in: row..<row + 1, Worker(engine: engine)) { batch in
      for lane in 0..<batch.count where batch.masks[lane] != 0 {
        guard !batch.isBeyond(lane), Int(batch.subjects[lane]) < list.keyCount else {
          isDone = false
          continue
        }
        let (key, day) = (Int(batch.subjects[lane]), scan.day(batch.rows[lane]))
        if isNew {
          list.insert(key: key, day: day, value: batch.values[lane], row: batch.rows[lane], order: order)
        } else if !list.remove(key: key, day: day, row: batch.rows[lane]) {
          isDone = false
        }
      }
    }
    return isDone
  }
}

/// The order of the facts of one day: by Instant, those without one first, then by the bytes of the id, then by
/// the value (AGG-08).
struct FactOrder {
  private let instants: Column?
  private let ids: Column?
  private let pool: StringPool
  private let isText: Bool

  /// Nil if the order does not matter.
  init?(_ content: FactContent, _ compiler: Compiler) {
    guard content.isOrdered else { return nil }
    let declaration = compiler.engine.library.records[content.record]
    let table = compiler.dataset.table(content.record)
    instants = declaration.orderField.flatMap { table.column($0) }
    ids = declaration.idField.flatMap { table.column($0) }
    pool = compiler.dataset.pool
    isText = content.argument?.type == .text
  }

  func isBefore(_ left: (row: Int32, value: Cell), _ right: (row: Int32, value: Cell)) -> Bool {
    let (early, late) = (instants?[Int(left.row)], instants?[Int(right.row)])
    if early != late { return (early ?? .min) < (late ?? .min) }
    let (first, second) = (ids?[Int(left.row)], ids?[Int(right.row)])
    if first != second {
      guard let first, let second else { return first == nil }
      return pool.isLess(Int32(first), Int32(second))
    }
    if left.value == right.value { return false }
    return isText ? pool.isLess(Int32(left.value), Int32(right.value)) : left.value < right.value
  }
}

extension FactList {
  /// Sorts the facts of a key, if necessary: by day, and within a day by `order`.
  func sort(_ key: Int, _ order: FactOrder?) {
    guard let days = days?.base else { return }
    let (range, values, rows) = (range(of: key), values?.base, rows?.base)
    func isBefore(_ one: Int, _ other: Int) -> Bool {
      if days[one] != days[other] { return days[one] < days[other] }
      guard let order, let rows else { return false }
      return order.isBefore((rows[one], values?[one] ?? 0), (rows[other], values?[other] ?? 0))
    }
    guard range.dropFirst().contains(where: { isBefore($0, $0 - 1) }) else { return }
    var places = FactList.sortedByDay(range, days)
    if order != nil { places.sort(by: isBefore) }
    FactList.move(days, places, to: range)
    if let values { FactList.move(values, places, to: range) }
    if let rows { FactList.move(rows, places, to: range) }
  }

  /// A counting sort: there are few days.
  private static func sortedByDay(_ range: Range<Int>, _ days: UnsafePointer<Int32>) -> [Int] {
    var (low, high) = (Int32.max, Int32.min)
    for index in range { (low, high) = (min(low, days[index]), max(high, days[index])) }
    guard Int(high) - Int(low) < 4 * range.count + 64 else { return range.sorted { days[$0] < days[$1] } }
    var next = [Int](repeating: 0, count: Int(high - low) + 2)
    for index in range { next[Int(days[index] - low) + 1] += 1 }
    for day in 1..<next.count { next[day] += next[day - 1] }
    var places = [Int](repeating: 0, count: range.count)
    for index in range {
      let day = Int(days[index] - low)
      places[next[day]] = index
      next[day] += 1
    }
    return places
  }

  static func move<T: BitwiseCopyable>(
    _ base: UnsafeMutablePointer<T>, _ places: [Int], to range: Range<Int>
  ) {
    (base + range.lowerBound).update(from: places.map { base[$0] }, count: range.count)
  }
}
