/// Which subjects facts belong to, and whether they may be read.
final class Routing {
  let dataset: Dataset
  private var knownSubjects: [Key: RowSubjects] = [:]
  private var bundles: Bundles?
  private var foldedFacts: [RecordID: FoldedFacts] = [:]
  private var knownConsents: Consents?
  private var knownSince: [AskedConsent: [Int32]] = [:]
  private var knownUsers: [RecordID: [EntityNumbers]] = [:]

  private struct Key: Hashable {
    var record: RecordID
    var route: Route
    var counting: Bool
  }

  init(dataset: Dataset) { self.dataset = dataset }

  /// A folded record by the subjects of its key; nil if its facts are loaded, or folded by another key.
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
  func subjectCount(_ entity: RecordID?) -> Int { entity.map { dataset.space($0).count } ?? 1 }

  /// By row of a record, the subjects at the end of a route.
  ///
  /// - Parameter counting: whether each way of contributing over a link counts by itself.
  func subjects(
    _ record: RecordID, _ route: Route, counting: Bool = false
  ) throws(EvaluationError) -> RowSubjects {
    let key = Key(record: record, route: route, counting: counting)
    if let known = knownSubjects[key] { return known }
    let subjects: RowSubjects =
      switch route {
      case .whole: .whole
      case .references(let references): .one(dataset.follow(references, from: record))
      case .link(let link):
        .several(ends: dataset.follow(link.fromFact, from: record), try members(link, counting: counting))
      }
    knownSubjects[key] = subjects
    return subjects
  }

  /// Drops cached routes of a record that changes.
  func forget(_ record: RecordID) {
    knownUsers[record] = nil
    knownSubjects = knownSubjects.filter { $0.key.record != record }
  }

  /// By row, whether it is live, and whether consent covers its day where it is needed; nil if all are readable.
  func readability(_ record: RecordID, _ asked: AskedConsent?) -> [Bool]? {
    let table = dataset.table(record)
    guard table.hasDead || asked != nil else { return nil }
    let since = asked.map {
      agreedSince([$0], usersBehind(record), count: table.rowCount, nobody: Consents.never)
    }
    let days = asked == nil ? [] : days(record)
    return (0..<table.rowCount).map { row in
      table.isLive(row) && (since.map { $0[row] <= days[row] && $0[row] != Consents.never } ?? true)
    }
  }

  /// The day since which all users behind a record consent to everything required (PRIV-05).
  ///
  /// - Parameters:
  ///   - users: for each chain of references to a user, the number of the user, or -1.
  ///   - nobody: the value for a record without users.
  func agreedSince(
    _ asked: [AskedConsent], _ users: [EntityNumbers], count: Int, nobody: Int32
  ) -> [Int32] {
    let since = asked.map(consents)
    return (0..<count).map { index in
      var latest: Int32?
      for behind in users where behind[index] >= 0 {
        for since in since { latest = max(latest ?? .min, since[Int(behind[index])]) }
      }
      return latest ?? nobody
    }
  }

  private func consents(_ asked: AskedConsent) -> [Int32] {
    if let known = knownSince[asked] { return known }
    guard let user = dataset.library.entity(named: "User") else { return [] }
    let consents = knownConsents ?? Consents(dataset: dataset, user: user)
    knownConsents = consents
    let since = consents.since(asked)
    knownSince[asked] = since
    return since
  }

  /// For each shortest chain of references to a user, by row of a fact: the number of the user, or -1.
  func usersBehind(_ record: RecordID) -> [EntityNumbers] {
    if let known = knownUsers[record] { return known }
    let users = dataset.library.userPaths(of: record).map { dataset.follow($0, from: record) }
    knownUsers[record] = users
    return users
  }

  /// The user behind a fact or subject by each path: the one at its end or, if there is none, the one at
  /// the end of the first other that has one (PRIV-06).
  static func ways(_ chains: [EntityNumbers]) -> [EntityNumbers] {
    guard chains.count > 1 else { return chains }
    return chains.map { own in
      EntityNumbers(
        (0..<own.count).map { row in
          own[row] >= 0 ? own[row] : chains.lazy.map { $0[row] }.first { $0 >= 0 } ?? -1
        })
    }
  }

  /// The days of a record's rows.
  func days(_ record: RecordID) -> [Int32] {
    guard let field = dataset.library.records[record].dayKeyField,
      case .narrow(let cells)? = dataset.table(record).column(field)
    else { return [] }
    return cells
  }

  /// One way in which a link counts: all links to the same owner, end and contribution are one (LINK-03).
  struct Contribution: Hashable {
    var subject: Int32
    var owner: Int32
    /// The entity whose facts contribute (a habit).
    var end: Int32
    var isSum: Bool
  }

  /// Calls `body` with what the live links of a route lead to, bundles resolved, by row of the link.
  func forEachContribution(
    _ route: LinkRoute, _ body: (_ row: Int, _ contribution: Contribution, _ isBundled: Bool) -> Void
  ) throws(EvaluationError) {
    let library = dataset.library
    let table = dataset.table(route.link)
    let subjects = dataset.follow(route.toSubject, from: route.link)
    let owners = dataset.follow(Array(route.toSubject.prefix(1)), from: route.link)
    let contribution = library.records[route.link].field(named: "contribution")
    let sum = dataset.pool.lookup("sum").map(Int64.init)
    // A broken bundle is an error even if no link names it.
    if route.bundle != nil { _ = try resolvedBundles() }
    for row in 0..<table.rowCount where table.isLive(row) && subjects[row] >= 0 {
      let word = contribution.flatMap { table.cell($0, row) }
      for (end, isBundled) in try ends(of: route, row: row) {
        let isSum = word != nil && word == sum
        body(row, Contribution(subject: subjects[row], owner: owners[row], end: end, isSum: isSum), isBundled)
      }
    }
  }

  /// By number of the contributing entity, whom its facts belong to over a link.
  ///
  /// - Parameter counting: whether each way of contributing counts by itself (LINK-01); otherwise each subject has a
  ///   fact once (PATH-03).
  func members(_ route: LinkRoute, counting: Bool) throws(EvaluationError) -> [[RowSubjects.Member]] {
    var found: Set<Contribution> = []
    try forEachContribution(route) { _, contribution, _ in found.insert(contribution) }
    if counting { try checkUnits(route, found) }
    var members = [[RowSubjects.Member]](
      repeating: [], count: subjectCount(route.fromFact.last.flatMap(dataset.library.target)))
    for item in found.sorted(by: {
      ($0.subject, $0.owner, $0.isSum ? 1 : 0) < ($1.subject, $1.owner, $1.isSum ? 1 : 0)
    }) {
      let isKnown = members[Int(item.end)].last?.subject == item.subject
      if counting || !isKnown {
        members[Int(item.end)].append(.init(subject: item.subject, isSum: counting && item.isSum))
      }
    }
    return members
  }

  /// The contributing entities that a link names: one directly, or those of its bundle.
  private func ends(
    of route: LinkRoute, row: Int
  ) throws(EvaluationError) -> [(end: Int32, isBundled: Bool)] {
    var ends: [(end: Int32, isBundled: Bool)] = []
    if let number = route.direct.flatMap({ dataset.end(of: [$0], ofRow: row) }) {
      ends.append((Int32(number), false))
    }
    if let bundle = route.bundle.flatMap({ dataset.end(of: [$0], ofRow: row) }) {
      ends += (try resolvedBundles().habits[bundle] ?? []).map { ($0, true) }
    }
    return ends
  }

  private func resolvedBundles() throws(EvaluationError) -> Bundles {
    if let bundles { return bundles }
    let made = try Bundles(dataset: dataset)
    bundles = made
    return made
  }

  /// LINK-07: a `sum` link joins things of one unit, or things without one. An end that has no record says nothing.
  private func checkUnits(_ route: LinkRoute, _ found: Set<Contribution>) throws(EvaluationError) {
    let units = dataset.library.unitFields(of: route)
    guard units.count == 2 else { return }
    let (endUnit, ownerUnit) = (units[0], units[1])
    let (ends, owners) = (dataset.space(endUnit.record), dataset.space(ownerUnit.record))
    for item in found.filter(\.isSum).sorted(by: { ($0.owner, $0.end) < ($1.owner, $1.end) }) {
      let (end, owner) = (Int(ends.rows[Int(item.end)]), Int(owners.rows[Int(item.owner)]))
      guard end >= 0, owner >= 0 else { continue }
      let one = dataset.table(endUnit.record).cell(endUnit.field, end)
      let other = dataset.table(ownerUnit.record).cell(ownerUnit.field, owner)
      guard one != other else { continue }
      let pool = dataset.pool
      throw .unitMismatch(
        link: dataset.library.records[route.link].name, goal: pool.string(owners.ids[Int(item.owner)]),
        habit: pool.string(ends.ids[Int(item.end)]), goalUnit: other.map { pool.string(Int32($0)) } ?? "",
        habitUnit: one.map { pool.string(Int32($0)) } ?? "")
    }
  }
}

/// By row of a record, which subjects its facts belong to.
enum RowSubjects {
  struct Member {
    var subject: Int32
    /// Whether a link sums the fact's value; otherwise the fact counts.
    var isSum: Bool
  }

  /// All to the dataset.
  case whole
  /// Each to one, or to none.
  case one(EntityNumbers)
  /// Each to the subjects of the entity that it names: by row the entity, and by its number its members.
  case several(ends: EntityNumbers, [[Member]])
}

/// Bundles resolved to their habits (LINK-02, LINK-05): nested at most 8 deep, each habit once.
struct Bundles {
  /// By number of the bundle: the numbers of its habits, rising, each once.
  private(set) var habits: [Int: [Int32]] = [:]

  private var children: [Int: [Int]] = [:]
  private var own: [Int: [Int32]] = [:]
  /// The ids of the bundles.
  private var ids: [String] = []

  /// - Throws: `bundleCycle` and `bundleTooDeep`, for bundles in the order of their ids.
  init(dataset: Dataset) throws(EvaluationError) {
    guard let fields = BundleFields(library: dataset.library),
      let bundle = dataset.library.target(of: fields.bundle)
    else { return }
    ids = dataset.space(bundle).ids.map { dataset.pool.string($0) }
    let table = dataset.table(fields.record)
    for row in 0..<table.rowCount where table.isLive(row) {
      guard let parent = dataset.end(of: [fields.bundle], ofRow: row) else { continue }
      if let habit = dataset.end(of: [fields.habit], ofRow: row) {
        own[parent, default: []].append(Int32(habit))
      }
      if let child = dataset.end(of: [fields.child], ofRow: row) {
        children[parent, default: []].append(child)
      }
    }
    for parent in ids.indices where own[parent] != nil || children[parent] != nil {
      var chain: [Int] = []
      habits[parent] = try resolve(parent, chain: &chain)
    }
  }

  private mutating func resolve(_ bundle: Int, chain: inout [Int]) throws(EvaluationError) -> [Int32] {
    if let start = chain.firstIndex(of: bundle) {
      throw .bundleCycle((chain[start...] + [bundle]).map { ids[$0] })
    }
    chain.append(bundle)
    guard chain.count <= BundleFields.deepest else { throw .bundleTooDeep(chain.map { ids[$0] }) }
    var found = Set(own[bundle] ?? [])
    for child in children[bundle]?.sorted() ?? [] { found.formUnion(try resolve(child, chain: &chain)) }
    chain.removeLast()
    return found.sorted()
  }
}

/// What users agreed to, over time (PRIV-01, PRIV-02).
struct Consents {
  /// The lowest level of a user on a day, by user and day.
  private struct Choice {
    var user: Int
    var day: Cell
    var level: ConsentLevel
    var purpose: Int32?
  }

  private var choices: [Choice] = []
  private let userCount: Int
  private let pool: StringPool

  init(dataset: Dataset, user: RecordID) {
    let library = dataset.library
    userCount = dataset.space(user).count
    pool = dataset.pool
    guard let record = library.record(named: "Consent"), let day = library.records[record].dayKeyField,
      let level = library.records[record].field(named: "level"),
      let purpose = library.records[record].field(named: "purpose"),
      let reference = library.references(from: record, to: user).first
    else { return }
    let table = dataset.table(record)
    for row in 0..<table.rowCount where table.isLive(row) {
      guard let id = table.cell(reference, row), let number = dataset.space(user).number(ofPool: id),
        let given = table.cell(day, row), let text = table.cell(level, row),
        let stated = ConsentLevel(rawValue: pool.string(Int32(text)))
      else { continue }
      let about = library.hasPurposes ? table.cell(purpose, row).map { Int32($0) } : nil
      choices.append(
        Choice(
          user: number, day: given, level: stated,
          purpose: about.flatMap { pool.string($0).isEmpty ? nil : $0 }))
    }
    choices.sort { ($0.user, $0.day, $0.level) < ($1.user, $1.day, $1.level) }
  }

  /// The day of users without consent: none.
  static let never = Int32.max

  /// By number of the user: the day since which the level has held without interruption, or `never`.
  func since(_ asked: AskedConsent) -> [Int32] {
    var since = [Int32](
      repeating: asked.standing >= asked.level ? .min : Consents.never, count: userCount)
    let purpose = asked.purpose.isEmpty ? nil : pool.lookup(asked.purpose)
    // A purpose that no record names has the defaults alone.
    guard asked.purpose.isEmpty || purpose != nil else { return since }
    var last: (user: Int, day: Cell) = (-1, 0)
    for choice in choices where choice.purpose == purpose && last != (choice.user, choice.day) {
      last = (choice.user, choice.day)
      since[choice.user] =
        choice.level < asked.level ? Consents.never : min(since[choice.user], Int32(choice.day))
    }
    return since
  }
}
