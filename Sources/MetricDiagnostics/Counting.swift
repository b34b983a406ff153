/// How many of something, as people read it.
package enum Counting {
  /// `1 test`, `2,113 findings`.
  package static func of(_ number: Int, _ noun: String) -> String {
    number == 1 ? "1 \(noun)" : "\(grouped(number)) \(plural(noun))"
  }

  /// As definitions write it, without commas: `1 day`, `3660 days`.
  package static func written(_ number: Int, _ noun: String) -> String {
    "\(number) \(number == 1 ? noun : plural(noun))"
  }

  /// `tests`, `families`, `boxes`, `people`.
  package static func plural(_ noun: String) -> String {
    for (one, many) in [("child", "children"), ("person", "people")] where noun.hasSuffix(one) {
      return noun.dropLast(one.count) + many
    }
    if noun.hasSuffix("y"), let before = noun.dropLast().last, !"aeiou".contains(before) {
      return noun.dropLast() + "ies"
    }
    let takesE = ["s", "x", "z", "ch", "sh"].contains { noun.hasSuffix($0) }
    return noun + (takesE ? "es" : "s")
  }

  /// `an` before a vowel, else `a`.
  package static func article(_ noun: String) -> String {
    noun.first.map { "aeiou".contains($0.lowercased()) } == true ? "an" : "a"
  }

  /// A unit after a number: `1 week`, `2 weeks`, `1 min`.
  package static func singular(_ unit: String) -> String {
    unit.hasSuffix("s") && !unit.hasSuffix("ss") && unit.count > 2 ? String(unit.dropLast()) : unit
  }

  /// `2,113`.
  package static func grouped(_ number: Int) -> String { grouped(digits: String(number)) }

  /// Commas in the whole part of a number in decimal notation: `-1234.5` is `-1,234.5`.
  package static func grouped(digits text: String) -> String {
    let sign = text.hasPrefix("-") ? "-" : ""
    let unsigned = text.dropFirst(sign.count)
    let whole = unsigned.prefix { $0 != "." }
    var shown = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { shown += "," }
      shown.append(digit)
    }
    return sign + shown + unsigned.dropFirst(whole.count)
  }
}

extension String {
  /// With blanks after it, up to a number of characters.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// With something before it, up to a number of characters.
  package func leftPadded(to width: Int, with filler: String = " ") -> String {
    String(repeating: filler, count: max(0, width - count)) + self
  }
}
