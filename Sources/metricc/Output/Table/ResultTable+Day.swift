import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

extension ResultTable {
  var dayBlocks: [[String]] {
    var blocks: [[String]] = []
    let metrics = metricRows
    var kinds: [String] = []
    for metric in metrics where !kinds.contains(metric.subject) { kinds.append(metric.subject) }
    for kind in kinds {
      let here = metrics.filter { $0.subject == kind }
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
        let title = metric.title.map { [Grid.painted(Cell($0, .dim), layout)] } ?? []
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

  /// A row per subject, a column per metric or part.
  private func subjectGrid(_ kind: String, _ metrics: [MetricRows], _ subjects: [String]) -> Grid {
    var grid = Grid(keyCount: 1, headings: [Grid.Heading(kind)])
    let main = metrics.first?.name
    grid.rows = chosen(subjects, of: main) { ($0, "") }.map { [Cell($0)] }
    let others = rest(subjects, of: main) { ($0, "") }
    if !others.isEmpty { grid.rows.append([ResultTable.restCell(others.count)]) }
    for metric in metrics {
      for part in metric.parts {
        var rows: [String: ResultRow] = [:]
        for row in metric.rows where row.part == part { rows[row.subject] = row }
        grid.headings.append(
          Grid.Heading(
            metric.heading(part: part), metric.alignment(part),
            title: part.isEmpty ? metric.title : nil))
        grid.headings += earlierHeadings(metric.alignment(part))
        for (place, subject) in chosen(subjects, of: main, key: { ($0, "") }).enumerated() {
          let row = rows[subject]
          grid.rows[place] +=
            [row.map { metric.cell($0.value, part: part) } ?? .empty] + earlierCells(row, metric)
        }
        if !others.isEmpty {
          grid.rows[grid.rows.count - 1] += restCells(others.compactMap { rows[$0] }, metric, part: part)
        }
      }
    }
    return grid
  }

  /// More subjects than this are summed up before they are listed.
  static let mostUnsummarized = 20

  /// A row per metric or part: how many subjects have it, and between what its values lie.
  private func summaryGrid(_ subjects: String, _ metrics: [MetricRows]) -> Grid {
    let bounds = ["lowest", "median", "highest"]
    var grid = Grid(
      keyCount: 1,
      headings: [Grid.Heading(subjects)]
        + (["with a value", "true"] + bounds).map { Grid.Heading($0, .right) })
    for metric in metrics {
      for part in metric.parts {
        let values = metric.rows.lazy.filter { $0.part == part && $0.value != .none }.map(\.value)
        let numbers = values.filter { $0.millionths != nil || $0.alignment == .left && $0.rank != .min }
          .sorted { $0.rank < $1.rank }
        let isBool = values.contains { $0 == .bool(true) || $0 == .bool(false) }
        let places = [numbers.first, ResultTable.median(numbers), numbers.last]
        grid.rows.append(
          [Cell(metric.heading(part: part)), Cell(Counting.grouped(values.count))]
            + [isBool ? Cell(Counting.grouped(values.count { $0 == .bool(true) })) : .empty]
            + places.map { $0.map { metric.cell($0, part: part) } ?? .empty })
      }
    }
    return grid
  }

  /// A row per metric or part: metrics with one value for all, their titles after it.
  private func plainGrid(_ kind: String, _ metrics: [MetricRows]) -> Grid {
    let values = metrics.flatMap(\.rows).map(\.value)
    let areNumbers = values.allSatisfy { ($0.alignment ?? .number) == .number }
    var grid = Grid(
      keyCount: 1,
      headings: [.init(kind), .init("value", areNumbers ? .number : .right)]
        + earlierHeadings(areNumbers ? .number : .right) + [.init("")])
    for metric in metrics {
      for row in metric.rows {
        let title = row.part.isEmpty ? metric.title : nil
        grid.rows.append(
          [Cell(metric.heading(part: row.part)), metric.cell(row.value, part: row.part)]
            + earlierCells(row, metric) + [title.map { Cell($0, .dim) } ?? .empty])
      }
    }
    return grid
  }

  /// A row a group, a column a part.
  private func groupGrid(_ metric: MetricRows) -> Grid {
    let parts = metric.kind == "retention" ? metric.cohortParts : metric.parts
    struct Key: Hashable {
      var subject: String
      var group: GroupKey
    }
    var keys: [Key] = []
    var rows: [Key: [String: ResultRow]] = [:]
    for row in metric.rows {
      let key = Key(subject: row.subject, group: row.group)
      if rows[key] == nil { keys.append(key) }
      rows[key, default: [:]][row.part] = row
    }
    let fields = metric.fields
    var headings = [Grid.Heading(fields.count > 1 ? "\(metric.name) by \(fields[0])" : metric.name)]
    headings += fields.dropFirst().map { Grid.Heading($0) }
    if metric.hasSubjects { headings.insert(Grid.Heading(metric.subject), at: 0) }
    let keyCount = headings.count
    for part in parts {
      let alignment = metric.isStaged ? .right : metric.alignment(part)
      headings.append(Grid.Heading(part.isEmpty ? metric.unit ?? "value" : part, alignment))
      headings += earlierHeadings(alignment)
    }
    var grid = Grid(keyCount: keyCount, headings: headings)
    let place = { (key: Key) in (subject: key.subject, group: key.group) }
    for key in chosen(keys, of: metric.name, key: place) {
      let row = rows[key] ?? [:]
      let names =
        (metric.hasSubjects ? [Cell(key.subject)] : []) + key.group.fields.map(ResultTable.groupCell)
      grid.rows.append(
        names
          + parts.flatMap { part in
            [metric.groupedCell(part, row.mapValues(\.value))] + earlierCells(row[part], metric)
          })
    }
    let others = rest(keys, of: metric.name, key: place)
    guard !others.isEmpty else { return grid }
    let names = [ResultTable.restCell(others.count)] + [Cell](repeating: .empty, count: keyCount - 1)
    grid.rows.append(
      names + parts.flatMap { part in restCells(others.compactMap { rows[$0]?[part] }, metric, part: part) })
    return grid
  }
}

extension MetricRows {
  /// Whether the parts are stages of a way that subjects go: shares say more than numbers.
  var isStaged: Bool { kind == "funnel" || kind == "retention" }

  /// The size of a cohort, then its rates: a line a cohort.
  fileprivate var cohortParts: [String] {
    parts.filter { roles[$0]?.quotient != nil || $0 == parts.first }
  }

  /// A part's cell in the row of a group; a funnel's steps with their share of the first step.
  fileprivate func groupedCell(_ part: String, _ row: [String: Value]) -> Cell {
    guard let value = row[part] else { return .empty }
    guard kind == "funnel", let first = parts.first, part != first else { return cell(value, part: part) }
    let share = Percent.cell(value.millionths, of: row[first]?.millionths).text
    return Cell("\(value.cell.text)  \(share.leftPadded(to: 6))")
  }
}
