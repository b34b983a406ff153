import MetricData
import MetricPlan

/// Records, references and links.
extension ReferenceEvaluator {
  /// "A record with a value here [in a tombstone] is not live."
  func liveRows(_ record: RecordID) -> [ReferenceRow] {
    if let known = liveMemo[record] { return known }
    let tombstones = library.records[record].tombstones
    let rows = (dataset.rows[record] ?? []).filter { row in
      tombstones.allSatisfy { stored($0, row).isNone }
    }
    liveMemo[record] = rows
    return rows
  }

  private func stored(_ field: Int, _ row: ReferenceRow) -> ReferenceValue {
    row.values[field].map { ReferenceValue($0) } ?? .none
  }

  /// Several rows of one id: the first in input order.
  func entity(_ record: RecordID, _ id: ByteText) -> ReferenceRow? {
    guard let field = library.records[record].idField else { return nil }
    return liveRows(record).first { stored(field, $0) == .text(id) }
  }

  /// The value of a field; "computed: own fields and those of entities it refers to".
  func value(_ field: FieldReference, _ row: ReferenceRow?) throws -> ReferenceValue {
    guard let row else { return .none }
    guard let computed = library[field].computed else { return stored(field.field, row) }
    // A computed field reads neither a day nor a subject: these are never looked at.
    let scope = ReferenceScope(
      metric: 0, subject: "", day: .first, span: DaySpan(.allTime, at: .first),
      asksConsent: false, row: RowScope(record: field.record, row: row))
    return try evaluate(computed, scope)
  }

  /// The id at the end of a chain of references; nil where a reference on the way is missing.
  func follow(_ references: [FieldReference], _ row: ReferenceRow) -> ByteText? {
    guard let first = references.first, case .text(let id) = stored(first.field, row) else { return nil }
    let rest = Array(references.dropFirst())
    if rest.isEmpty { return id }
    return target(of: first).flatMap { entity($0, id) }.flatMap { follow(rest, $0) }
  }

  /// The entity that a field refers to.
  func target(of reference: FieldReference) -> RecordID? {
    if case .reference(let target) = library[reference].type { target } else { nil }
  }

  /// "exactly one DayKey in a fact"
  func day(_ fact: ReferenceFact) -> DayKey {
    guard let field = library.records[fact.record].dayKeyField, case .day(let day) = stored(field, fact.row)
    else { preconditionFailure("a fact without a DayKey") }
    return day
  }

  /// "the first Instant that is no tombstone orders facts within a day"
  func instant(_ fact: ReferenceFact) -> Int128? {
    guard let field = library.records[fact.record].orderField,
      case .int(let instant) = stored(field, fact.row)
    else { return nil }
    return instant
  }

  func id(_ fact: ReferenceFact) -> ByteText? {
    guard let field = library.records[fact.record].idField, case .text(let id) = stored(field, fact.row)
    else { return nil }
    return id
  }

  // MARK: Belonging

  /// The live facts that belong to a subject by a route, and that a reader may see.
  func facts(
    _ record: RecordID, _ route: Route, of subject: ByteText, asksConsent: Bool
  ) -> [ReferenceFact] {
    let key = FactsKey(record: record, route: route, subject: subject, asksConsent: asksConsent)
    if let known = factsMemo[key] { return known }
    let all = liveRows(record).map { ReferenceFact(record: record, row: $0) }
    let own: [ReferenceFact]
    switch route {
    // "`app`, the whole dataset"
    case .whole:
      own = all
    // "A fact reaches the subject by the path with the fewest references."
    case .references(let path):
      own = all.filter { follow(path, $0.row) == subject }
    // "Through a link a plain aggregate sees each fact once."
    case .link(let link):
      let ends = Set(contributions(link, to: subject).map(\.end))
      own = all.filter { fact in follow(link.fromFact, fact.row).map { ends.contains($0) } ?? false }
    }
    let found = own.filter { !asksConsent || hasConsent($0) }
    factsMemo[key] = found
    return found
  }

  /// "one (goal, habit, contribution) counts once however many links lead to it"
  struct Contribution: Hashable {
    var owner: ByteText
    var end: ByteText
    var isSum: Bool
  }

  func contributions(_ route: LinkRoute, to subject: ByteText?) -> Set<Contribution> {
    var found: Set<Contribution> = []
    let kind = library.records[route.link].field(named: "contribution")
    for link in liveRows(route.link) {
      guard let owner = follow(Array(route.toSubject.prefix(1)), link) else { continue }
      if let subject, follow(route.toSubject, link) != subject { continue }
      let isSum = kind.map { stored($0, link) == .text("sum") } ?? false
      for end in ends(route, link) {
        found.insert(Contribution(owner: owner, end: end, isSum: isSum))
      }
    }
    return found
  }

  /// What a link names: "a bundle resolves to its child habits … before aggregation".
  private func ends(_ route: LinkRoute, _ link: ReferenceRow) -> [ByteText] {
    var ends: [ByteText] = []
    if let direct = route.direct, case .text(let id) = stored(direct.field, link) { ends.append(id) }
    if let bundle = route.bundle, case .text(let id) = stored(bundle.field, link) {
      ends += habits(inBundle: id)
    }
    return ends
  }

  // MARK: Bundles

  private var bundleMembers: (rows: [ReferenceRow], bundle: Int, habit: Int, child: Int)? {
    guard let record = library.record(named: "BundleMember"),
      let bundle = library.records[record].field(named: "bundleId"),
      let habit = library.records[record].field(named: "habitId"),
      let child = library.records[record].field(named: "childBundleId")
    else { return nil }
    return (liveRows(record), bundle, habit, child)
  }

  /// The habits in a bundle and in the bundles below it; `checkBundles` has seen that this ends.
  private func habits(inBundle id: ByteText) -> [ByteText] {
    guard let members = bundleMembers else { return [] }
    var found: [ByteText] = []
    for row in members.rows where stored(members.bundle, row) == .text(id) {
      if case .text(let habit) = stored(members.habit, row) { found.append(habit) }
      if case .text(let child) = stored(members.child, row) { found += habits(inBundle: child) }
    }
    return found
  }

  /// "bundles nest at most 8 deep; deeper or a cycle is a data error"
  func checkBundles() throws(ReferenceError) {
    guard let members = bundleMembers else { return }
    var bundles: Set<ByteText> = []
    for row in members.rows {
      if case .text(let id) = stored(members.bundle, row) { bundles.insert(id) }
    }
    var layer = bundles
    // Takes away the outermost bundles, layer by layer: what is left of a cycle never goes.
    var depth = 0
    while !layer.isEmpty {
      depth += 1
      var children: Set<ByteText> = []
      for row in members.rows {
        guard case .text(let parent) = stored(members.bundle, row), layer.contains(parent),
          case .text(let child) = stored(members.child, row)
        else { continue }
        children.insert(child)
      }
      guard depth <= bundles.count + 1 else { throw .bundleCycle }
      layer = children
    }
    if depth > 8 { throw .bundleTooDeep }
  }

  /// "A `sum` link whose habit's unit differs from the goal's is a data error": both records are there.
  func checkUnits(_ route: LinkRoute) throws(ReferenceError) {
    guard let end = route.fromFact.last.flatMap(target), let owner = route.toSubject.first.flatMap(target),
      let endUnit = library.records[end].field(named: "unit"),
      let ownerUnit = library.records[owner].field(named: "unit")
    else { return }
    for pair in contributions(route, to: nil) where pair.isSum {
      guard let one = entity(end, pair.end), let other = entity(owner, pair.owner) else { continue }
      if stored(endUnit, one) != stored(ownerUnit, other) { throw .unitMismatch }
    }
  }
}
