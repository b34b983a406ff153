extension ResultTable {
  var dayBlocks: [[String]] {
    var blocks: [[String]] = []
    for here in metricRows.runs(by: \.subject) {
      let kind = here[here.startIndex].subject
      let joined = here.filter { !$0.hasGroups && $0.hasSubjects }
      let plain = here.filter { !$0.hasGroups && !$0.hasSubjects && !$0.isStaged }
      if !joined.isEmpty {
        let subjects = Set(joined.flatMap { $0.rows.map(\.subject) }).sorted(by: Folder.bytesPrecede)
        if subjects.count > ResultTable.mostUnsummarized {
          blocks.append(summaryGrid(Counting.of(subjects.count, kind), joined).lines(layout))
        }
        blocks.append(subjectGrid(kind, joined, subjects).lines(layout))
      }
      if !plain.isEmpty { blocks.append(plainGrid(kind, plain).lines(layout)) }
      for metric in here where metric.hasGroups || (metric.isStaged && !metric.hasSubjects) {
        let title = metric.title.map { [layout.dim($0)] } ?? []
        blocks.append(title + ownGrid(metric).lines(layout))
      }
    }
    return blocks
  }

  /// The block of a metric by itself.
  private func ownGrid(_ metric: MetricRows) -> Grid {
    switch (metric.kind, metric.hasGroups) {
    case ("funnel", false): funnelGrid(metric)
    case ("retention", false): retentionGrid(metric)
    default: groupGrid(metric)
    }
  }

  /// A row for each of the topics, a column for each part of the metrics; what is left out is added up in a last row.
  private func grid(
    _ keys: [String], _ topics: [RowTopic], _ columns: [PartColumn], names: (RowTopic) -> [Cell]
  ) -> Grid {
    let (shown, others) = ranking.split(topics, of: columns.first?.metric.name) { $0 }
    var grid = Grid(
      keys: keys, columns.flatMap { [$0.heading] + earlierHeadings($0.heading.alignment) },
      rows: shown.map { topic in
        names(topic)
          + columns.flatMap { column in
            let row = column.rows[topic]
            return [row.map(column.cell) ?? .empty] + earlierCells(row, column.metric)
          }
      })
    guard !others.isEmpty else { return grid }
    let sums = columns.flatMap { column in
      restCells(others.compactMap { column.rows[$0] }, column.metric, part: column.part)
    }
    grid.rows.append([ResultTable.restCell(others.count)] + keys.dropFirst().map { _ in .empty } + sums)
    return grid
  }

  /// A row per subject, a column per metric or part.
  private func subjectGrid(_ kind: String, _ metrics: [MetricRows], _ subjects: [String]) -> Grid {
    let columns = metrics.flatMap { metric in
      metric.parts.map { part in
        PartColumn(
          metric: metric, part: part,
          heading: .init(
            metric.heading(part: part), metric.alignment(part), title: part.isEmpty ? metric.title : nil),
          rows: metric.rowsByTopic(part)
        ) { metric.cell($0.value, part: part) }
      }
    }
    return grid([kind], subjects.map { RowTopic(subject: $0) }, columns) { [Cell($0.subject)] }
  }

  /// More subjects than this are summed up before they are listed.
  static let mostUnsummarized = 20

  /// A row per metric or part: how many subjects have it, and between what its values lie.
  private func summaryGrid(_ subjects: String, _ metrics: [MetricRows]) -> Grid {
    let rows = metrics.flatMap { metric in
      metric.parts.map { part in
        let values = metric.rows.lazy.filter { $0.part == part && $0.value != .none }.map(\.value)
        let numbers = values.filter { $0.millionths != nil || $0.alignment == .left && $0.rank != .min }
          .sorted { $0.rank < $1.rank }
        let isBool = values.contains { $0 == .bool(true) || $0 == .bool(false) }
        let places = [numbers.first, ResultTable.median(numbers), numbers.last]
        return [
          Cell(metric.heading(part: part)), Cell(Counting.grouped(values.count)),
          isBool ? Cell(Counting.grouped(values.count { $0 == .bool(true) })) : .empty,
        ] + places.map { $0.map { metric.cell($0, part: part) } ?? .empty }
      }
    }
    let headings = ["with a value", "true", "lowest", "median", "highest"]
    return Grid(keys: [subjects], headings.map { .init($0, .right) }, rows: rows)
  }

  /// A row per metric or part: metrics with one value for all, their titles after it.
  private func plainGrid(_ kind: String, _ metrics: [MetricRows]) -> Grid {
    let values = metrics.flatMap(\.rows).map(\.value)
    let areNumbers = values.allSatisfy { ($0.alignment ?? .number) == .number }
    let alignment: Grid.Alignment = areNumbers ? .number : .right
    let rows = metrics.flatMap { metric in
      metric.rows.map { row in
        [Cell(metric.heading(part: row.part)), metric.cell(row.value, part: row.part)]
          + earlierCells(row, metric) + [row.part.isEmpty ? Cell(metric.title ?? "", .dim) : .empty]
      }
    }
    return Grid(
      keys: [kind], [.init("value", alignment)] + earlierHeadings(alignment) + [.init("")], rows: rows)
  }

  /// A row a group, a column a part.
  private func groupGrid(_ metric: MetricRows) -> Grid {
    let first = metric.parts.first ?? ""
    // The size of a cohort, then its rates: a line a cohort.
    let parts = metric.parts.filter {
      metric.kind != "retention" || metric.roles[$0]?.quotient != nil || $0 == first
    }
    let firsts = metric.rowsByTopic(first)
    let columns = parts.map { part in
      PartColumn(
        metric: metric, part: part,
        heading: .init(
          part.isEmpty ? metric.unit ?? "value" : part, metric.isStaged ? .right : metric.alignment(part)),
        rows: metric.rowsByTopic(part)
      ) { metric.groupedCell($0, of: firsts[$0.topic]?.value) }
    }
    let fields = metric.groupFields
    let subject = metric.hasSubjects ? [metric.subject] : []
    let keys =
      subject + [fields.count > 1 ? "\(metric.name) by \(fields[0])" : metric.name] + fields.dropFirst()
    let topics = metric.rows.map(\.topic).once(by: \.self)
    return grid(keys, topics, columns) { topic in
      subject.map { _ in Cell(topic.subject) } + topic.group.fields.map(ResultTable.groupCell)
    }
  }
}

/// A part of a metric as a column.
private struct PartColumn {
  let metric: MetricRows
  let part: String
  let heading: Grid.Heading
  let rows: [RowTopic: ResultRow]
  let cell: (ResultRow) -> Cell
}

extension MetricRows {
  fileprivate func rowsByTopic(_ part: String) -> [RowTopic: ResultRow] {
    Dictionary(rows.filter { $0.part == part }.map { ($0.topic, $0) }, uniquingKeysWith: { $1 })
  }

  /// The cell of a group's row; a funnel's steps with their share of the first step.
  fileprivate func groupedCell(_ row: ResultRow, of first: Value?) -> Cell {
    guard summary.kind == "funnel", row.part != parts.first else { return cell(row.value, part: row.part) }
    let share = Percent.cell(row.value.millionths, of: first?.millionths).text
    return Cell("\(row.value.cell.text)  \(share.leftPadded(to: 6))")
  }
}
