/// The groups on the reference day as a table, with a filter for each of several fields, and with earlier values.
extension MetricFigures {
  private static let most = 500

  private var fields: [String] { entry.planned.grouping.map(\.name) }
  private var parts: [String] { entry.planned.parts.map(\.name) }

  private func headings(_ part: String) -> [String] {
    let name = part.isEmpty ? entry.summary.unit ?? "Value" : Wording.title(ofName: part)
    return [name] + (observations.earlierDay.map { ["On \(Wording.shortDay($0))", "Change"] } ?? [])
  }

  var groupTable: HTML {
    guard fields.count > 1 || fields.count == 1 && observations.earlierDay != nil, !entry.hasPersonalGroups,
      !observations.rows.isEmpty
    else { return "" }
    // Those with the greatest first number first.
    func rank(_ group: GroupValues) -> Int64 { group.values[parts.first ?? ""]?.amount?.millionths ?? .min }
    let groups = observations.groupValues.sorted { (rank($0), $1.group) > (rank($1), $0.group) }
    let shown = groups.prefix(Self.most)
    let caption =
      "The groups on \(Wording.day(data.at))"
      + (groups.count > shown.count ? ": the \(shown.count) largest of \(groups.count)" : "")
    let table = HTML.table(
      "Groups", caption: "\(caption)", style: " class=\"stack\" id=\"groups\"",
      headings: fields + parts.flatMap(headings), rows: shown.map(row))
    return "\(filter(shown.map(\.group)))\(table)"
  }

  private func row(_ group: GroupValues) -> HTML {
    let names = group.group.fields.map(Wording.group)
    let values = names.dropFirst() + parts.flatMap { texts(group, $0) }
    let data = group.group.fields.enumerated().map { " data-field\($0)=\"=\($1)\"" as HTML }
    return .row(
      names.first ?? "", values.map { "\($0)" }, labels: fields.dropFirst() + parts.flatMap(headings),
      attributes: HTML(data))
  }

  /// The value of a part, and where it is compared the earlier one and the change.
  private func texts(_ group: GroupValues, _ part: String) -> [String] {
    let (form, value) = (form(part), group.values[part] ?? .none)
    guard observations.earlierDay != nil else { return [form.text(value)] }
    let before = observations.earlier[group.group]?[part] ?? .none
    let change = before.amount.flatMap { old in
      value.amount.map { form.change(from: old.approximate, to: $0.approximate) }
    }
    return [form.text(value), form.text(before), change ?? "–"]
  }

  /// Shown by the script alone. The values begin with `=`, so that a missing one is not all.
  private func filter(_ groups: [GroupKey]) -> HTML {
    guard fields.count > 1 else { return "" }
    let choices = fields.enumerated().map { place, field in
      HTML.choice(
        "field\(place)", field,
        Set(groups.map { $0.fields[place] }).sorted().map { ("=\($0)", Wording.group($0)) })
    }
    return """
      <div class="filter" id="fields" role="search" aria-label="Groups" hidden>
      \(choices)<p aria-live="polite"></p>
      </div>

      """
  }
}
