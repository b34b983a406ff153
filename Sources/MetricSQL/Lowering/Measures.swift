/// Measures with rows of their own: of groups, hidden or rounded numbers.
struct MeasureLowering: MetricLowering {
  let translation: Translation
  let id: MetricID
  let measure: Measure
  let anchors: Anchors

  func query() -> SQLQuery {
    let values = values(by: measure.grouping)
    let isGrouped = !measure.grouping.isEmpty
    let place = isGrouped ? Anchors(relation: values.groups(), kind: anchors.kind) : anchors
    var (builder, scope) = translation.anchored(id, place)
    scope.values = values
    let open = builder.columns(keys, ["value": translation.expression(measure.value, scope)])
    guard let atLeast = measure.atLeast else { return builder.select(open) }
    let deciding = metric.peopleSets.compactMap { set -> (supporters: Supporters, column: String)? in
      guard case .behind(let supporters) = set.people else { return nil }
      return (supporters, supporters == .adding ? "users" : "valued")
    }
    let group = isGrouped ? builder["grp"] : nil
    let counts = deciding.compactMap { set in
      users(values, group, set.supporters, builder).map { SQLColumn($0, set.column) }
    }
    guard let fewest = counts.last?.expression else { return builder.select(open) }
    let ofLines = lines.flatMap { line -> [SQLColumn] in
      let values = self.values(by: line.fields)
      let text = line.text(of: builder["grp"])
      return [SQLColumn(text, line.name)]
        + deciding.map {
          SQLColumn(users(values, text, $0.supporters, builder) ?? fewest, line.column($0.column))
        }
    }
    return hiding(
      define("open", builder.select(open + counts + ofLines)), users: deciding.map(\.column),
      atLeast: atLeast)
  }

  private func values(by grouping: [GroupField]) -> NamedValues {
    NamedValues(translation, id, anchors, measure.over, grouping: grouping, expressions: [measure.value])
  }

  /// How many users are behind the aggregate that has the fewest.
  private func users(
    _ values: NamedValues, _ line: SQLExpression?, _ supporters: Supporters, _ builder: SelectBuilder
  ) -> SQLExpression? {
    .fewest(
      values.userCounts(of: supporters).map { place in
        builder.join(.left, place.relation, as: "u", same: ["subject", "r"]) { alias in
          line.map { [alias["grp"].equals($0)] } ?? []
        }[place.column].or(0)
      })
  }
}
