import MetricEvaluate

extension [MetricChange] {
  /// What is not equal: what breaks most first, then by name.
  package var ranked: [MetricChange] {
    ChangeLevel.allCases.filter { $0 != .equal }.sorted(by: >).flatMap { level in
      filter { $0.level == level }
    }
  }

  /// `2 metrics changed: 1 meaning, 1 words; 20 equal`
  package var summary: String {
    let levels = ChangeLevel.allCases.reversed().filter { $0 != .equal }.compactMap { level -> String? in
      let count = count { $0.level == level }
      return count == 0 ? nil : "\(Counting.grouped(count)) \(level.rawValue)"
    }
    let equal = count { $0.level == .equal }
    let list = levels.isEmpty ? "" : ": " + levels.joined(separator: ", ")
    let records = count { $0.level == .records }
    let counted = Counting.of(count - equal - records, "metric")
    let also = records == 0 ? "" : " and \(Counting.of(records, "record"))"
    return "\(counted)\(also) changed\(list); \(Counting.grouped(equal)) equal"
  }
}

extension ChangeDetail {
  /// `unit: days → weeks (…)`; long texts on lines of their own.
  package var lines: [String] {
    switch (old, new) {
    case ("", ""):
      switch what {
      case "layout": return ["only the layout differs"]
      case "wording": return ["written differently, with the same meaning"]
      case "records": return ["the records that it reads are declared differently"]
      default: return [what]
      }
    case (_, _) where !effect.isEmpty:
      return ["\(what): \(old.isEmpty ? "new" : old) → \(new.isEmpty ? "gone" : new) (\(effect))"]
    case ("", let new): return ["\(what): added \(new)"]
    case (let old, ""): return ["\(what): removed \(old)"]
    case (let old, let new):
      let isShort = old.count + new.count < 60 && !(old + new).contains("\n")
      return isShort ? ["\(what): \(old) → \(new)"] : ["\(what):", "  - \(old)", "  + \(new)"]
    }
  }
}
