import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricPlan

extension DatasetCheck {
  /// The bundles, where there are members.
  private var bundles: (graph: BundleGraph, table: CheckedTable, fields: BundleFields)? {
    guard let fields = BundleFields(library: library), let table = kept[fields.record] else { return nil }
    return (BundleGraph(table, fields: fields), table, fields)
  }

  /// Bundles that hold each other in a circle, and those that nest too deeply.
  func bundleProblems() -> [DatasetProblem] {
    guard let (graph, table, fields) = bundles, let parents = table.texts(fields.bundle.field) else {
      return []
    }
    let (record, child) = (library.records[fields.record].name, library[fields.child].name)
    var circles = DatasetProblem(
      .bundleCycle, record: record, field: child,
      mend: "take out the member that closes the circle; until then no goal of a bundle can be evaluated")
    for edges in graph.circles() {
      guard let last = edges.last else { continue }
      let names = ([parents[edges[0].row]] + edges.map(\.child)).map { shown($0) }
      circles.add(
        DatasetProblem.Example(
          row: last.row, field: child, message: "bundles hold each other in a circle: \(chain(names))"))
    }
    var deep = DatasetProblem(
      .bundleTooDeep, record: record, field: child,
      mend: "put the inner habits into an outer bundle; until then no goal of a bundle can be evaluated")
    for edges in graph.chainsThatAreTooDeep(BundleFields.deepest) {
      guard edges.count >= BundleFields.deepest else { continue }
      let names = ([parents[edges[0].row]] + edges.map(\.child)).map { shown($0) }
      deep.add(
        DatasetProblem.Example(
          row: edges[BundleFields.deepest - 1].row, field: child,
          message:
            "bundles nest \(names.count) deep, expected at most \(BundleFields.deepest): \(chain(names))"))
    }
    return [circles, deep].compactMap(\.ifMet)
  }

  /// `a` → `b` → `c`, in the middle cut where it is long.
  private func chain(_ names: [String]) -> String {
    let shown = names.count > 12 ? names.prefix(6) + ["…"] + names.suffix(5) : names[...]
    return shown.joined(separator: " → ")
  }

  /// `sum` links whose ends are counted in different units.
  func unitMismatches() -> [DatasetProblem] {
    kept.keys.sorted().compactMap { record in
      guard library.records[record].kind == .link, let links = kept[record],
        let contribution = library.records[record].field(named: "contribution"),
        let sum = pool.lookup("sum")
      else { return nil }
      return unitMismatches(of: links, contribution: contribution, sum: Int64(sum))
    }
  }

  /// One end of a link that has a unit: the reference, and the unit by pool number of the id.
  private struct MeasuredEnd {
    var field: Int
    var entity: String
    /// nil where the entity has none; one without a record is not here.
    var units: [Int32: Int32?]
  }

  private func unitMismatches(
    of links: CheckedTable, contribution: Int, sum: Int64
  ) -> DatasetProblem? {
    let ends = measuredEnds(of: links.record)
    guard let owner = ends.first, ends.count > 1 else { return nil }
    let record = library.records[links.record]
    var problem = DatasetProblem(
      .linkedUnitMismatch, record: record.name, field: "contribution",
      mend: "give both the same unit, or let the link `count`; until then the goal cannot be evaluated")
    let members = bundles
    for row in 0..<links.rowCount where links.cell(contribution, row) == sum && links.isLive(row) {
      guard let ownerID = links.cell(owner.field, row), let unit = owner.units[Int32(ownerID)] else {
        continue
      }
      for end in ends.dropFirst() {
        for id in contributors(end, links, row, members?.graph) {
          guard let other = end.units[id], other != unit else { continue }
          problem.add(
            DatasetProblem.Example(
              row: row, field: "contribution",
              message:
                "a `sum` link joins the \(end.entity) \(shown(id)), \(counted(in: other)), to the "
                + "\(owner.entity) \(shown(Int32(ownerID))), \(counted(in: unit))"))
        }
      }
    }
    return problem.ifMet
  }

  private func counted(in unit: Int32?) -> String {
    unit.map { "counted in \(shown($0))" } ?? "without a unit"
  }

  /// The references of a link to entities with a `unit`, the one that is contributed to first.
  private func measuredEnds(of link: RecordID) -> [MeasuredEnd] {
    library.records[link].fields.indices.compactMap { field in
      guard let entity = library.target(of: FieldReference(record: link, field: field)),
        let unit = library.records[entity].field(named: "unit"),
        library.records[entity].fields[unit].type == .text, let id = library.records[entity].idField
      else { return nil }
      return MeasuredEnd(
        field: field, entity: library.records[entity].subjectName, units: units(entity, id: id, unit: unit))
    }
  }

  private func units(_ entity: RecordID, id: Int, unit: Int) -> [Int32: Int32?] {
    guard let table = kept[entity], let ids = table.texts(id), let cells = table.texts(unit) else {
      return [:]
    }
    var units: [Int32: Int32?] = [:]
    for row in 0..<table.rowCount where ids[row] >= 0 && table.isLive(row) && units[ids[row]] == nil {
      units[ids[row]] = .some(cells[row] >= 0 ? cells[row] : nil)
    }
    return units
  }

  /// The ids that a link leads to at one end: the one that it names, and those of its bundle.
  private func contributors(
    _ end: MeasuredEnd, _ links: CheckedTable, _ row: Int, _ bundles: BundleGraph?
  ) -> [Int32] {
    var found = links.cell(end.field, row).map { [Int32(truncatingIfNeeded: $0)] } ?? []
    let habit = BundleFields(library: library).flatMap { library.target(of: $0.habit) }
    let bundle = BundleFields(library: library).flatMap { library.target(of: $0.bundle) }
    let target = library.target(of: FieldReference(record: links.record, field: end.field))
    guard let bundles, target == habit, let bundle else { return found }
    for field in library.references(from: links.record, to: bundle) {
      guard let id = links.cell(field, row) else { continue }
      found += bundles.allHabits(of: Int32(truncatingIfNeeded: id)).filter { !found.contains($0) }
    }
    return found
  }

  /// The id nearest to one that was not found, among the first few thousand.
  func nearestID(to id: String, _ entity: RecordID) -> String? {
    guard let present = ids[entity] else { return nil }
    let candidates = present.indices.lazy.filter { present[$0] }.prefix(5_000).map { pool.string(Int32($0)) }
    return nearestName(to: id, in: candidates)
  }

  private func shown(_ text: Int32) -> String { quoted(text, pool) }
}
