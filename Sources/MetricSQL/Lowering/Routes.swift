/// Facts by the subjects they belong to.
extension Translation {
  /// The live facts up to the last reference day that a metric may read, by a route: `subject`, then the record's
  /// fields. Of them `stretch` up to each anchor is read; `anchors` are nil if that is at others.
  func facts(
    _ record: RecordID, _ route: Route, for metric: MetricID, over stretch: Period = .allTime,
    at anchors: Anchors? = nil
  ) -> String {
    var since: DayKey?
    if case .days(let days)? = anchors?.kind, stretch != .allTime {
      since = firstDays[days]?.advanced(by: -(stretch.mostDaysBack ?? 0))
    }
    let live = liveFacts(record, since: since)
    let asked = library.consent(to: record, for: metric)
    let comment =
      "\(library.records[record].name) by \(name(of: route))\(asked == nil ? "" : ", with consent")."
    let hint = "\(relationName(record))_of_\(name(of: route))"
    return relation(.facts(record, route, asked), named: hint, comment) {
      let builder = SelectBuilder(from: live, as: "f")
      let row = Row(record: record, alias: "f")
      let subject = subject(of: row, route, builder)
      if let day = day(of: row), factBounds[live] == nil { builder.where(day.isAtMost(lastDay)) }
      if let asked { builder.where(consent(to: asked, for: row, builder)) }
      return builder.select(
        [SQLColumn(subject, "subject")] + builder.columns(liveFields(record).map { library[$0].name }))
    }
  }

  func day(of fact: Row) -> SQLExpression? {
    column(fact.record, library.records[fact.record].dayKeyField, of: fact.alias)
  }

  /// Facts by subject, called `f`, and what an expression of a metric sees of each.
  func rows(
    of facts: String, _ record: RecordID, for metric: MetricID, in builder: SelectBuilder? = nil
  ) -> (builder: SelectBuilder, scope: Scope) {
    let builder = builder ?? SelectBuilder(from: facts, as: "f")
    let row = Row(record: record, alias: builder.own)
    let scope = Scope(
      builder: builder, subject: builder["subject"], entity: library.metrics[metric].subject.entity,
      day: day(of: row) ?? 0, row: row)
    return (builder, scope)
  }

  private func name(of route: Route) -> String {
    switch route {
    case .whole: "app"
    case .references(let path):
      path.last.flatMap { library.target(of: $0) }.map(relationName) ?? "subject"
    case .link(let link):
      link.toSubject.last.flatMap { library.target(of: $0) }.map(relationName) ?? "subject"
    }
  }

  private func subject(of fact: Row, _ route: Route, _ builder: SelectBuilder) -> SQLExpression {
    switch route {
    case .whole: return ""
    case .references(let path):
      let id = follow(path, from: fact, builder)
      builder.where(id.isPresent)
      return id
    case .link(let link):
      let end = follow(link.fromFact, from: fact, builder)
      // Each fact once for a subject, however many links lead there.
      let ends = define(
        "\(relationName(link.link))_ends", "Which ids each subject is linked with.",
        SelectBuilder(from: linkPairs(link), as: "p").select(["subject", "end_id"], isDistinct: true))
      return builder.join(.inner, ends, as: "ends", on: ["end_id": end])["subject"]
    }
  }

  /// `subject`, `owner`, `end_id`, `is_sum`: each contribution once, however many links lead to it.
  func linkPairs(_ link: LinkRoute) -> String {
    let name = library.records[link.link].name
    return relation(
      .linkPairs(link), named: "\(relationName(link.link))_pairs", "\(name): what contributes to what, once."
    ) {
      var queries: [SQLQuery] = []
      if let direct = link.direct { queries.append(pairs(link) { column(direct, of: $0.own) }) }
      if let bundle = link.bundle, let habits = bundleHabits() {
        queries.append(
          pairs(link) { links in
            links.join(.inner, habits, as: "b", on: ["bundle": column(bundle, of: links.own)])["habit"]
          })
      }
      return .union(queries, isDistinct: true)
    }
  }

  private func pairs(_ link: LinkRoute, _ end: (SelectBuilder) -> SQLExpression) -> SQLQuery {
    let builder = SelectBuilder(from: live(link.link), as: "l")
    let end = end(builder)
    let row = Row(record: link.link, alias: builder.own)
    let owner = follow(Array(link.toSubject.prefix(1)), from: row, builder)
    let subject = follow(link.toSubject, from: row, builder)
    let contribution = library.records[link.link].field(named: "contribution")
    let isSum = column(link.link, contribution, of: row.alias)?.equals("sum").asNumber ?? 0
    return builder.where(subject.isPresent, owner.isPresent, end.isPresent).select(
      ["subject": subject, "owner": owner, "end_id": end, "is_sum": isSum], isDistinct: true)
  }

  /// `bundle`, `habit`: the habits in a bundle and in the bundles inside it, unrolled to the greatest depth.
  private func bundleHabits() -> String? {
    guard let fields = BundleFields(library: library) else { return nil }
    return relation(
      .bundleHabits, named: "bundle_habits", "The habits of each bundle and of those inside it."
    ) {
      let first = SelectBuilder(from: live(fields.record), as: "m")
      let own = column(fields.bundle, of: "m")
      var levels = [define("bundle_level_1", first.select(["bundle": own, "held": own], isDistinct: true))]
      for depth in 2...BundleFields.deepest {
        let (builder, columns) = held(in: levels[depth - 2], fields.child, as: "held", fields)
        levels.append(define("bundle_level_\(depth)", builder.select(columns, isDistinct: true)))
      }
      // Bundles that hold one a level deeper than the last: themselves, or too many (LINK-05).
      let (tooDeep, _) = held(in: levels[levels.count - 1], fields.child, as: "held", fields)
      refuse(
        "bundles_too_deep", "Bundles that evaluation refuses; a row is an error.", tooDeep,
        "bundle contains itself, or bundles nest more than \(BundleFields.deepest) deep: ", "bundle")
      let habits = levels.map { level in
        let (builder, columns) = held(in: level, fields.habit, as: "habit", fields)
        return builder.select(columns)
      }
      return .union(habits, isDistinct: true)
    }
  }

  /// `bundle` and what a field of the members of each bundle of a level names.
  private func held(
    in level: String, _ field: FieldReference, as name: String, _ fields: BundleFields
  ) -> (builder: SelectBuilder, columns: [SQLColumn]) {
    let builder = SelectBuilder(from: level, as: "b")
    builder.join(.inner, live(fields.record), as: "m") {
      [column(fields.bundle, of: $0).equals(builder["held"])]
    }
    let held = column(field, of: "m")
    return (builder.where(held.isPresent), builder.columns(["bundle"], [name: held]))
  }

  /// A `sum` link joins things of one unit; where it does not, that is an error.
  func checkUnits(_ link: LinkRoute) {
    let units = library.unitFields(of: link)
    guard units.count == 2 else { return }
    let builder = SelectBuilder(from: linkPairs(link), as: "p")
    builder.where(builder["is_sum"].isOne)
    let ends = zip(units, ["end_id", "owner"]).map { unit, name in
      let row = row(of: unit.record, id: builder[name], builder)
      // An end without a record says nothing; one without a unit has another than those with one.
      if let row { builder.where(row.alias["id"].isPresent) }
      return SQLExpression.coalesce([value(unit, of: row, builder), ""])
    }
    builder.where(.infix(.notEqual, ends[0], ends[1]))
    refuse(
      "\(relationName(link.link))_of_other_units",
      "Sums of different units, which evaluation refuses; a row is an error.", builder,
      "a sum link joins different units: ", "owner")
  }
}
