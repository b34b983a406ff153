/// The groups of a table that have the same first fields, such as all of a country.
struct Line {
  var fields: [GroupField]
  fileprivate var count: Int

  fileprivate var isWhole: Bool { fields.count == count }
  /// The column that has their text.
  var name: String { "line_\(fields.count)" }

  /// The column of the users behind the line, which are a part's or an aggregate's.
  func column(_ users: String) -> String { isWhole ? users : "\(users)_by_\(fields.count)" }

  func text(of group: SQLExpression) -> SQLExpression {
    GroupText.picked(Array(fields.indices), of: group, count: count)
  }
}

extension MetricLowering {
  /// What a row is of. Funnels and retentions without groups have the empty one.
  var keys: [String] {
    ["subject", "r"] + (metric.grouping.isEmpty && metric.kind == .measure ? [] : ["grp"])
  }

  /// The lines by one field, by two, and so on, but for those by all, which are the groups.
  var lines: [Line] {
    let grouping = metric.grouping
    return grouping.indices.dropFirst().map { Line(fields: Array(grouping[..<$0]), count: grouping.count) }
  }

  /// `at least K users`: a line with fewer shows nothing; where there is one, the shown one of the fewest
  /// users beside it shows nothing either. `open` has the columns of the lines, too; `users` are those of the
  /// metric's sets of people.
  func hiding(_ open: String, users: [String], atLeast: Int) -> SQLQuery {
    let parts = metric.parts.map(\.column)
    let levels = lines + [Line(fields: metric.grouping, count: metric.grouping.count)]
    var builder = SelectBuilder(from: open, as: "a")
    var columns = builder.columns(keys + parts + users)
    for (index, line) in levels.enumerated() {
      let group = (["subject", "r"] + levels[..<index].suffix(1).map(\.name)).map { builder[$0] }
      for count in users.map(line.column) {
        let few = builder[count].isBelow(.integer(atLeast)).asNumber
        let order = [count] + (line.isWhole ? Array(keys.dropFirst(2)) : [line.name])
        columns += builder.columns([
          "\(count)_few": few,
          "\(count)_hidden": .window(.sum, few, of: group),
          // All groups of a line have one rank.
          "\(count)_place": .window(.rank, of: group + [few], by: order.map { builder[$0] }),
        ])
      }
    }
    let ranked = define("by_users", "which values speak of too few users.", builder.select(columns))
    builder = SelectBuilder(from: ranked, as: "a")
    var hidden: [SQLExpression] = []
    let shown = zip(metric.peopleSets, users).flatMap { set, users -> [SQLColumn] in
      let all = levels.map { line in
        let column = line.column(users)
        let isNext = builder["\(column)_hidden"].isAtLeast(1).and(builder["\(column)_place"].isOne)
        return builder["\(column)_few"].isOne.or(isNext)
      }
      let own = SQLExpression.any(all) ?? .bool(false)
      let isHidden = set.behind.map { hidden[$0].or(own) } ?? own
      hidden.append(isHidden)
      return parts[set.parts].map { SQLColumn(builder[$0].when(.not(isHidden)), $0) }
    }
    return builder.select(builder.columns(keys) + shown)
  }

  /// Its rows, with `nearest N` (PRIV-15): the nearest multiples, of two the one farther from 0; a rate is that of rounded numbers.
  func rounded() -> SQLQuery {
    guard let nearest = metric.nearest else { return query() }
    let builder = SelectBuilder(from: define("exact", "before it is rounded.", query()), as: "a")
    var values: [SQLExpression] = []
    for part in metric.parts {
      if let step = part.step(nearest) {
        let (value, half) = (builder[part.column], SQLExpression.number(step / 2))
        let away = (value - half).when(value.isBelow(0), otherwise: value + half)
        values.append(away.divided(by: .number(step)) * .number(step))
      } else {
        let (dividend, number) = (values[values.count - 1], values[values.count - 2])
        values.append(quotient(dividend, number, metric.parts[values.count - 1].type))
      }
    }
    return builder.select(builder.columns(keys) + zip(metric.parts, values).map { SQLColumn($1, $0.column) })
  }
}
