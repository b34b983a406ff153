import MetricData
import MetricPlan

/// Indexes of facts by subject, made once for each record and route.
final class Routing {
  let dataset: Dataset
  private var indexes: [Key: FactIndex] = [:]
  private var bundles: Bundles?
  private var foldedFacts: [RecordID: FoldedFacts] = [:]
  private var knownConsents: Consents?
  private var knownUsers: [RecordID: [[Int32]]] = [:]

  private struct Key: Hashable {
    var record: RecordID
    var route: Route
    var isTeam: Bool
  }

  init(dataset: Dataset) {
    self.dataset = dataset
  }

  /// A folded record by the subjects of its key; nil where its facts are loaded, or folded by another key.
  func folded(_ record: RecordID, by key: FieldReference) -> FoldedFacts? {
    if let known = foldedFacts[record] { return known }
    let table = dataset.table(record)
    guard let store = table.folded, let schema = table.foldedSchema,
      schema.columns[store.spec.key].name == dataset.library[key].name,
      let target = dataset.library.target(of: key)
    else { return nil }
    let facts = FoldedFacts(store, dataset.space(target))
    foldedFacts[record] = facts
    return facts
  }

  /// How many subjects a route can lead to; `app` is one.
  func subjectCount(_ entity: RecordID?) -> Int {
    entity.map { dataset.space($0).count } ?? 1
  }

  /// The facts of a record by the subjects of a route, each fact once for a subject.
  ///
  /// - Parameter isTeam: whether only facts of users who consented are read.
  func index(_ record: RecordID, _ route: Route, isTeam: Bool) throws(EvaluationError) -> FactIndex {
    let key = Key(record: record, route: route, isTeam: isTeam)
    if let known = indexes[key] { return known }
    let day = dayOf(record)
    let rows = rowsByDay(readableRows(record, isTeam: isTeam), day: day)
    let index: FactIndex
    switch route {
    case .whole:
      index = FactIndex(
        subjectCount: 1, rows: rows, subjects: [Int32](repeating: 0, count: rows.count), day: day)
    case .references(let references):
      index = alongReferences(references, record, rows, day)
    case .link(let link):
      let pairs = try linkPairs(link)
      index = throughLink(link, record, rows, day, pairs.subjectsByEnd)
    }
    indexes[key] = index
    return index
  }

  /// The live rows; for the team those of users who gave the level that the record asks for.
  func readableRows(_ record: RecordID, isTeam: Bool) -> [Int32] {
    let table = dataset.table(record)
    let live = (0..<Int32(table.rowCount)).filter { table.isLive(Int($0)) }
    guard isTeam, let level = dataset.library.askedConsent(of: record) else { return live }
    let consents = consents()
    let users = dataset.library.userPaths(of: record).map { dataset.follow($0, from: record) }
    return live.filter { row in
      // Whoever a fact speaks of has to agree, and somebody has to.
      let behind = users.map { $0[Int(row)] }.filter { $0 >= 0 }
      return !behind.isEmpty && behind.allSatisfy { consents.allows($0, level) }
    }
  }

  /// Puts a fact that has come into the indexes, or takes one out that goes.
  func change(_ record: RecordID, row: Int, isNew: Bool) {
    let asksConsent = dataset.library.askedConsent(of: record) != nil
    knownUsers[record] = nil
    for key in Array(indexes.keys) where key.record == record {
      // Taken out, so that it is changed in place.
      guard var index = indexes.removeValue(forKey: key), !(key.isTeam && asksConsent),
        let subjects = try? subjects(of: row, record, key.route)
      else { continue }
      let day = dayOf(record)(Int32(row))
      for subject in subjects {
        if isNew {
          index.insert(row: Int32(row), subject: Int(subject), day: day) { _, _ in false }
        } else {
          index.remove(row: Int32(row), subject: Int(subject), day: day)
        }
      }
      indexes[key] = index
    }
  }

  /// The subjects that a fact belongs to, each once.
  func subjects(
    of row: Int, _ record: RecordID, _ route: Route
  ) throws(EvaluationError) -> [Int32] {
    switch route {
    case .whole: return [0]
    case .references(let references):
      let end = dataset.end(of: references, from: record, row: row)
      return end < 0 ? [] : [end]
    case .link(let link):
      let end = dataset.end(of: link.fromFact, from: record, row: row)
      return try linkPairs(link).subjectsByEnd[Int(end)] ?? []
    }
  }

  /// By row, whether it is among the readable ones; nil where all are.
  func readability(_ record: RecordID, isTeam: Bool) -> [Bool]? {
    let table = dataset.table(record)
    guard table.hasDead || (isTeam && dataset.library.askedConsent(of: record) != nil) else { return nil }
    var readable = [Bool](repeating: false, count: table.rowCount)
    for row in readableRows(record, isTeam: isTeam) { readable[Int(row)] = true }
    return readable
  }

  private func consents() -> Consents {
    if let known = knownConsents { return known }
    guard let user = dataset.library.entity(named: "User") else { return Consents(dataset: dataset, user: 0) }
    let made = Consents(dataset: dataset, user: user)
    knownConsents = made
    return made
  }

  /// For each shortest chain of references to a user, by row of a fact: the number of the user, or -1.
  func usersBehind(_ record: RecordID) -> [[Int32]] {
    if let known = knownUsers[record] { return known }
    let users = dataset.library.userPaths(of: record).map { dataset.follow($0, from: record) }
    knownUsers[record] = users
    return users
  }

  /// The day number of a fact's row.
  func dayOf(_ record: RecordID) -> (Int32) -> Int32 {
    guard let field = dataset.library.records[record].dayKeyField,
      case .narrow(let cells)? = dataset.table(record).column(field)
    else { return { _ in 0 } }
    return { cells[Int($0)] }
  }

  private func alongReferences(
    _ references: [FieldReference], _ record: RecordID, _ rows: [Int32], _ day: (Int32) -> Int32
  ) -> FactIndex {
    let ends = dataset.follow(references, from: record)
    let kept = rows.filter { ends[Int($0)] >= 0 }
    let target = references.last.flatMap { dataset.library.target(of: $0) }
    return FactIndex(
      subjectCount: subjectCount(target), rows: kept, subjects: kept.map { ends[Int($0)] }, day: day)
  }

  private func throughLink(
    _ link: LinkRoute, _ record: RecordID, _ rows: [Int32], _ day: (Int32) -> Int32,
    _ subjects: [Int: [Int32]]
  ) -> FactIndex {
    let ends = dataset.follow(link.fromFact, from: record)
    var pairRows: [Int32] = []
    var pairSubjects: [Int32] = []
    for row in rows {
      for subject in subjects[Int(ends[Int(row)])] ?? [] {
        pairRows.append(row)
        pairSubjects.append(subject)
      }
    }
    let target = link.toSubject.last.flatMap { dataset.library.target(of: $0) }
    return FactIndex(subjectCount: subjectCount(target), rows: pairRows, subjects: pairSubjects, day: day)
  }

  // MARK: Links

  /// One way in which a link counts: all links to the same owner, end and contribution are one.
  struct Contribution: Hashable {
    var subject: Int32
    var owner: Int32
    /// The entity whose facts contribute (a habit).
    var end: Int32
    var isSum: Bool
  }

  struct LinkPairs {
    /// By number of the contributing entity: the subjects, each once, rising.
    var subjectsByEnd: [Int: [Int32]] = [:]
    /// By number of the contributing entity; each triple once.
    var contributionsByEnd: [Int: [Contribution]] = [:]
  }

  /// What the live links of a route lead to, bundles resolved.
  func linkPairs(_ route: LinkRoute) throws(EvaluationError) -> LinkPairs {
    let library = dataset.library
    let table = dataset.table(route.link)
    let subjects = dataset.follow(route.toSubject, from: route.link)
    let owners = dataset.follow(Array(route.toSubject.prefix(1)), from: route.link)
    let contribution = library.records[route.link].field(named: "contribution")
    let sum = dataset.pool.lookup("sum").map(Int64.init)
    // A bundle that is broken is an error also where no link names it.
    if route.bundle != nil { _ = try resolvedBundles() }
    var found: Set<Contribution> = []
    for row in 0..<table.rowCount where table.isLive(row) && subjects[row] >= 0 {
      let word = contribution.flatMap { table.cell($0, row) }
      for end in try ends(of: route, row: row) {
        found.insert(
          Contribution(
            subject: subjects[row], owner: owners[row], end: end, isSum: word != nil && word == sum))
      }
    }
    var pairs = LinkPairs()
    for item in found { pairs.contributionsByEnd[Int(item.end), default: []].append(item) }
    for (end, items) in pairs.contributionsByEnd {
      pairs.subjectsByEnd[end] = Set(items.map(\.subject)).sorted()
    }
    return pairs
  }

  /// The contributing entities that a link names: one directly, or those of its bundle.
  private func ends(of route: LinkRoute, row: Int) throws(EvaluationError) -> [Int32] {
    let table = dataset.table(route.link)
    var ends: [Int32] = []
    if let direct = route.direct, let target = dataset.library.target(of: direct),
      let id = table.cell(direct.field, row), let number = dataset.space(target).number(ofPool: id)
    {
      ends.append(Int32(number))
    }
    if let bundle = route.bundle, let target = dataset.library.target(of: bundle),
      let id = table.cell(bundle.field, row), let number = dataset.space(target).number(ofPool: id)
    {
      ends += try resolvedBundles().habits[number] ?? []
    }
    return ends
  }

  private func resolvedBundles() throws(EvaluationError) -> Bundles {
    if let bundles { return bundles }
    var made = Bundles()
    if let fields = BundleFields(library: dataset.library) {
      made = try Bundles(dataset: dataset, fields: fields)
    }
    bundles = made
    return made
  }

  /// A `sum` link joins things of one unit.
  func checkUnits(_ route: LinkRoute, _ pairs: LinkPairs) throws(EvaluationError) {
    let units = dataset.library.unitFields(of: route)
    guard units.count == 2 else { return }
    let (endUnit, ownerUnit) = (units[0], units[1])
    let ends = dataset.space(endUnit.record)
    let owners = dataset.space(ownerUnit.record)
    let sums = pairs.contributionsByEnd.values.joined().filter(\.isSum)
    for item in sums.sorted(by: { ($0.owner, $0.end) < ($1.owner, $1.end) }) {
      let one = dataset.table(endUnit.record).cell(endUnit.field, Int(ends.rows[Int(item.end)]))
      let other = dataset.table(ownerUnit.record).cell(ownerUnit.field, Int(owners.rows[Int(item.owner)]))
      guard let one, let other, one != other else { continue }
      let pool = dataset.pool
      throw .unitMismatch(
        link: dataset.library.records[route.link].name, goal: pool.string(owners.ids[Int(item.owner)]),
        habit: pool.string(ends.ids[Int(item.end)]), goalUnit: pool.string(Int32(other)),
        habitUnit: pool.string(Int32(one)))
    }
  }
}
