extension EvaluationError {
  /// The error as a finding about the dataset: at the file of the record that is at fault, and where a number is out
  /// of range at the greatest of those that the metric reads.
  func diagnostic(
    in dataset: Dataset, of library: MetricLibrary, pseudonyms: Pseudonyms? = nil
  ) -> Diagnostic {
    let first = dataset.files.values.map(\.path).sorted(by: Folder.bytesPrecede).first ?? "the dataset"
    func at(_ record: String) -> Location { .path(dataset.files[record]?.path ?? first) }
    let message = (pseudonyms?.replacingSubject(in: self) ?? self).message
    switch self {
    case .overflow(let metric, let subject, _):
      let schemas = library.schemas(for: [metric])
      let files = schemas.compactMap { dataset.files[$0.record] }
      let greatest = greatestNumber(in: files, schemas, subject: subject)
      let note = greatest == nil ? [] : [Note("of the numbers that it reads the greatest is here")]
      let read = files.first?.record ?? ""
      return Diagnostic(.error, code, message, at: greatest ?? at(read), metric: metric, notes: note)
    case .bundleCycle, .bundleTooDeep: return Diagnostic(.error, code, message, at: at("BundleMember"))
    case .identityCycle, .identityTargets: return Diagnostic(.error, code, message, at: at("Identity"))
    case .unitMismatch: return Diagnostic(.error, code, message, at: at("GoalLink"))
    }
  }
}

/// The place of the number of the greatest magnitude in some files, among the records that name a subject where there
/// are any. The files are read again for it.
private func greatestNumber(
  in files: [DataFile], _ schemas: [TableSchema], subject: String
) -> Location? {
  var place: Location?
  var greatest = (magnitude: 0.0, isOwn: false)
  for file in files where FileStatus(path: file.path)?.kind == .file {
    let pool = StringPool()
    let schema = schemas.first { $0.record == file.record }
    guard let checked = try? CheckedFile(file, schema: schema, pool: pool) else { continue }
    let id = pool.lookup(subject).map(Int64.init)
    let table = checked.result.table
    let columns = Array(zip(table.schema.columns, table.columns))
    var found: ValueAddress?
    for row in 0..<table.rowCount {
      let isOwn = id != nil && columns.contains { $0.type == .text && $1[row] == id }
      for (schema, column) in columns where schema.type == .int || schema.type == .decimal {
        guard let cell = column[row] else { continue }
        let magnitude = abs(Double(cell)) * (schema.type == .int ? 1_000_000 : 1)
        guard isOwn == greatest.isOwn ? magnitude > greatest.magnitude : isOwn else { continue }
        greatest = (magnitude, isOwn)
        found = ValueAddress(row: row, field: schema.name)
      }
    }
    if let found { place = try? checked.places(of: [found])(found) }
  }
  return place
}
