import MetricData
import MetricPlan

/// Makes the list of facts that an aggregate looks at: one pass over the facts of its route.
struct FactListBuilder {
  let aggregate: Aggregate
  let compiler: Compiler
  private let worker: Worker

  init(aggregate: Aggregate, compiler: Compiler) {
    self.aggregate = aggregate
    self.compiler = compiler
    worker = Worker(engine: compiler.engine)
  }

  func build() throws(EvaluationError) -> FactList {
    let inner = compiler.with(row: aggregate.record, isFact: true)
    var filter: Program?
    if let expression = aggregate.filter { filter = try inner.compile(expression) }
    var argument: Program?
    if let expression = aggregate.argument { argument = try inner.compile(expression) }
    if aggregate.function == .contribution, case .link(let route) = aggregate.route {
      return try contributions(route, filter, argument)
    }
    var index = try compiler.engine.routing.index(aggregate.record, aggregate.route, isTeam: compiler.isTeam)
    var beyond: FactIndex?
    if filter != nil || argument != nil {
      (index, beyond) = filtered(index, filter, argument)
    }
    if aggregate.function == .first || aggregate.function == .last {
      sortWithinDays(&index, argument)
    }
    var values: [Cell] = []
    if let argument {
      values = index.rows.map { cell(argument, subject: 0, row: $0) }
    }
    return FactList(
      index: index, values: values, beyond: beyond, sums: aggregate.function.needsSums,
      countsDays: aggregate.function == .days)
  }

  /// The list with a fact that has come, or without one that goes; nil where it has to be made anew.
  func changed(_ list: FactList, row: Int32, isNew: Bool) throws(EvaluationError) -> FactList? {
    // Which facts a number out of its range stands for is found in one pass over all.
    guard list.beyond == nil else { return nil }
    let inner = compiler.with(row: aggregate.record, isFact: true)
    var filter: Program?
    if let expression = aggregate.filter { filter = try inner.compile(expression) }
    var argument: Program?
    if let expression = aggregate.argument { argument = try inner.compile(expression) }
    let day = compiler.engine.routing.dayOf(aggregate.record)(row)
    let before = isBefore(argument)
    let isOrdered = aggregate.function == .first || aggregate.function == .last
    var list = list
    for entry in try entries(of: row, filter, argument) {
      if isNew {
        list = list.inserting(
          row: row, subject: entry.subject, day: day, value: entry.value,
          isBefore: { isOrdered && before($0, $1) })
      } else if let less = list.removing(row: row, subject: entry.subject, day: day) {
        list = less
      } else {
        return nil
      }
    }
    return worker.overflow ? nil : list
  }

  /// The subjects in whose lists a fact stands, and with which cell.
  private func entries(
    of row: Int32, _ filter: Program?, _ argument: Program?
  ) throws(EvaluationError) -> [(subject: Int, value: Cell?)] {
    let routing = compiler.engine.routing
    if aggregate.function == .contribution, case .link(let route) = aggregate.route {
      let links = try routing.linkPairs(route)
      let end = compiler.dataset.end(of: route.fromFact, from: aggregate.record, row: Int(row))
      return (links.contributionsByEnd[Int(end)] ?? []).compactMap { item in
        contribution(item, row, filter, argument).map { (Int(item.subject), $0) }
      }
    }
    return try routing.subjects(of: Int(row), aggregate.record, aggregate.route).compactMap { subject in
      guard filter.map({ cell($0, subject: Int(subject), row: row) == 1 }) ?? true else { return nil }
      guard let argument else { return (Int(subject), nil) }
      let value = cell(argument, subject: Int(subject), row: row)
      return value == noValue ? nil : (Int(subject), value)
    }
  }

  /// What a fact adds to one way in which a link counts; nil where it adds nothing.
  private func contribution(
    _ item: Routing.Contribution, _ row: Int32, _ filter: Program?, _ argument: Program?
  ) -> Cell? {
    guard filter.map({ cell($0, subject: Int(item.subject), row: row) == 1 }) ?? true else { return nil }
    let one: Cell = aggregate.type == .decimal ? FixedDecimal.scale : 1
    let amount =
      item.isSum ? argument.map { cell($0, subject: Int(item.subject), row: row) } ?? noValue : one
    return amount == noValue ? nil : amount
  }

  private func cell(_ program: Program, subject: Int, row: Int32) -> Cell {
    var place = Place()
    place.subject = subject
    place.row = Int(row)
    return worker.at(place) { program(worker) }
  }

  /// Facts for which `where` holds and which have the field; and those for which that cannot be said,
  /// as a number leaves the range.
  private func filtered(
    _ index: FactIndex, _ filter: Program?, _ argument: Program?
  ) -> (kept: FactIndex, beyond: FactIndex?) {
    var failed: Set<Int> = []
    let kept = FactIndex(index) { slot, subject in
      let row = index.rows[slot]
      let keeps =
        (filter.map { cell($0, subject: subject, row: row) == 1 } ?? true)
        && (argument.map { cell($0, subject: subject, row: row) != noValue } ?? true)
      guard worker.overflow else { return keeps }
      worker.overflow = false
      failed.insert(slot)
      return false
    }
    return (kept, failed.isEmpty ? nil : FactIndex(index) { slot, _ in failed.contains(slot) })
  }

  private func fail(_ subject: Int?) throws(EvaluationError) {
    guard let subject else { return }
    throw .overflow(
      metric: compiler.engine.library.metrics[compiler.metric].name,
      subject: compiler.engine.id(compiler.subject, subject), day: nil)
  }

  /// By Instant, then id bytes, then the value itself; a missing one comes first.
  private func sortWithinDays(_ index: inout FactIndex, _ argument: Program?) {
    index.sortWithinDays(isBefore(argument))
  }

  private func isBefore(_ argument: Program?) -> (Int32, Int32) -> Bool {
    let record = compiler.engine.library.records[aggregate.record]
    let table = compiler.dataset.table(aggregate.record)
    let pool = compiler.dataset.pool
    let instants = record.orderField.flatMap { table.column($0) }
    let ids = record.idField.flatMap { table.column($0) }
    let isText = aggregate.type == .text
    func isTextLess(_ left: Cell, _ right: Cell) -> Bool { pool.isLess(Int32(left), Int32(right)) }
    return { one, other in
      let (early, late) = (instants?[Int(one)], instants?[Int(other)])
      if early != late { return (early ?? .min) < (late ?? .min) }
      let (first, second) = (ids?[Int(one)], ids?[Int(other)])
      if first != second {
        guard let first else { return true }
        guard let second else { return false }
        return isTextLess(first, second)
      }
      guard let argument else { return false }
      let (left, right) = (cell(argument, subject: 0, row: one), cell(argument, subject: 0, row: other))
      return isText ? left != right && isTextLess(left, right) : left < right
    }
  }

  // MARK: Contributions

  /// A fact counts once for each (owner, contributing entity, contribution) that its entity has.
  private func contributions(
    _ route: LinkRoute, _ filter: Program?, _ argument: Program?
  ) throws(EvaluationError) -> FactList {
    let routing = compiler.engine.routing
    let links = try routing.linkPairs(route)
    try routing.checkUnits(route, links)
    let dayOf = routing.dayOf(aggregate.record)
    let ends = compiler.dataset.follow(route.fromFact, from: aggregate.record)
    var subjects: [Int32] = []
    var rows: [Int32] = []
    var amounts: [Cell] = []
    for row in rowsByDay(routing.readableRows(aggregate.record, isTeam: compiler.isTeam), day: dayOf) {
      for item in links.contributionsByEnd[Int(ends[Int(row)])] ?? [] {
        guard let amount = contribution(item, row, filter, argument) else { continue }
        subjects.append(item.subject)
        rows.append(row)
        amounts.append(amount)
      }
    }
    if worker.overflow { try fail(subjects.last.map(Int.init) ?? 0) }
    let target = route.toSubject.last.flatMap { compiler.dataset.library.target(of: $0) }
    // The index's rows are at first the numbers of the pairs, which lead to their amounts.
    var index = FactIndex(
      subjectCount: routing.subjectCount(target), rows: Array(0..<Int32(rows.count)), subjects: subjects,
      day: { dayOf(rows[Int($0)]) })
    let values = index.rows.map { amounts[Int($0)] }
    index.mapRows { rows[Int($0)] }
    return FactList(index: index, values: values, sums: true, countsDays: false)
  }
}
