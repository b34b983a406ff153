import MetricPlan

extension MetricCertificate {
  /// `recomputable: yes, derived: yes, time-zone safe: yes, non-punitive: not asked of the team`
  package var answers: String {
    func word(_ answer: Bool) -> String { answer ? "yes" : "no" }
    let punitive = isNonPunitive.map(word) ?? (isReading ? "a reading, not a score" : "not asked of the team")
    return "recomputable: \(word(isRecomputable)), derived: \(word(isDerived)), "
      + "time-zone safe: \(word(isTimeZoneSafe)), non-punitive: \(punitive)"
  }

  /// `HabitEntry: dayKey, habitId; Habit: cadence`
  package var groupedLeaves: String {
    var fields: [(record: Substring, names: [Substring])] = []
    for leaf in leaves {
      let parts = leaf.split(separator: ".", maxSplits: 1)
      if fields.last?.record == parts[0] {
        fields[fields.count - 1].names.append(parts[1])
      } else {
        fields.append((parts[0], [parts[1]]))
      }
    }
    let texts = fields.map { "\($0.record): \($0.names.joined(separator: ", "))" }
    return texts.isEmpty ? "nothing" : texts.joined(separator: "; ")
  }
}

extension PartCertificate {
  /// `rising, 0 to 7, 0 on no data`
  package var text: String { "\(basis.rawValue), \(directionAndRange), \(onNoData.text) on no data" }

  /// `rising, 0 to 7`
  package var directionAndRange: String {
    ([direction.rawValue] + [rangeText(low, high)].compactMap { $0 }).joined(separator: ", ")
  }
}

/// `0 to 7`, `0 or more`, or the only number; nil if there is no bound.
package func rangeText(
  _ low: FixedDecimal?, _ high: FixedDecimal?, _ number: (FixedDecimal) -> String = \.description
) -> String? {
  switch (low, high) {
  case (nil, nil): nil
  case (let low?, nil): "\(number(low)) or more"
  case (nil, let high?): "\(number(high)) or less"
  case (let low?, let high?): low == high ? number(low) : "\(number(low)) to \(number(high))"
  }
}

extension ValueOnNoData {
  fileprivate var text: String {
    switch self {
    case .none: return "none"
    case .bool(let value): return value ? "true" : "false"
    case .number(let value): return value.description
    case .between(let low, let high, let orNone):
      return (rangeText(low, high) ?? "any value") + (orNone ? " or none" : "")
    }
  }
}
