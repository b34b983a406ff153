/// The tables that the chosen metrics read.
struct Dataset {
  /// By record name.
  var tables: [String: Table] = [:]
  let pool = StringPool()
  /// The last DayKey of all facts, where it was requested and there is one.
  var lastDay: DayKey?
  /// Where each record comes from.
  var files: [String: DataFile] = [:]

  /// Whom `Identity` says that an id stands for.
  func person(_ id: String, in library: MetricLibrary) -> String {
    library.plan.person(id, in: tables, pool: pool)
  }

  static func sayPerson(_ person: String, of id: String) {
    Remarks.say("\(id.quoted) is another name of \(person.quoted), says `Identity`")
  }
}

/// Reads data files: of each only what the chosen metrics read.
struct DatasetLoader {
  let library: MetricLibrary
  let files: [DataFile]
  var threads = 1
  /// Takes malformed records, which are not findings then.
  var rejects: RejectsFile?

  static let shownFindings = 20

  /// The dataset with these records; malformed data ends the run with its findings on standard error.
  ///
  /// - Parameters:
  ///   - plan: what of the records is kept; nil keeps all.
  ///   - needsLastDay: whether the DayKeys of facts that no metric reads are needed too.
  func load(
    _ schemas: [TableSchema], plan: LoadPlan? = nil, needsLastDay: Bool
  ) throws(CommandFailure) -> Dataset {
    try MemoryGuard.start()
    var dataset = Dataset()
    var findings: [Diagnostic] = []
    var findingCount = 0
    for file in files {
      dataset.files[file.record] = file
      let own = schemas.first { $0.record == file.record }
      let dayKey = needsLastDay ? library.dayKeySchema(ofFact: file.record) : nil
      guard let schema = own ?? dayKey else { continue }
      ProgressLine.show("reading \(file.path)")
      var options = ReadOptions(threads: threads)
      plan?.prepare(&options, for: file.record)
      let add = rejects.map { rejects in { (record: RejectedRecord) in rejects.add(record) } }
      let result = try OpenDataFile(file).read(schema, dataset.pool, options: options, rejects: add)
      findings += result.findings.prefix(DatasetLoader.shownFindings - findings.count)
      findingCount += result.findingCount
      if own != nil { dataset.tables[file.record] = result.table }
      if let column = dayKey?.columns.first?.name, let last = result.table.lastDay(in: column) {
        dataset.lastDay = max(last, dataset.lastDay ?? last)
      }
    }
    guard findingCount == 0 else {
      Remarks.report(findings)
      let total = "\(Counting.of(findingCount, "finding")) in all"
      let isCut = findingCount > findings.count
      Remarks.say(isCut ? "\(total); the first \(findings.count) are shown" : total)
      throw .silent(.unreadable)
    }
    return dataset
  }
}

/// Records that were left out, an object per line.
final class RejectsFile {
  private let file: AtomicFile
  private let path: String
  private var count = 0

  init(path: String) throws(CommandFailure) {
    self.path = path
    file = try AtomicFile(path: path)
  }

  func add(_ record: RejectedRecord) {
    count += 1
    let object = JSONText.object([
      "path": record.path, "line": record.line, "column": record.column, "record": record.record,
      "code": record.code.id, "message": record.message, "text": record.text,
    ])
    file.stream.write("\(object)\n")
  }

  func commit() throws(CommandFailure) { try file.commit() }

  /// `3 records are left out; they are in `rejects.ndjson``.
  var remark: String {
    switch count {
    case 0: "no record is left out"
    case 1: "1 record is left out; it is in \(path.quoted)"
    default: "\(Counting.of(count, "record")) are left out; they are in \(path.quoted)"
    }
  }
}
