import MetricEvaluate

extension Ahead {
  /// What to say of it, each a sentence without a full stop: `one entry today keeps 23 days and makes it 24`.
  ///
  /// It says what can be done and what stays, never what would be lost.
  public var sentences: [String] {
    if value == .none, step == nil { return ["there is no value"] }
    var sentences: [String] = []
    // If there is no value yet, there is nothing to keep.
    if isKept, value.millionths != 0 || metricKind == .level && step == nil {
      sentences.append("nothing is needed today: \(standing)")
    }
    if let step { sentences.append(sentence(step)) }
    if step == nil, let next, metricKind == .level {
      // One day does not get there.
      let rest = rest(to: next, from: measured).map { ", \(number($0)) more" } ?? ""
      sentences.append("\(words(.decimal(next))) is the next level\(rest)")
    }
    if sentences.isEmpty { sentences.append("there is nothing to add today: \(standing)") }
    if let left, left > 0 {
      let windows = Counting.written(left, window == "day" ? "day" : "window")
      sentences.append("\(windows) \(left == 1 ? "is" : "are") still forgiven")
    }
    return sentences
  }

  private var standing: String {
    switch metricKind {
    case .completion:
      "\(windowName) \(window?.hasSuffix("days") == true ? "are" : "is") \(value == .bool(true) ? "complete" : "open")"
    case .level: next == nil ? "every level is reached" : words(measured)
    case .streak, .momentum, .progress, .measure, .funnel, .retention: words(value)
    }
  }

  private func sentence(_ step: Step) -> String {
    let count = step.additions.reduce(0) { $0 + $1.count }
    let (additions, isOne) = self.additions(step) ?? (listed(step.additions), count == 1)
    func verb(_ one: String, _ many: String) -> String { "\(additions)\(deadline) \(isOne ? one : many)" }
    switch step.goal {
    case .complete: return "\(verb("completes", "complete")) \(windowName)"
    case .keep where step.value == kept: return "\(verb("keeps", "keep")) \(words(kept))"
    case .keep:
      return
        "\(verb("keeps", "keep")) \(words(kept)) and \(isOne ? "makes" : "make") it \(number(step.value))"
    case .raise: return "\(verb("makes", "make")) it \(words(step.value))"
    case .target, .threshold: return "\(verb("reaches", "reach")) \(next.map { words(.decimal($0)) } ?? "it")"
    }
  }

  /// Of a number with a unit what is still to come: `3 more kilometres`.
  private func additions(_ step: Step) -> (String, isOne: Bool)? {
    guard let next, let unit, step.goal == .target || step.goal == .threshold,
      let rest = rest(to: next, from: step.goal == .target ? value : measured)
    else { return nil }
    let isOne = rest.millionths == FixedDecimal.scale
    return ("\(number(rest)) more \(isOne ? Counting.singular(unit) : unit)", isOne)
  }

  private func rest(to next: FixedDecimal, from value: Value) -> Value? {
    let rest = next.millionths - (value.millionths ?? 0)
    return rest > 0 ? .decimal(FixedDecimal(millionths: rest)) : nil
  }

  /// `one entry for swim with value 3 and 2 check ins`
  private func listed(_ additions: [Addition]) -> String {
    let words = additions.map { addition in
      let noun = noun(addition.record)
      let count = addition.count == 1 ? "one \(noun)" : "\(addition.count) \(Counting.plural(noun))"
      let named = addition.fields.filter(\.isReference).map { "for \(printable($0.value.plainText))" }
      let others = addition.fields.filter { !$0.isReference }.map {
        "\($0.name) \(printable($0.value.plainText))"
      }
      return ([count] + named + (others.isEmpty ? [] : ["with \(others.joined(separator: " and "))"]))
        .joined(separator: " ")
    }
    guard words.count > 1, let last = words.last else { return words.joined() }
    return "\(words.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// `entry` of `HabitEntry`, `check in` of `CheckIn`.
  private func noun(_ record: String) -> String {
    var words: [String] = []
    for character in record {
      if character.isUppercase || words.isEmpty { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    // The rest of a name such as `CheckIn` says too little.
    return words.count == 2 && words[0] == "habit" ? words[1] : words.joined(separator: " ")
  }

  private var deadline: String {
    guard let by else { return "" }
    if by == at { return " today" }
    let isNear = by.number - at.number < 7
    return " by \(isNear ? by.weekday.name.capitalizedFirst : by.description)"
  }

  /// `the day`, `the 7 days`, `the week` of `calendar week from monday`.
  private var windowName: String {
    guard let window else { return "it" }
    return "the \(window.hasPrefix("calendar ") ? String(window.split(separator: " ")[1]) : window)"
  }

  private func number(_ value: Value) -> String { Counting.grouped(digits: value.plainText) }

  private func words(_ value: Value) -> String {
    let isOne = value.millionths == FixedDecimal.scale
    return number(value) + (unit.map { " " + (isOne ? Counting.singular($0) : $0) } ?? "")
  }
}
