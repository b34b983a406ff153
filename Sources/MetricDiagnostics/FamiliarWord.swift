/// Words of SQL, spreadsheets and programming languages, and what to write instead: the one table that the parser, the
/// resolver, the command line and `metricc explain` answer from.
///
///     FamiliarWord.note("avg", as: .function)?.message  // "write `average(Record.field)`"
///
/// A new word is a line here. Capitals, `_` and spaces are ignored: `countDistinct` is `COUNT_DISTINCT`.
package enum FamiliarWord {
  /// What people take the word for.
  package enum Place: String, CaseIterable {
    case declaration, header, clause, window, period, subject, function, comparison, type, modifier, operand,
      number, sign, suffix, group, audience, statement, command, option
  }

  /// What to write instead of a word; nil if nothing is known about it.
  package static func note(_ word: String, as place: Place) -> Note? {
    answers[place]?[key(word)].map { answer in
      let call = place == .function ? answer.prefixMatch(of: /write `(\w+)\(Record(?:\.field)?\)`/) : nil
      return Note(answer, replacement: call.map { String($0.output.1) })
    }
  }

  /// The same wherever the word may stand in definitions, each with its place.
  package static func notes(_ word: String) -> [(place: Place, message: String)] {
    Place.allCases.filter { $0 != .option && $0 != .header }.compactMap { place in
      answers[place]?[key(word)].map { (place, $0) }
    }
  }

  private static func key(_ word: String) -> String {
    word.contains(where: \.isLetter) ? word.lowercased().filter { !"_- ".contains($0) } : word
  }

  /// By place and word. The table is read once, when the first word is requested.
  static let answers: [Place: [String: String]] = {
    var answers: [Place: [String: String]] = [:]
    var place = Place.declaration
    for line in table.split(separator: "\n") {
      let parts = line.split(separator: ": ", maxSplits: 1)
      guard parts.count == 2 else {
        place = Place(rawValue: String(line.dropLast())) ?? place
        continue
      }
      for word in parts[0].split(separator: " ") {
        answers[place, default: [:]][String(word)] = String(parts[1])
      }
    }
    return answers
  }()

  private static let table = String(decoding: PackageResources.familiar_txt, as: UTF8.self)
}
