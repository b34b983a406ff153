/// Where a value is computed: pairs of a subject and the day it is requested for, and how facts find them.
struct Anchors: Hashable {
  enum Kind: Hashable {
    /// All subjects on a few days, which the named relation lists: a fact finds the days by comparison.
    case days(String)
    /// Windows that may end on any day: a fact counts its way up to the last end that still holds it.
    case ends
    /// Windows of a length that end a whole number of lengths before the days of the named relation.
    case chain(days: String, length: Int)
    /// Any pairs: a fact finds them by subject and day.
    case pairs
  }

  /// `subject`, `r`.
  var relation: String
  var kind: Kind

  var isDays: Bool { if case .days = kind { true } else { false } }
}

extension CalendarUnit {
  /// The first day of the unit that lies some units after that of a day.
  func start(_ units: Int = 0, after day: SQLExpression) -> SQLExpression {
    switch self {
    case .day: units == 0 ? day : day + .integer(units)
    case .week(let start): day + (.integer(7 * units) - Self.daysIntoWeek(day, from: start))
    case .months(1, _):
      units == 0 ? .operation(.startOfMonth, [day]) : .operation(.startOfLaterMonth, [day, .integer(units)])
    case .months(let count, let first):
      .operation(
        .startOfLaterMonth,
        [
          day,
          .integer(units * count)
            - (.operation(.monthNumber, [day]) - .integer(first)).modulo(.integer(count)),
        ])
    }
  }

  /// The last day of that unit.
  func end(_ units: Int = 0, after day: SQLExpression) -> SQLExpression {
    switch self {
    case .day: start(units, after: day)
    case .months(1, _) where units == 0: .operation(.endOfMonth, [day])
    case .week, .months: start(units + 1, after: day) - 1
    }
  }

  /// A number that is one more for the next unit.
  func number(holding day: SQLExpression) -> SQLExpression {
    switch self {
    case .day: day
    case .week(let start): (day + .integer(1_400_003 - start.rawValue)).divided(by: 7)
    case .months(1, _): .operation(.monthNumber, [day])
    case .months(let count, let first):
      (.operation(.monthNumber, [day]) - .integer(first)).divided(by: .integer(count))
    }
  }

  /// 0 on the first day of a week. 1970-01-01 was a Thursday; the multiple of 7 keeps the dividend above 0.
  static func daysIntoWeek(_ day: SQLExpression, from start: Weekday) -> SQLExpression {
    (day + .integer(1_400_003 - start.rawValue)).modulo(7)
  }
}

extension SQLExpression {
  static func day(_ day: DayKey) -> SQLExpression { .operation(.dayNumber, [.text(day.description)]) }
}

extension Period {
  /// The first day of the period at a reference day; nil for all time.
  func start(at day: SQLExpression) -> SQLExpression? {
    switch self {
    case .lastDays(let days): days == 1 ? day : day - .integer(days - 1)
    case .calendar(let unit): unit.start(after: day)
    case .previous(let unit): unit.start(-1, after: day)
    case .allTime: nil
    }
  }

  /// The last one.
  func end(at day: SQLExpression) -> SQLExpression {
    if case .previous(let unit) = self { unit.end(-1, after: day) } else { day }
  }

  /// How many days after a fact's day the first and the last day lie whose period holds it; nil for all time.
  func reach(from day: SQLExpression) -> (first: SQLExpression, last: SQLExpression)? {
    switch self {
    case .lastDays(let days): (0, .integer(days - 1))
    case .calendar(let unit): (0, unit.end(after: day) - day)
    case .previous(let unit): (unit.start(1, after: day) - day, unit.end(1, after: day) - day)
    case .allTime: nil
    }
  }
}

extension Translation {
  /// Longer series of days that lie evenly are computed by the engine and not written out.
  private static let mostListedDays = 100

  /// `r`: the reference days.
  func days() -> String {
    if let known = known[.days] { return known }
    var comment = "The reference days, as days since 1970-01-01."
    var columns: [String]?
    var (single, first): (SQLExpression?, DayKey?)
    let query: SQLQuery
    switch request.days {
    case .list([], _):
      comment = "No reference day."
      query = .select(SQLSelect(columns: [SQLColumn(.day(.first), "r")], conditions: [.bool(false)]))
    case .list(let days, _) where days.count > Translation.mostListedDays && days.step != nil:
      let builder = SelectBuilder(from: offsets(days.count - 1), as: "o")
      query = builder.select(["r": .day(days[0]) + builder["n"] * .integer(days.step ?? 1)])
    case .list(let days, _):
      columns = ["r"]
      query = .values(days.map { [.day($0)] })
      single = days.count == 1 ? .day(days[0]) : nil
      first = days.min()
    case .parameter:
      let day = SQLExpression.operation(.dayNumber, [.parameter(.at)])
      query = .select(SQLSelect(columns: [SQLColumn(day, "r")]))
      single = day
    case .lastOfFacts:
      comment = "The reference day: the last day of all facts read."
      let last = lastDay(of: needs.fields.keys.sorted().filter { library.records[$0].kind == .fact })
      let builder = SelectBuilder(from: last, as: "d")
      query = builder.where(builder["r"].isPresent).select(["r"])
    }
    let name = relation(.days, named: "reference_days", columns: columns, comment) { query }
    (singleDays[name], firstDays[name]) = (single, first)
    return name
  }

  /// `r`: the last day of some facts in one row; null without a fact.
  func lastDay(of facts: [RecordID]) -> String {
    let queries = facts.compactMap { record -> SQLQuery? in
      guard let day = library.records[record].dayKeyField else { return nil }
      let field = stored(FieldReference(record: record, field: day), in: "t")
      return SelectBuilder(table: path(of: record), as: "t").select(["day": .aggregate(.max, field)])
    }
    let all = define("last_days", .union(queries, isDistinct: false))
    let builder = SelectBuilder(from: all, as: "d")
    let last = builder["day"]
    return define("last_fact_day", builder.where(last.isPresent).select(["r": .aggregate(.max, last)]))
  }

  /// The last reference day: no fact after it counts.
  var lastDay: SQLExpression {
    if case .list(let days, _) = request.days, let last = days.max() { return .day(last) }
    let builder = SelectBuilder(from: days(), as: "d")
    return .subquery(builder.select(["r": .aggregate(.max, builder["r"])]))
  }

  /// A day that lies an offset earlier.
  func shifted(_ day: SQLExpression, _ offset: Offset?) -> SQLExpression {
    switch offset {
    case nil: day
    case .days(let days): day - .integer(days)
    case .months(let months): .operation(.addMonths, [day, .integer(-months)])
    }
  }

  /// Every subject of an entity on each of some days.
  func anchors(_ entity: RecordID?, days: String) -> Anchors {
    let subject = entity.map { library.records[$0].subjectName } ?? "app"
    let hint = "\(entity.map(relationName) ?? "app")_days"
    let name = relation(.anchors(entity, days: days), named: hint, "Each \(subject) on each day asked for.") {
      guard let entity else {
        let builder = SelectBuilder(from: days, as: "d")
        return builder.select(["subject": "", "r": builder["r"]])
      }
      let builder = SelectBuilder(from: allSubjects(entity), as: "s")
      return builder.select(["subject"], ["r": day(of: days, builder) { _ in [] }])
    }
    return Anchors(relation: name, kind: .days(days))
  }

  /// Where a metric of an entity (the anchors' own, or `app`) is read from these anchors, perhaps shifted.
  func anchors(_ anchors: Anchors, for entity: RecordID?, _ offset: Offset?) -> Anchors {
    if case .days(let days) = anchors.kind {
      return self.anchors(entity, days: offset.map { shiftedDays(days, $0) } ?? days)
    }
    guard let offset else { return Anchors(relation: anchors.relation, kind: .pairs) }
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let earlier = builder.select(["subject"], ["r": shifted(builder["r"], offset)], isDistinct: true)
    return Anchors(relation: define("\(anchors.relation)_before", earlier), kind: .pairs)
  }

  private func shiftedDays(_ days: String, _ offset: Offset) -> String {
    let (text, mostDays) =
      switch offset {
      case .days(let count): ("\(count)_days", count)
      case .months(let count): ("\(count)_months", 31 * count)
      }
    let builder = SelectBuilder(from: days, as: "d")
    let earlier = builder.select(["r": shifted(builder["r"], offset)], isDistinct: true)
    let name = define("\(days)_\(text)_before", earlier)
    singleDays[name] = singleDays[days].map { shifted($0, offset) }
    firstDays[name] = firstDays[days]?.advanced(by: -mostDays)
    return name
  }

  /// The day of a relation of days, where some conditions on it hold.
  func day(
    of days: String, _ builder: SelectBuilder, where conditions: (SQLExpression) -> [SQLExpression]
  ) -> SQLExpression {
    if let day = singleDays[days] {
      builder.conditions += conditions(day)
      return day
    }
    return builder.join(.inner, days, as: "d") { conditions($0["r"]) }["r"]
  }

  /// The last of the days of each phase of windows of a length: those before it end on the same chain.
  func chainDays(_ days: String, length: Int) -> String {
    if singleDays[days] != nil { return days }
    let builder = SelectBuilder(from: days, as: "d")
    let day = builder["r"]
    return define(
      "\(days)_by_\(length)", "The last day on each chain of windows.",
      builder.select(
        builder.columns(["r": .aggregate(.max, day)]), groupedBy: [Windows.phase(day, length)]))
  }

  /// Joins the anchors whose stretch holds a fact of a day, and gives their day: of several a row for each.
  func spread(
    _ day: SQLExpression, over stretch: Period, to anchors: Anchors, _ builder: SelectBuilder
  ) -> SQLExpression {
    switch anchors.kind {
    case .days(let days):
      return self.day(of: days, builder) { within(day, stretch, $0) }
    case .chain(let days, let length) where stretch == .lastDays(length):
      let last = self.day(of: days, builder) { [day.isAtMost($0)] }
      return last - (last - day).divided(by: .integer(length)) * .integer(length)
    case .ends where stretch != .allTime:
      guard stretch != .lastDays(1), let reach = stretch.reach(from: day) else { return day }
      let offset = builder.join(.inner, offsets(stretch.mostDaysBack ?? 0), as: "o") {
        (stretch.holdsReferenceDay ? [] : [$0["n"].isAtLeast(reach.first)]) + [$0["n"].isAtMost(reach.last)]
      }
      let end = day + offset["n"]
      builder.where(end.isAtMost(lastDay))
      return end
    case .ends, .chain, .pairs:
      return builder.join(.inner, anchors.relation, as: "a", same: ["subject"]) {
        within(day, stretch, $0["r"])
      }["r"]
    }
  }

  /// That a day lies in the stretch of a reference day.
  func within(_ day: SQLExpression, _ stretch: Period, _ reference: SQLExpression) -> [SQLExpression] {
    (stretch.holdsReferenceDay ? [day.isAtMost(reference)] : []) + narrowed(day, to: stretch, reference)
  }

  /// That a day up to the reference day lies in its stretch.
  func narrowed(_ day: SQLExpression, to stretch: Period, _ reference: SQLExpression) -> [SQLExpression] {
    (stretch.holdsReferenceDay ? [] : [day.isAtMost(stretch.end(at: reference))])
      + (stretch.start(at: reference).map { [day.isAtLeast($0)] } ?? [])
  }

  /// `n`: 0 through a number.
  func offsets(_ last: Int) -> String {
    relation(.offsets(last), named: "offsets_\(last)", columns: ["n"]) { .series(through: .integer(last)) }
  }
}

extension [DayKey] {
  /// How many days lie from each to the next; nil if that differs.
  fileprivate var step: Int? {
    guard count > 1 else { return nil }
    let step = self[1].number - self[0].number
    return indices.dropFirst().allSatisfy { self[$0].number - self[$0 - 1].number == step } ? Int(step) : nil
  }
}
