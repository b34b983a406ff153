import ArgumentParser

/// What data files or a database call fields.
struct ColumnOptions: ParsableArguments {
  @Option(
    help: .value("record.field=name", "The column of a field: HabitEntry.dayKey=day_key. May be repeated."))
  var column: [String] = []

  /// By record and field, the column; what is not stored, or named twice, is wrong usage.
  fileprivate func names(in stored: [String: [String]]) throws(CommandFailure) -> [String: [String: String]] {
    var columns: [String: [String: String]] = [:]
    for argument in column {
      let (field, name) = argument.halves ?? ("", "")
      let parts = field.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !name.isEmpty else {
        throw .usage("--column takes Record.field=name, not \(argument.quoted)")
      }
      try DatabaseOptions.requireRecord(parts[0], in: Array(stored.keys))
      let fields = stored[parts[0]] ?? []
      guard fields.contains(parts[1]) else {
        throw .usage(
          "\(parts[0].quoted) has no stored field \(parts[1].quoted)"
            + suggestion(for: parts[1], among: fields))
      }
      guard columns[parts[0], default: [:]].updateValue(name, forKey: parts[1]) == nil else {
        throw .usage("--column names the column of \(field.quoted) twice")
      }
    }
    return columns
  }

  /// The data files of a run, which call fields so. A record may be known to some of the libraries only.
  func files(_ data: [String], in libraries: MetricLibrary...) throws(CommandFailure) -> [DataFile] {
    let stored = libraries.reduce(into: [:]) { $0.merge($1.storedFields) { $0 + $1 } }
    return try DataFiles(
      arguments: data, recordNames: stored.keys.sorted(), fields: stored, columns: names(in: stored),
      remark: Remarks.say
    ).files
  }
}

extension MetricLibrary {
  fileprivate var storedFields: [String: [String]] {
    Dictionary(recordNames.map { ($0, storedFields(of: $0) ?? []) }, uniquingKeysWith: { first, _ in first })
  }
}

/// What the database calls records and fields.
struct DatabaseOptions: ParsableArguments {
  @Option(
    help: .value(
      "record=name",
      "The table of a record: HabitEntry=entries, HabitEntry=app.entries, or with quotes HabitEntry='app.\"my entries\"'. May be repeated."
    ))
  var table: [String] = []

  @OptionGroup var columns: ColumnOptions

  /// - Throws: a record or field that is not declared or named twice, a name that is none.
  func names(in library: MetricLibrary) throws(CommandFailure) -> DatabaseNames {
    var names = DatabaseNames()
    for argument in table {
      guard let (record, name) = argument.halves else {
        throw .usage("--table takes Record=name, not \(argument.quoted)")
      }
      try DatabaseOptions.requireRecord(record, in: library.recordNames)
      guard let path = DatabaseOptions.path(name) else {
        throw .usage("--table \(argument.quoted) names no table; write table, schema.table or \"a.b\"")
      }
      guard names.tables.updateValue(path, forKey: record) == nil else {
        throw .usage("--table names the table of \(record.quoted) twice")
      }
    }
    names.columns = try columns.names(in: library.storedFields)
    return names
  }

  static func requireRecord(_ name: String, in records: [String]) throws(CommandFailure) {
    guard records.contains(name) else {
      throw .usage(
        "no record is named \(name.quoted)"
          + suggestion(for: name, among: records.sorted(by: Folder.bytesPrecede)))
    }
  }

  /// The names of `schema.table`; what is in double quotes is one name, a quote in it doubled. Nil if a name is empty
  /// or a quote has no end.
  static func path(_ text: String) -> [String]? {
    // Every other piece was in quotes.
    let pieces = text.split(separator: "\"", omittingEmptySubsequences: false)
    var names = [""]
    for (index, piece) in pieces.enumerated() {
      if index % 2 == 1 {
        names[names.count - 1] += piece
      } else {
        if piece.isEmpty, index > 0, index < pieces.count - 1 { names[names.count - 1] += "\"" }
        let parts = piece.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        names[names.count - 1] += parts[0]
        names += parts.dropFirst()
      }
    }
    return pieces.count % 2 == 0 || names.contains("") ? nil : names
  }
}
