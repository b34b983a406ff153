/// `check --data`: reads every field of every record and looks for what is wrong with records together.
///
/// Entities and links are read first, since facts refer to them; a fact's file is let go before the next
/// one is read.
struct DatasetValidation {
  private let library: MetricLibrary
  private var mistakes: [DatasetMistake] = []
  /// The first places of each kind of mistake, by file and place.
  private(set) var findings: [Diagnostic] = []
  /// How many records each file has, the malformed ones included; in the order given.
  private(set) var files: [(file: DataFile, records: Int)] = []

  var isBad: Bool { findings.contains { $0.severity == .error } }

  init(_ given: [DataFile], library: MetricLibrary) throws(CommandFailure) {
    self.library = library
    let pool = StringPool()
    var check = DatasetCheck(library: library.plan, pool: pool)
    var kept: [String: CheckedFile] = [:]
    var records: [String: Int] = [:]
    let facts = Set(library.factNames)
    for file in given where !facts.contains(file.record) {
      let checked = try read(file, pool: pool)
      check.add(checked.result.table, isIncomplete: checked.isIncomplete)
      records[file.record] = checked.recordCount
      kept[file.record] = checked
    }
    let problems = check.problemsOfKept()
    for (name, file) in kept.sorted(by: { $0.key < $1.key }) {
      try add(problems.filter { $0.record == name }, of: file)
    }
    kept = [:]
    for file in given where facts.contains(file.record) {
      let pool = StringPool()
      let checked = try read(file, pool: pool)
      records[file.record] = checked.recordCount
      ProgressLine.show("checking \(file.path)")
      try add(check.problems(ofFact: checked.result.table, pool: pool), of: checked)
    }
    files = given.map { ($0, records[$0.record] ?? 0) }
    findings = mistakes.flatMap(\.findings).sorted(in: [])
    for name in check.uncheckedEntities {
      Remarks.say("references to \(name) were not checked, as some of its records could not be read")
    }
  }

  private mutating func read(_ file: DataFile, pool: StringPool) throws(CommandFailure) -> CheckedFile {
    ProgressLine.show("reading \(file.path)")
    let checked = try CheckedFile(file, schema: library.fullSchema(of: file.record), pool: pool)
    mistakes += checked.mistakes
    return checked
  }

  /// Turns problems into findings with their places.
  private mutating func add(_ problems: [DatasetProblem], of file: CheckedFile) throws(CommandFailure) {
    let addresses = problems.flatMap { problem in
      problem.examples.flatMap { [$0.row, $0.related?.row].compactMap { $0 } }
        .map { ValueAddress(row: $0, field: problem.field) }
    }
    let places = try file.places(of: addresses)
    for problem in problems {
      func place(_ row: Int) -> Location { places(ValueAddress(row: row, field: problem.field)) }
      let examples = problem.examples.map { example in
        Diagnostic(
          problem.severity, problem.code, example.message, at: place(example.row),
          notes: [example.related].compactMap { $0.map { Note($0.message, at: place($0.row)) } })
      }
      mistakes.append(
        DatasetMistake(
          severity: problem.severity, code: problem.code, record: problem.record, field: problem.field,
          path: file.file.path, count: problem.count, examples: examples, mend: problem.mend))
    }
  }

  /// `data: 3 files, 1,204 records; 12 findings: 3 duplicate-id, 9 dangling-reference`.
  var summaryLine: String {
    let records = files.reduce(0) { $0 + $1.records }
    let read = "data: \(Counting.of(files.count, "file")), \(Counting.of(records, "record"))"
    guard !mistakes.isEmpty else { return "\(read); nothing found" }
    let totals = Dictionary(grouping: mistakes, by: \.code).mapValues { $0.reduce(0) { $0 + $1.count } }
    let kinds = totals.sorted { $0.key.id < $1.key.id }.map { "\(Counting.grouped($1)) \($0.name)" }
    let all = totals.values.reduce(0, +)
    return "\(read); \(Counting.of(all, "finding")): \(kinds.joined(separator: ", "))"
  }

  /// The files that were read, and how often each kind of mistake was met: the examples among the findings
  /// are only the first ones.
  var json: JSONText {
    .object([
      "files": files.map {
        JSONText.object(["record": $0.file.record, "path": $0.file.path, "records": $0.records])
      },
      "counts": mistakes.map {
        JSONText.object([
          "code": $0.code.id, "name": $0.code.name, "severity": $0.severity.rawValue, "record": $0.record,
          "field": $0.field, "path": $0.path, "count": $0.count,
        ])
      },
    ])
  }
}

/// A kind of mistake in the records of one type.
struct DatasetMistake {
  var severity: Severity
  var code: DiagnosticCode
  var record: String
  /// Nil if different fields are at fault.
  var field: String?
  var path: String
  var count = 0
  /// The first ones.
  var examples: [Diagnostic] = []
  /// What to do.
  var mend: String

  /// The examples: the first one says what to do, the last one how many there are.
  var findings: [Diagnostic] {
    var (examples, last) = (examples, examples.count - 1)
    guard last >= 0 else { return [] }
    examples[0].notes.append(Note(mend))
    if count > examples.count {
      let which = last == 0 ? "the first is shown" : "the first \(examples.count) are shown"
      examples[last].notes.append(Note("\(Counting.grouped(count)) like this in all; \(which)"))
    }
    return examples
  }
}

/// A data file that was read with every field.
struct CheckedFile {
  let result: ReadResult
  /// What was wrong with single records, by code. A record with several mistakes counts once, under the code of its
  /// first one.
  let mistakes: [DatasetMistake]
  private let open: OpenDataFile
  private let schema: TableSchema
  private let pool: StringPool

  init(_ file: DataFile, schema: TableSchema?, pool: StringPool) throws(CommandFailure) {
    self.schema = schema ?? TableSchema(record: file.record, columns: [])
    self.pool = pool
    open = try OpenDataFile(file)
    var met: [DiagnosticCode: DatasetMistake] = [:]
    func add(_ finding: Diagnostic) {
      let code = finding.code
      let new = DatasetMistake(
        severity: .error, code: code, record: file.record, path: file.path,
        mend: "fix or remove the record; `metricc explain \(code.id)` shows a right one")
      met[code, default: new].count += 1
      guard met[code, default: new].examples.count < DatasetProblem.shownExamples else { return }
      met[code]?.examples.append(finding)
    }
    result = try open.read(self.schema, pool) { record in
      let place = Location.data(path: record.path, line: record.line, column: record.column)
      add(Diagnostic(.error, record.code, record.message, at: place))
    }
    result.findings.forEach(add)
    mistakes = met.values.sorted { $0.code.id < $1.code.id }
  }

  var file: DataFile { open.file }

  var recordCount: Int { result.table.rowCount + result.rejectedCount }

  /// Whether there are records that are not in the table.
  var isIncomplete: Bool { result.isFatal || result.rejectedCount > 0 }

  /// Where values are; the file as a whole where a place cannot be found.
  func places(of addresses: [ValueAddress]) throws(CommandFailure) -> (ValueAddress) -> Location {
    let found = try open.places(of: addresses, schema, pool)
    return { [path = file.path] address in
      found[address].map { .data(path: path, line: $0.line, column: $0.column) } ?? .path(path)
    }
  }
}
