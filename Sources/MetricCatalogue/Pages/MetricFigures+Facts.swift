/// The values of the reference day as a few numbers, with what must be said about them.
extension MetricFigures {
  var facts: HTML {
    let facts = wholeFacts + spreadFacts + changeFacts + subjectFacts
    let list = facts.map { "<div><dt>\($0.term)</dt><dd>\($0.value)</dd></div>\n" as HTML }
    let shown: HTML = facts.isEmpty ? "" : "<dl class=\"facts\">\n\(list)</dl>\n"
    return "\(shown)\(remarks.map { "<p>\($0)</p>\n" as HTML })"
  }

  private typealias Fact = (term: String, value: String)

  /// The numbers of a metric with one value for all.
  private var wholeFacts: [Fact] {
    guard !entry.isOfStages, !observations.hasGroups else { return [] }
    return observations.rows.map { row in
      (term("On \(Wording.day(data.at))", row.part), shown(row.value, form(row.part)))
    }
  }

  /// A value with its unit.
  private func shown(_ value: Value, _ form: NumberForm) -> String {
    guard value.amount != nil, let unit = entry.summary.unit else { return form.text(value) }
    return Wording.value(value) + " " + (value == .int(1) ? Counting.singular(unit) : unit)
  }

  /// The values of the subjects that may be named, and their changes since then.
  private var subjectFacts: [Fact] {
    let day = observations.earlierDay ?? data.at
    return observations.subjects.flatMap { subject, parts in
      entry.planned.parts.flatMap { part -> [Fact] in
        guard let series = parts[part.name], let now = series.last(where: { $0.day == data.at }) else {
          return []
        }
        let on = term("\(subject) on \(Wording.day(data.at))", part.name)
        let value: Fact = (on, shown(now.value, form(part.name)))
        guard let after = now.value.amount, day < data.at,
          let before = series.last(where: { $0.day == day })?.value.amount
        else { return [value] }
        let change = form(part.name).change(from: before.approximate, to: after.approximate)
        return [value, (term("\(subject) since \(Wording.day(day))", part.name), change)]
      }
    }
  }

  private func term(_ text: String, _ part: String) -> String {
    part.isEmpty ? text : "\(text), \(Wording.title(ofName: part).lowercased())"
  }

  /// How the number, the median or the share has changed, for each part that has a series.
  private var changeFacts: [Fact] {
    guard let day = observations.earlierDay else { return [] }
    return entry.planned.parts.compactMap { part in
      observations.change(of: part, to: data.at).map { change in
        let since = "ince \(Wording.day(day))"
        return (term(change.isOfMedian ? "The median s\(since)" : "S\(since)", part.name), change.text)
      }
    }
  }

  /// What is true of many subjects together.
  private var spreadFacts: [Fact] {
    entry.planned.parts.flatMap { part -> [Fact] in
      guard let spread = observations.spreads[part.name], spread.subjectCount >= data.fewest else {
        return []
      }
      let (name, form) = (part.name, form(part.name))
      if spread.isBool {
        let percent = Wording.percent(Double(spread.trueCount), of: Double(spread.valueCount))
        let count = "\(spread.trueCount) of \(spread.valueCount)" + (percent.map { " (\($0))" } ?? "")
        return [(term("Complete on \(Wording.day(data.at))", name), count)]
      }
      if spread.days.count >= data.fewest {
        return [(term("Half of them by", name), Wording.day(spread.days[(spread.days.count - 1) / 2]))]
      }
      guard spread.numbers.count >= data.fewest, let median = spread.percentile(50),
        let quarter = spread.percentile(25), let threeQuarters = spread.percentile(75)
      else { return [] }
      let all = Counting.of(spread.subjectCount, entry.noun)
      return [
        (term("Median", name), form.text(median)),
        (term("Middle half", name), "\(form.text(quarter)) to \(form.text(threeQuarters))"),
        (term("With a value", name), "\(spread.numbers.count) of \(all)"),
      ]
    }
  }

  private var remarks: [String] {
    let isFew = observations.spreads.values.map(\.subjectCount).max().map { $0 < data.fewest } == true
    let few =
      "Fewer than \(data.fewest) \(Counting.plural(entry.noun)) have a value, so they are not shown together."
    let isHidden =
      observations.rows.contains { $0.value == .none }
      && entry.planned.clauses.contains { $0.word == "at least" }
    return [
      isFew ? few : nil,
      entry.hasPersonalGroups ? "Each group is a person, so the groups are not shown." : nil,
      isHidden ? "A group with too few users shows no value." : nil,
    ].compactMap { $0 }
  }
}
