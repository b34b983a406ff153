extension DatasetCheck {
  /// The bundles, where there are members.
  private var bundles: (graph: LinkGraph, fields: BundleFields)? {
    guard let fields = BundleFields(library: library), let table = kept[fields.record] else { return nil }
    return (LinkGraph(table, parent: fields.bundle, child: fields.child, habit: fields.habit), fields)
  }

  /// Bundles that contain each other in a cycle, and those that nest too deeply.
  func bundleProblems() -> [DatasetProblem] {
    guard let (graph, fields) = bundles else { return [] }
    let rest = "until then no goal of a bundle can be evaluated"
    return [
      problem(
        graph.circles(), in: graph, fields.child, .bundleCycle,
        mend: "remove the member that closes the circle; \(rest)"
      ) { _ in "bundles contain each other in a circle: " },
      problem(
        graph.chainsThatAreTooDeep(BundleFields.deepest), in: graph, fields.child, .bundleTooDeep,
        mend: "put the inner habits into an outer bundle; \(rest)", at: BundleFields.deepest - 1
      ) { "bundles nest \($0) deep, expected at most \(BundleFields.deepest): " },
    ]
  }

  /// Ids that `Identity` leads in a cycle, over too many links, or to two others.
  func identityProblems() -> [DatasetProblem] {
    guard let identity = library.identity, let table = kept[identity.record] else { return [] }
    let graph = LinkGraph(table, parent: identity.alias, child: identity.target)
    let rest = "until then nothing about a \(library.records[identity.entity].subjectName) can be evaluated"
    let circles = problem(
      graph.circles(), in: graph, identity.target, .identityCycle,
      mend: "take out the link that closes the circle; \(rest)"
    ) { _ in "identities lead in a circle: " }
    let long = problem(
      graph.chainsThatAreTooDeep(IdentityLink.longestChain + 1), in: graph, identity.target, .identityCycle,
      mend: "link the names to the last id itself; \(rest)", at: IdentityLink.longestChain
    ) { "\($0 - 1) identities in a chain, expected at most \(IdentityLink.longestChain): " }
    var targets = DatasetProblem(
      code: .identityTargets, record: library.records[identity.record].name,
      field: library[identity.target].name, mend: "take out the link that is wrong; \(rest)")
    for (alias, edges) in graph.children.sorted(by: { $0.value[0].row < $1.value[0].row }) {
      guard let other = edges.first(where: { $0.child != edges[0].child }) else { continue }
      targets.add(
        row: other.row,
        "\(shown(alias)) is \(shown(other.child)) here, and \(shown(edges[0].child)) elsewhere",
        (edges[0].row, "the first such link"))
    }
    return [circles, long, targets]
  }

  /// - Parameter place: of the link at fault, the first too many; nil for the last, which closes a circle.
  private func problem(
    _ found: [[LinkGraph.Edge]], in graph: LinkGraph, _ child: FieldReference, _ code: DiagnosticCode,
    mend: String, at place: Int? = nil, _ text: (_ ids: Int) -> String
  ) -> DatasetProblem {
    var problem = DatasetProblem(
      code: code, record: library.records[child.record].name, field: library[child].name, mend: mend)
    for edges in found {
      let names = ([graph.parents[edges[0].row]] + edges.map(\.child)).map(shown)
      // `a` → `b` → `c`, in the middle cut where it is long.
      let chain = names.count > 12 ? names.prefix(6) + ["…"] + names.suffix(5) : names[...]
      problem.add(
        row: edges[place ?? edges.count - 1].row, text(names.count) + chain.joined(separator: " → "))
    }
    return problem
  }

  /// `sum` links whose ends are counted in different units, and `count` links to a goal in a unit that measures.
  func unitMismatches() -> [DatasetProblem] {
    kept.keys.sorted().flatMap { record -> [DatasetProblem] in
      guard library.records[record].kind == .link, let links = kept[record],
        let contribution = library.records[record].field(named: "contribution")
      else { return [] }
      let ends = measuredEnds(of: record)
      guard let owner = ends.first, ends.count > 1 else { return [] }
      func rows(_ word: String) -> [Int] {
        guard let word = pool.lookup(word) else { return [] }
        return (0..<links.rowCount).filter { links.cell(contribution, $0) == Int64(word) && links.isLive($0) }
      }
      return [
        mismatches(of: record, links, rows("sum"), owner, ends.dropFirst()),
        countedMeasures(of: record, links, rows("count"), owner, ends.dropFirst()),
      ]
    }
  }

  /// Units of amounts, which no number of entries is.
  private static let measures: Set<String> = [
    "km", "kilometres", "kilometers", "m", "metres", "meters", "mi", "miles", "min", "minutes", "h", "hours",
    "s", "seconds", "kg", "kilograms", "g", "grams", "lb", "pounds", "l", "litres", "liters", "ml", "kcal",
    "calories", "€", "$", "£", "EUR", "USD", "%",
  ]

  private func countedMeasures(
    of record: RecordID, _ links: LoadedTable, _ rows: [Int], _ owner: MeasuredEnd,
    _ ends: ArraySlice<MeasuredEnd>
  ) -> DatasetProblem {
    let measured = Set(ends.flatMap { $0.units.values.compactMap { $0 } })
    var problem = DatasetProblem(
      code: .countedMeasure, severity: .warning, record: library.records[record].name, field: "contribution",
      mend: "let the link `sum` the values, or leave the unit of the \(owner.entity) out")
    for row in rows {
      guard let id = links.cell(owner.field, row), let unit = owner.units[Int32(id)] ?? nil,
        measured.contains(unit) || DatasetCheck.measures.contains(pool.string(unit))
      else { continue }
      problem.add(
        row: row,
        "a `count` link adds 1 for each entry to the \(owner.entity) \(shown(Int32(id))), "
          + "\(counted(in: unit))")
    }
    return problem
  }

  /// One end of a link that has a unit: the reference, and the unit by pool number of the id.
  private struct MeasuredEnd {
    var field: Int
    var entity: String
    /// nil if the entity has none; one without a record is not here.
    var units: [Int32: Int32?]
  }

  private func mismatches(
    of record: RecordID, _ links: LoadedTable, _ rows: [Int], _ owner: MeasuredEnd,
    _ ends: ArraySlice<MeasuredEnd>
  ) -> DatasetProblem {
    var problem = DatasetProblem(
      code: .linkedUnitMismatch, record: library.records[record].name, field: "contribution",
      mend: "give both the same unit, or let the link `count` for a goal in entries; until then the goal "
        + "cannot be evaluated")
    let members = bundles
    for row in rows {
      guard let ownerID = links.cell(owner.field, row), let unit = owner.units[Int32(ownerID)] else {
        continue
      }
      for end in ends {
        for id in contributors(end, record, links, row, members) {
          guard let other = end.units[id], other != unit else { continue }
          problem.add(
            row: row,
            "a `sum` link joins the \(end.entity) \(shown(id)), \(counted(in: other)), to the "
              + "\(owner.entity) \(shown(Int32(ownerID))), \(counted(in: unit))")
        }
      }
    }
    return problem
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
    let rows = (0..<table.rowCount).lazy.filter { ids[$0] >= 0 && table.isLive($0) }
    return Dictionary(rows.map { (ids[$0], cells[$0] >= 0 ? cells[$0] : nil) }) { first, _ in first }
  }

  /// The ids that a link leads to at one end: the one that it names, and those of its bundle.
  private func contributors(
    _ end: MeasuredEnd, _ record: RecordID, _ links: LoadedTable, _ row: Int,
    _ bundles: (graph: LinkGraph, fields: BundleFields)?
  ) -> [Int32] {
    var found = links.cell(end.field, row).map { [Int32(truncatingIfNeeded: $0)] } ?? []
    let target = library.target(of: FieldReference(record: record, field: end.field))
    guard let (graph, fields) = bundles, target == library.target(of: fields.habit),
      let bundle = library.target(of: fields.bundle)
    else { return found }
    for field in library.references(from: record, to: bundle) {
      guard let id = links.cell(field, row) else { continue }
      found += graph.allHabits(of: Int32(truncatingIfNeeded: id)).filter { !found.contains($0) }
    }
    return found
  }

  private func shown(_ text: Int32) -> String { quoted(text, pool) }
}
