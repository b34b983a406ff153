/// What becomes relations of one metric.
protocol MetricRelations {
  var translation: Translation { get }
  var id: MetricID { get }
}

/// A metric with rows of its own on its way to SQL.
protocol MetricLowering: MetricRelations {
  /// `subject`, `r`, `grp` where it has groups, and a column for each part.
  func query() -> SQLQuery
}

extension MetricRelations {
  var library: Library { translation.library }
  var metric: Metric { library.metrics[id] }
  /// What names of relations begin with.
  var name: String { metric.name }

  func define(_ suffix: String, _ query: SQLQuery) -> String {
    translation.define("\(name)_\(suffix)", query)
  }

  func define(_ suffix: String, _ comment: String, _ query: SQLQuery) -> String {
    translation.define("\(name)_\(suffix)", "\(name): \(comment)", query)
  }
}

extension MetricLowering {
  /// The groups of a metric of many subjects on each day: those that are `counted` (`r`, `grp` and the
  /// columns), and the empty one where nothing is grouped. Where nobody is counted, columns are 0, but for
  /// those of `none`.
  func completed(_ counted: String, days: String, columns: [String], none: Set<String> = []) -> SQLQuery {
    guard metric.grouping.isEmpty else {
      let builder = SelectBuilder(from: counted, as: "a")
      return builder.select([SQLColumn("", "subject")] + builder.columns(["r", "grp"] + columns))
    }
    let builder = SelectBuilder(from: days, as: "d")
    let alias = builder.join(.left, counted, as: "a", same: ["r"])
    let values = columns.map { SQLColumn(none.contains($0) ? alias[$0] : alias[$0].or(0), $0) }
    return builder.select(builder.columns(["subject": "", "r": builder["r"], "grp": ""]) + values)
  }

  /// Counts by `r` and `grp` with the numbers of users beside them, also of the lines of a table: `users`
  /// gives these by `r` and `grp`, of a line in place of a group.
  func withUsers(
    _ counted: String, columns: [String], counts: [String], lines: [Line] = [], users: (Line?) -> String
  ) -> String {
    let builder = SelectBuilder(from: counted, as: "a")
    let alias = builder.join(.left, users(nil), as: "u", same: ["r", "grp"])
    var all = builder.columns(["r", "grp"] + columns) + counts.map { SQLColumn(alias[$0].or(0), $0) }
    for line in lines {
      let text = line.text(of: builder["grp"])
      let alias = builder.join(.left, users(line), as: "u", on: ["r": builder["r"], "grp": text])
      all.append(SQLColumn(text, line.name))
      all += counts.map { SQLColumn(alias[$0].or(0), line.column($0)) }
    }
    return define("with_users", builder.select(all))
  }

  /// What `withUsers` adds.
  func columnsOfUsers(_ counts: [String]) -> [String] {
    counts + lines.flatMap { line in [line.name] + counts.map(line.column) }
  }
}
