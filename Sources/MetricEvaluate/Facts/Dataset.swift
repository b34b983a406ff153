/// One loaded record type: its columns by field index, and which of its rows are live.
struct LoadedTable {
  private(set) var rowCount = 0
  private var columns: [Int: Column] = [:]
  private var live: [Bool]?
  /// What the records were folded into while they were read; there are no rows then.
  private(set) var folded: FoldStore?
  /// What is known of records that are not kept, as they count nowhere.
  private var sieve: RecordSieve?
  /// What the columns of these two are.
  private var schema: TableSchema?

  /// No rows at all.
  init() {}

  init(_ table: Table, record: Record) {
    rowCount = table.rowCount
    (folded, sieve, schema) = (table.folded, table.sieve, table.schema)
    for (index, column) in table.columns.enumerated() where sieve?.drops(index) != true {
      if let field = record.field(named: table.schema.columns[index].name) { columns[field] = column }
    }
    let tombstones = record.tombstones.compactMap { columns[$0] }
    if !tombstones.isEmpty, rowCount > 0 {
      live = (0..<rowCount).map { row in tombstones.allSatisfy { $0[row] == nil } }
    }
  }

  /// Appends a record; nil is a missing value.
  ///
  /// - Parameter cells: by field, for the fields that the table has.
  mutating func append(_ cells: [Int: Cell?], tombstones: [Int]) {
    for field in Array(columns.keys) { columns[field]?.append(cells[field] ?? nil) }
    let isDead = tombstones.contains { columns[$0] != nil && (cells[$0] ?? nil) != nil }
    if isDead, live == nil { live = Array(repeating: true, count: rowCount) }
    live?.append(!isDead)
    rowCount += 1
  }

  /// Makes sure that there is a column for the texts of a field, all missing where it was not loaded.
  mutating func needTexts(of field: Int) {
    guard columns[field] == nil else { return }
    columns[field] = .narrow(Array(repeating: Column.missingNarrow, count: rowCount))
  }

  mutating func replace(_ field: Int, with column: Column) { columns[field] = column }

  /// Removes a record without a trace; other rows keep their numbers.
  mutating func remove(row: Int) {
    if live == nil { live = Array(repeating: true, count: rowCount) }
    live?[row] = false
  }

  func isLive(_ row: Int) -> Bool { live?[row] ?? true }

  /// The live records as a table.
  func table(_ schema: TableSchema, _ record: Record) -> Table {
    let fields = schema.columns.map { record.field(named: $0.name).flatMap { columns[$0] } }
    var table = Table(schema: schema)
    for row in 0..<rowCount where isLive(row) { table.append(fields.map { $0?[row] }) }
    return table
  }

  /// Whether some rows may not be live.
  var hasDead: Bool { live != nil }

  /// The column of a stored field; nil if it was not loaded, so all values are missing.
  func column(_ field: Int) -> Column? { columns[field] }

  /// The cells of a field of texts; nil if it was not loaded.
  func texts(_ field: Int) -> [Int32]? { columns[field]?.narrowCells }

  /// What the columns of the fold are; nil where the records were not folded.
  var foldedSchema: TableSchema? { folded == nil ? nil : schema }

  /// The pool's numbers in a reference of live records, also of those that are not kept; nil where only rows tell.
  func notedReferences(_ field: Field) -> [Int32]? {
    guard let column = schema?.columns.firstIndex(where: { $0.name == field.name }) else { return nil }
    guard let folded else { return sieve?.noted[column] }
    return column == folded.spec.key ? folded.keys.filter { $0 >= 0 } : folded.noted[column] ?? []
  }

  func cell(_ field: Int, _ row: Int) -> Cell? {
    row >= 0 ? columns[field]?[row] : nil
  }
}

/// The ids of one entity that any loaded record names, numbered in byte order.
struct EntitySpace {
  /// Pool numbers, in byte order.
  private(set) var ids: [Int32]
  /// By entity number: the row of its record, or -1.
  private(set) var rows: [Int32]
  /// By pool number: the entity number, or -1.
  private(set) var numbers: [Int32]

  var count: Int { ids.count }

  /// The number of an id, or nil.
  @inline(__always)
  func number(ofPool id: Cell) -> Int? {
    guard id >= 0, id < Int64(numbers.count) else { return nil }
    let number = numbers[Int(id)]
    return number < 0 ? nil : Int(number)
  }

  /// - Parameters:
  ///   - table: the entity's own table.
  ///   - references: columns of other tables that refer to it, with their live rows.
  ///   - noted: the pool's numbers in references of records of which not all are kept.
  ///   - persons: from aliases to the subjects they stand for; an alias has its subject's number.
  init(
    table: LoadedTable, idField: Int?, references: [(LoadedTable, Int)], noted: [Int32],
    persons: [Int32: Int32], pool: StringPool
  ) {
    var present = [Bool](repeating: false, count: pool.count)
    var rowOfPool: [Int32: Int32] = [:]
    if let idField {
      for row in 0..<table.rowCount where table.isLive(row) {
        guard let id = table.cell(idField, row) else { continue }
        present[Int(id)] = true
        if rowOfPool[Int32(id)] == nil { rowOfPool[Int32(id)] = Int32(row) }
      }
    }
    for (other, field) in references {
      guard case .narrow(let cells)? = other.column(field) else { continue }
      for row in 0..<other.rowCount where cells[row] >= 0 && other.isLive(row) {
        present[Int(cells[row])] = true
      }
    }
    for id in noted { present[Int(id)] = true }
    ids = pool.sorted((0..<Int32(pool.count)).filter { present[Int($0)] })
    numbers = [Int32](repeating: -1, count: pool.count)
    for (number, id) in ids.enumerated() { numbers[Int(id)] = Int32(number) }
    for (alias, person) in persons { numbers[Int(alias)] = numbers[Int(person)] }
    rows = ids.map { rowOfPool[$0] ?? -1 }
  }
}

/// By row of a record, the number of the entity at the end of a chain of references, or -1.
struct EntityNumbers {
  private let cells: [Int32]
  /// By pool number, the entity's number or -1; nil if the cells are numbers of the entity. A chain of one reference is
  /// looked up in the record's own column: a copy of it would be 40 MB for ten million facts.
  private let ofPool: [Int32]?

  /// What a reference's column names.
  init(references cells: [Int32], in space: EntitySpace) { (self.cells, ofPool) = (cells, space.numbers) }

  init(_ numbers: [Int32]) { (cells, ofPool) = (numbers, nil) }

  var count: Int { cells.count }

  /// The same without a look at the pool for each row.
  func resolved(threads: Int) -> EntityNumbers {
    EntityNumbers(Parallel.cells(rows: count, threads: threads) { copy($0, to: $1) })
  }

  @inline(__always)
  subscript(row: Int) -> Int32 {
    guard let ofPool else { return cells[row] }
    let cell = cells[row]
    return cell >= 0 && Int(cell) < ofPool.count ? ofPool[Int(cell)] : -1
  }

  /// Writes the numbers of some rows.
  func copy(_ rows: Range<Int>, to out: UnsafeMutablePointer<Int32>) {
    cells.withUnsafeBufferPointer { cells in
      guard let ofPool else {
        for (place, row) in rows.enumerated() { out[place] = cells[row] }
        return
      }
      ofPool.withUnsafeBufferPointer { numbers in
        for (place, row) in rows.enumerated() {
          let cell = Int(cells[row])
          out[place] = cell >= 0 && cell < numbers.count ? numbers[cell] : -1
        }
      }
    }
  }
}

/// The records of an evaluation, with the numbering of its entities.
final class Dataset {
  let library: Library
  let pool: StringPool
  private var tables: [RecordID: LoadedTable] = [:]
  /// The tables in which `Identity` makes several ids one.
  private var merged: [RecordID: LoadedTable] = [:]
  private var isMerged = false
  /// What the other names of a subject stand for.
  private(set) var persons: [Int32: Int32] = [:]
  private var spaces: [RecordID: EntitySpace] = [:]
  private var targets: [FieldReference: [Int32]] = [:]
  /// How many threads a pass over all records may use.
  let threads: Int

  init(library: Library, tables: [String: Table], pool: StringPool, threads: Int) {
    self.threads = threads
    self.library = library
    self.pool = pool
    for (name, table) in tables {
      guard let record = library.record(named: name) else { continue }
      self.tables[record] = LoadedTable(table, record: library.records[record])
    }
  }

  func table(_ record: RecordID) -> LoadedTable { merged[record] ?? tables[record] ?? LoadedTable() }

  /// Resolves `Identity`: afterwards each subject has one id.
  func merge() throws(EvaluationError) {
    guard !isMerged, let identity = library.identity, let links = tables[identity.record] else { return }
    persons = try Identities(identity, links, pool).targets
    isMerged = true
    guard !persons.isEmpty else { return }
    for (record, table) in tables {
      let fields = library.mergedFields(of: record)
      guard !fields.isEmpty else { continue }
      let id = record == identity.entity ? library.records[record].idField : nil
      merged[record] = table.merging(fields, id: id, persons, pool)
    }
  }

  /// The subject that an id stands for.
  func person(_ id: String) -> String {
    pool.lookup(id).flatMap { persons[$0] }.map { pool.string($0) } ?? id
  }

  /// Changes a table in place.
  func change(_ record: RecordID, _ body: (inout LoadedTable) -> Void) {
    (merged, persons, isMerged) = ([:], [:], false)
    guard var table = tables[record] else { return }
    // The columns must be uniquely referenced here, or they would be copied.
    tables[record] = nil
    targets = targets.filter { $0.key.record != record }
    body(&table)
    tables[record] = table
  }

  /// Drops the numbering of entities, because there may be new ids.
  func forgetSpaces() {
    spaces.removeAll()
    targets.removeAll()
  }

  /// The numbering of an entity's ids.
  func space(_ entity: RecordID) -> EntitySpace {
    if let known = spaces[entity] { return known }
    var (references, noted): ([(LoadedTable, Int)], [Int32]) = ([], [])
    for (record, table) in tables.keys.sorted().map({ ($0, table($0)) }) {
      for field in library.references(from: record, to: entity) {
        if let known = table.notedReferences(library.records[record].fields[field]) {
          noted += known
        } else {
          references.append((table, field))
        }
      }
    }
    let space = EntitySpace(
      table: table(entity), idField: library.records[entity].idField, references: references,
      noted: noted, persons: entity == library.identity?.entity ? persons : [:], pool: pool)
    spaces[entity] = space
    return space
  }

  /// For each row of a reference's record the row of the record that it refers to, or -1.
  func targetRows(_ reference: FieldReference) -> [Int32] {
    if let known = targets[reference] { return known }
    let numbers = numbers(of: reference)
    let own = library.target(of: reference).map { space($0).rows } ?? []
    let rows = Parallel.cells(rows: numbers.count, threads: threads) { part, out in
      for (place, row) in part.enumerated() { out[place] = numbers[row] < 0 ? -1 : own[Int(numbers[row])] }
    }
    targets[reference] = rows
    return rows
  }

  /// For each row of a reference's record the entity that it names.
  private func numbers(of reference: FieldReference) -> EntityNumbers {
    let table = table(reference.record)
    guard let target = library.target(of: reference), case .narrow(let cells)? = table.column(reference.field)
    else { return EntityNumbers(Array(repeating: -1, count: table.rowCount)) }
    return EntityNumbers(references: cells, in: space(target))
  }

  /// For each row of a record's table the entity at the end of a chain of references; -1 where the chain breaks.
  func follow(_ references: [FieldReference], from record: RecordID) -> EntityNumbers {
    guard let first = references.first else {
      return EntityNumbers(Array(repeating: -1, count: table(record).rowCount))
    }
    guard references.count > 1, let target = library.target(of: first) else { return numbers(of: first) }
    let next = follow(Array(references.dropFirst()), from: target)
    return EntityNumbers(targetRows(first).map { $0 < 0 ? -1 : next[Int($0)] })
  }

  /// The number of the entity at the end of a chain of references from one record.
  func end(of references: [FieldReference], ofRow row: Int) -> Int? {
    var (row, number): (Int, Int?) = (row, nil)
    for reference in references {
      guard let target = library.target(of: reference),
        let id = table(reference.record).cell(reference.field, row),
        let found = space(target).number(ofPool: id)
      else { return nil }
      (row, number) = (Int(space(target).rows[found]), found)
    }
    return number
  }

  /// The same for each number of an entity.
  func followFromEntity(_ references: [FieldReference], from entity: RecordID) -> EntityNumbers {
    let byRow = follow(references, from: entity)
    return EntityNumbers(space(entity).rows.map { $0 < 0 ? -1 : byRow[Int($0)] })
  }
}

/// Which ids are other names of one subject (REC-13, REC-14).
struct Identities {
  /// From the string number of an alias to that of the subject it stands for.
  private(set) var targets: [Int32: Int32] = [:]

  init(_ identity: IdentityLink, _ table: LoadedTable, _ pool: StringPool) throws(EvaluationError) {
    for row in 0..<table.rowCount where table.isLive(row) {
      guard let alias = table.cell(identity.alias.field, row),
        let target = table.cell(identity.target.field, row)
      else { continue }
      let known = targets.updateValue(Int32(target), forKey: Int32(alias))
      if let known, known != Int32(target) {
        throw .identityTargets(
          pool.string(Int32(alias)), pool.sorted([known, Int32(target)]).map { pool.string($0) })
      }
    }
    var ends: [Int32: Int32] = [:]
    for alias in pool.sorted(Array(targets.keys)) {
      var (chain, end) = ([alias], alias)
      while let next = targets[end] {
        let isCircle = chain.contains(next)
        chain.append(next)
        if isCircle || chain.count > IdentityLink.longestChain + 1 {
          throw .identityCycle(chain.map { pool.string($0) })
        }
        end = next
      }
      ends[alias] = end
    }
    targets = ends
  }
}

extension LoadedTable {
  /// The table with one id for each subject; of the records of one subject its own is read, or that of the lowest
  /// other name.
  ///
  /// - Parameter id: The field that names the subject, in the table of the entity.
  func merging(_ fields: [Int], id: Int?, _ targets: [Int32: Int32], _ pool: StringPool) -> LoadedTable {
    var merged = self
    if let id {
      var kept: [Cell: Int] = [:]
      for row in 0..<rowCount where isLive(row) {
        guard let own = cell(id, row) else { continue }
        let person = targets[Int32(own)].map { Cell($0) } ?? own
        guard let other = kept[person], let rival = cell(id, other) else {
          kept[person] = row
          continue
        }
        let isBetter =
          rival != person && (own == person || pool.isLess(Int32(own), Int32(rival)))
        merged.remove(row: isBetter ? other : row)
        if isBetter { kept[person] = row }
      }
    }
    for field in fields {
      guard case .narrow(let cells)? = column(field) else { continue }
      merged.replace(field, with: .narrow(cells.map { targets[$0] ?? $0 }))
    }
    return merged
  }
}

extension Library {
  /// Whom `Identity` says that an id stands for.
  package func person(_ id: String, in tables: [String: Table], pool: StringPool) -> String {
    let dataset = Dataset(library: self, tables: tables, pool: pool, threads: 1)
    try? dataset.merge()
    return dataset.person(id)
  }

  /// Rows of a test or a counterexample as tables with all stored fields, by record name.
  package func tables(_ rows: [TestRow], pool: StringPool) -> [String: Table] {
    var tables: [String: Table] = [:]
    let byRecord = Dictionary(grouping: rows, by: \.record)
    for (id, record) in records.enumerated() {
      guard let rows = byRecord[id] else { continue }
      let stored = record.fields.indices.filter { record.fields[$0].computed == nil }
      var table = Table(schema: schema(of: id, fields: stored))
      for row in rows { table.append(stored.map { field in row.values[field].flatMap { $0.cell(pool) } }) }
      tables[record.name] = table
    }
    return tables
  }
}
