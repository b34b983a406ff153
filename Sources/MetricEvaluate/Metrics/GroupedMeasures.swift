/// The facts that the aggregates of a value look at, and the distinct users behind each of them (PRIV-06).
struct Contributors {
  /// One aggregate's facts.
  private typealias Source = (list: FactList, period: Period?)

  /// The users behind one aggregate.
  private struct Support {
    var source: Source
    /// For each way to a user, by row of the fact: the number of the user, or -1. Nil if the aggregated values are the
    /// users.
    var users: [EntityNumbers]?
    /// The value of a percentile, because users are counted on either side of it.
    var middle: Program?
  }

  /// Counted subjects, and the users behind each.
  private struct Counted {
    var members: CountedMembers
    var filter: Program?
    /// For each way to a user, by number of the subject.
    var users: [EntityNumbers] = []
    var percentile: Percentile?
  }

  /// A percentile's argument and its value; not a tuple, which ends the compiler with optimisation (Swift 6.3.1).
  private struct Percentile {
    var argument: Program
    var middle: Program
  }

  /// In a grouped measure, the facts that decide which groups exist.
  private var sources: [Source] = []
  private var supports: [Supporters: [Support]] = [:]
  private var counted: [Supporters: [Counted]] = [:]
  /// In a grouped measure, the counted subjects, which make groups exist, too.
  private var grouped: [Counted] = []
  /// And the metrics of the same groups that it reads: where the fields of the measure are among theirs, and whether a group
  /// of the measure is there.
  private var read: [(metric: CompiledMetric, offset: Offset?, places: [Int], exists: Program)] = []

  /// - Parameter needsGroups: whether `groups` and `exists` will be asked for.
  init(
    _ value: Expression, _ compiler: Compiler, needsUsers: Bool = true, needsGroups: Bool
  ) throws(EvaluationError) {
    let engine = compiler.engine
    let people = engine.library.metrics[compiler.metric].peopleSets.map(\.people)
    for aggregate in value.parts.compactMap(\.aggregate).once(by: { $0 }) {
      // A list without rows takes a quarter less memory.
      let isOfUsers = compiler.supporting(aggregate, .adding).isOfUsers
      let hasRows = needsUsers && !isOfUsers
      for existing in needsGroups ? engine.library.allFacts(of: aggregate) : [] {
        sources.append((try compiler.list(existing, hasRows: hasRows), existing.period))
      }
      guard needsUsers, engine.library.leadsToUser(aggregate.record) else { continue }
      let middle = aggregate.function.rank == nil ? nil : try compiler.compile(.aggregate(aggregate))
      let ways = Routing.ways(engine.routing.usersBehind(aggregate.record))
      for case .behind(let supporters) in people {
        let (supporting, isOfUsers) = compiler.supporting(aggregate, supporters)
        let source = (try compiler.list(supporting, hasRows: hasRows), supporting.period)
        supports[supporters, default: []].append(
          Support(source: source, users: isOfUsers ? nil : ways, middle: middle))
      }
    }
    for case .subjects(let aggregate) in value.parts {
      let inner = compiler.within(.counted(aggregate.entity))
      let members = try engine.members(of: aggregate, compiler)
      if needsGroups {
        grouped.append(Counted(members: members, filter: try inner.compile(aggregate.filter)))
      }
      guard needsUsers, engine.library.leadsToUser(aggregate.entity) else { continue }
      var percentile: Percentile?
      if aggregate.function.rank != nil, let argument = aggregate.argument {
        percentile = Percentile(
          argument: try inner.compile(argument), middle: try compiler.compile(.subjects(aggregate)))
      }
      let ways = Routing.ways(engine.users(behindEntity: aggregate.entity))
      for case .behind(let supporters) in people {
        let filter: Program? = try inner.compile(aggregate.supporting(supporters).filter)
        counted[supporters, default: []].append(
          Counted(members: members, filter: filter, users: ways, percentile: percentile))
      }
    }
    let measure = needsGroups ? engine.library.measureOfGroups(compiler.metric) : nil
    for reference in measure.map(engine.library.groupSources) ?? [] {
      let metric = try engine.compile(reference.metric)
      let exists = try compiler.compile(reference, asksGroup: true)
      read.append((metric, reference.offset, metric.grouping.places(of: compiler.groups), exists))
    }
  }

  /// The groups of a subject's facts and counted subjects, and of the metrics that are read on some days, sorted by cell.
  func groups(of subject: Int, _ days: DayRange, _ worker: Worker) -> [Cell] {
    if sources.count == 1, grouped.isEmpty, read.isEmpty { return sources[0].list.groups(of: subject) }
    var groups: Set<Cell> = []
    for source in read {
      let columns = worker.columns(
        source.metric, subject: source.metric.isWhole ? 0 : subject, days: days.shifted(by: source.offset))
      for group in columns.keys {
        groups.insert(worker.group(group, at: source.places, of: source.places.count))
      }
    }
    for source in sources { groups.formUnion(source.list.groups(of: subject)) }
    for source in grouped { groups.formUnion(source.members.groups(of: subject, days, worker)) }
    return groups.sorted()
  }

  /// By day, whether the group exists: a fact lies in its aggregate's period, or a subject is counted.
  func exists(_ place: Place, _ exists: UnsafeMutablePointer<Bool>, _ worker: Worker) {
    exists.update(repeating: false, count: place.count)
    for source in sources {
      source.list.slice(place).mark(true, source.period ?? place.period, place.days, exists)
    }
    for source in read {
      worker.withCells(place.count) { isThere in
        source.exists(place, isThere, worker)
        for lane in 0..<place.count where isThere[lane] != 0 { exists[lane] = true }
      }
    }
    for source in grouped {
      source.members.forEach(place, where: source.filter, worker) { _, holds in
        for lane in 0..<place.count where holds[lane] == 1 || holds[lane] == outOfRange {
          exists[lane] = true
        }
      }
    }
  }

  /// A group that is out of range on the days when a fact of the subject lies in an aggregate's period whose condition
  /// leaves the range of numbers, or on which the group of a counted subject does; nil if there is none.
  func outOfRangeColumn(_ place: Place, _ worker: Worker) -> GroupColumn? {
    let beyond = grouped.map { $0.members(place.of(outOfRange), worker) }.filter { !$0.numbers.isEmpty }
    guard !beyond.isEmpty || sources.contains(where: { $0.list.beyond != nil }) else { return nil }
    var cells = [Cell](repeating: noRow, count: place.count)
    for members in beyond {
      for days in members.days { for lane in place.days.indices(days) { cells[lane] = outOfRange } }
      if members.days.isEmpty { cells = cells.map { _ in outOfRange } }
    }
    for source in sources {
      cells.withUnsafeMutableBufferPointer {
        guard let lanes = $0.baseAddress else { return }
        source.list.beyond?.slice(place.subject)
          .mark(outOfRange, source.period ?? place.period, place.days, lanes)
      }
    }
    return cells.contains(outOfRange) ? GroupColumn(group: noValue, cells: cells, dayCount: place.count) : nil
  }

  /// By day, how many distinct users are behind the aggregate that has the fewest; `.max` where there is none.
  func counts(_ place: Place, of supporters: Supporters = .adding, _ worker: Worker) -> [Cell] {
    var fewest = [Cell](repeating: .max, count: place.count)
    func note(_ counts: [Cell]) {
      for lane in fewest.indices { fewest[lane] = min(fewest[lane], counts[lane]) }
    }
    for support in supports[supporters] ?? [] {
      note(support.middle.map { onEachSide(of: $0, support, place, worker) } ?? users(behind: support, place))
    }
    for source in counted[supporters] ?? [] { note(users(behind: source, place, worker)) }
    return fewest
  }

  private func users(behind support: Support, _ place: Place) -> [Cell] {
    let slice = support.source.list.slice(place)
    if support.users == nil, let users = support.source.list.summarised(.distinct, place) {
      return Array(repeating: users, count: place.count)
    }
    let period = support.source.period ?? place.period
    func counts(_ user: (_ fact: Int) -> Cell) -> [Cell] {
      var distinct = DistinctCounts(place.days)
      slice.forEachFact(period, place.days) { fact, lanes in
        let user = user(fact)
        if user >= 0 { distinct.add(user, lanes) }
      }
      return distinct.column
    }
    guard let ways = support.users, let rows = slice.rows else { return counts { slice.numbers?[$0] ?? -1 } }
    let all = ways.map { users in counts { Cell(users[Int(rows[$0])]) } }
    return (0..<place.count).map { lane in all.map { $0[lane] }.min() ?? .max }
  }

  /// The users whose facts are at or below a percentile, or those at or above it, whichever are fewer.
  private func onEachSide(
    of middle: Program, _ support: Support, _ place: Place, _ worker: Worker
  ) -> [Cell] {
    let slice = support.source.list.slice(place)
    var counts = [Cell](repeating: 0, count: place.count)
    guard let rows = slice.rows, let numbers = slice.numbers, let ways = support.users else { return counts }
    worker.withCells(place.count) { middles in
      middle(place, middles, worker)
      slice.forEachPeriod(support.source.period ?? place.period, place.days) { lane, facts in
        var sides = Sides(middles[lane], ways: ways.count)
        for fact in facts {
          for (way, users) in ways.enumerated() {
            sides.add(numbers[fact], users[Int(rows[fact])], way)
          }
        }
        counts[lane] = sides.fewest
      }
    }
    return counts
  }

  private func users(behind source: Counted, _ place: Place, _ worker: Worker) -> [Cell] {
    let ways = source.users.count
    var sides = [Sides](repeating: Sides(0, ways: ways), count: place.count)
    worker.withCells(place.count) { values in
      if let percentile = source.percentile {
        percentile.middle(place, values, worker)
        for lane in sides.indices { sides[lane] = Sides(values[lane], ways: ways) }
      }
      values.update(repeating: 0, count: place.count)
      source.members.forEach(place, where: source.filter, worker) { place, holds in
        source.percentile?.argument(place, values, worker)
        for lane in sides.indices where holds[lane] == 1 {
          for (way, users) in source.users.enumerated() {
            sides[lane].add(values[lane], users[place.counted], way)
          }
        }
      }
    }
    return sides.map(\.fewest)
  }

  /// By way to them, the users at or below a value, and those at or above it.
  private struct Sides {
    private let middle: Cell
    private var below: [Set<Int32>]
    private var above: [Set<Int32>]

    init(_ middle: Cell, ways: Int) {
      self.middle = middle
      below = Array(repeating: [], count: ways)
      above = below
    }

    mutating func add(_ value: Cell, _ user: Int32, _ way: Int) {
      guard user >= 0 else { return }
      if value <= middle { below[way].insert(user) }
      if value >= middle { above[way].insert(user) }
    }

    var fewest: Cell { Cell((below + above).map(\.count).min() ?? 0) }
  }

  /// The value, or none with too few users.
  func hiding(_ value: @escaping Program, atLeast: Int) -> Program {
    { place, out, worker in
      value(place, out, worker)
      let counts = counts(place, worker)
      for lane in 0..<place.count where counts[lane] < Cell(atLeast) && out[lane] != outOfRange {
        out[lane] = noValue
      }
    }
  }
}

extension Compiler {
  /// The facts with users behind an aggregate, and whether the aggregated values are the users: also where facts that are
  /// asked about all at once have one way to them.
  fileprivate func supporting(
    _ aggregate: Aggregate, _ supporters: Supporters
  ) -> (aggregate: Aggregate, isOfUsers: Bool) {
    if engine.library.aggregatesUsers(aggregate) { return (aggregate, true) }
    var facts = aggregate.function.traits.addsUp ? aggregate.supporting(supporters) : aggregate
    let paths = engine.library.userPaths(of: aggregate.record)
    guard facts.function == .count, facts.argument == nil, firstDay(of: facts) != nil, paths.count == 1,
      let field = paths[0].last
    else { return (facts, false) }
    facts.function = .distinct
    facts.argument = .field(
      FieldPath(root: .row, references: Array(paths[0].dropLast()), field: field, type: .text))
    return (facts, true)
  }
}

extension Library {
  /// The measure whose facts decide which groups there are: the metric itself, or the one that it asks about.
  fileprivate func measureOfGroups(_ id: MetricID) -> Measure? {
    if case .measure(let measure) = metrics[metrics[id].asksAbout ?? id].body { measure } else { nil }
  }

  /// Whether an aggregate counts the users behind its own facts.
  fileprivate func aggregatesUsers(_ aggregate: Aggregate) -> Bool {
    guard aggregate.function == .distinct, case .field(let path)? = aggregate.argument, path.root == .row
    else {
      return false
    }
    return userPaths(of: aggregate.record) == [path.references + [path.field]]
  }

  /// Aggregates whose facts together are those that pass an aggregate's `where`, whether or not they have its field:
  /// where the field is stored, its values, which are listed anyway, and the facts without one.
  fileprivate func allFacts(of aggregate: Aggregate) -> [Aggregate] {
    var facts = aggregate.countingAll
    facts.function = .count
    guard case .field(let path)? = aggregate.argument, self[path.field].computed == nil,
      aggregate.function != .contribution
    else { return [facts] }
    if path.references.isEmpty, !self[path.field].isOptional { return [aggregate] }
    let isMissing = Expression.isNone(.field(path), negated: false)
    facts.filter = aggregate.filter.map { .and($0, isMissing) } ?? isMissing
    return [aggregate, facts]
  }
}

/// A measure with groups: the value of each pair of subject and group over the facts of that pair (GRP-02).
///
/// A class, because a copy of it for each subject took a twentieth of the time of groups of many users.
final class GroupedMeasure {
  private let value: Program
  private let over: Period
  private let contributors: Contributors
  /// With `atLeast` those of the lines of the table: of its first field, of its first two, and so on but for all.
  private let lines: [Contributors]
  private let hiding: Hiding?
  /// Whether the groups of one subject are all there is, so that threads share them. Otherwise they share the subjects.
  private let isWhole: Bool
  private let engine: Engine
  private let grouping: [GroupField]

  init(_ measure: Measure, _ base: Compiler) throws(EvaluationError) {
    var compiler = base
    (engine, grouping) = (base.engine, measure.grouping)
    hiding = Hiding(engine.library.metrics[base.metric])
    compiler.groups = grouping
    contributors = try Contributors(
      engine.library.measureOfGroups(base.metric)?.value ?? measure.value, compiler,
      needsUsers: measure.atLeast != nil, needsGroups: true)
    value = try compiler.compile(measure.value)
    var lines: [Contributors] = []
    for count in 1..<(measure.atLeast == nil ? 1 : grouping.count) {
      compiler.groups = Array(grouping.prefix(count))
      lines.append(try Contributors(measure.value, compiler, needsGroups: false))
    }
    self.lines = lines
    over = measure.over
    isWhole = base.subject == nil
  }

  func columns(_ subject: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn] {
    let place = Place(subject: subject, days: days, period: over)
    // Which groups exist is unknown if a condition is out of range.
    if let column = contributors.outOfRangeColumn(place, worker) { return [column] }
    let groups = contributors.groups(of: subject, days, worker)
    var columns = forEach(of: groups, worker) { column($0, place, $1) }
    guard let hiding else { return columns }
    let users = hiding.sets.map { set -> [[[Cell]]] in
      guard case .behind(let supporters) = set.people else { return [] }
      return (lines + [contributors]).enumerated().map { level, contributors in
        let lines = columns.map { worker.line($0.group, level, of: grouping.count) }
        let users = forEach(of: Array(Set(lines)), worker) {
          ($0, contributors.counts(place.of($0), of: supporters, $1))
        }
        let ofLines = Dictionary(uniqueKeysWithValues: users)
        return lines.map { ofLines[$0] ?? [] }
      }
    }
    let names = columns.map { engine.key(of: $0.group, grouping) }
    hiding.hide(&columns, named: names) { set, level, column, lane in Int(users[set][level][column][lane]) }
    return columns
  }

  private func forEach<Result>(
    of groups: [Cell], _ worker: Worker, _ body: (_ group: Cell, _ worker: Worker) -> Result?
  ) -> [Result] {
    let pieces = isWhole && !worker.isPart ? max(1, min(4 * worker.engine.threads, groups.count)) : 1
    if pieces == 1 { return groups.compactMap { body($0, worker) } }
    return Parallel.map(pieces: pieces) { piece -> [Result] in
      let worker = Worker(engine: worker.engine, isPart: true)
      return groups[Parallel.part(piece, of: pieces, groups.count)].compactMap { body($0, worker) }
    }.flatMap { $0 }
  }

  private func column(_ group: Cell, _ place: Place, _ worker: Worker) -> GroupColumn? {
    let place = place.of(group)
    var column: GroupColumn?
    worker.with(Bool.self, place.count) { exists in
      contributors.exists(place, exists, worker)
      guard (0..<place.count).contains(where: { exists[$0] }) else { return }
      worker.withCells(place.count) { out in
        value(place, out, worker)
        for lane in 0..<place.count where !exists[lane] { out[lane] = noRow }
        column = GroupColumn(
          group: group, cells: Array(UnsafeBufferPointer(start: out, count: place.count)),
          dayCount: place.count)
      }
    }
    return column
  }
}
