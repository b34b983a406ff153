import MetricPlan

/// A group of several fields as one text, so that relations have one column for it: the texts of the fields with `CHR(1)` between
/// them, below all other characters. So its bytes order like the fields, one after the other.
enum GroupText {
  private static func character(_ code: Int) -> SQLExpression { .operation(.character, [.integer(code)]) }

  private static func replacing(
    _ text: SQLExpression, _ old: SQLExpression, by new: SQLExpression
  ) -> SQLExpression { .operation(.replace, [text, old, new]) }

  private static func concatenated(_ texts: [SQLExpression]) -> SQLExpression {
    texts.dropFirst().reduce(texts.first ?? .text("")) { .infix(.concatenate, $0, $1) }
  }

  /// 1 and 2 in a text are 2 2 and 2 3, which keeps the order.
  private static let escapes = [(2, [2, 3]), (1, [2, 2])].map { (character($0.0), concatenated($0.1.map(character))) }

  /// Nil without a field; the text itself of one.
  static func joined(_ texts: [SQLExpression]) -> SQLExpression? {
    guard texts.count > 1 else { return texts.first }
    let escaped = texts.map { text in
      if case .text = text { return text }
      return escapes.reduce(text) { replacing($0, $1.0, by: $1.1) }
    }
    return concatenated(escaped.enumerated().flatMap { $0.offset > 0 ? [character(1), $0.element] : [$0.element] })
  }

  /// The texts of the fields.
  static func fields(of group: SQLExpression, count: Int) -> [SQLExpression] {
    guard count > 1 else { return [group] }
    return (0..<count).map { place in
      escapes.reversed().reduce(.operation(.piece(place, of: count), [group])) { replacing($0, $1.1, by: $1.0) }
    }
  }

  /// As the result has it: the text of one field, a record of CSV of several.
  static func record(of group: SQLExpression, count: Int) -> SQLExpression {
    guard count > 1 else { return group }
    let cells = fields(of: group, count: count).map { field -> SQLExpression in
      let (quote, others) = (SQLExpression.text("\""), [SQLExpression.text(","), character(10), character(13)])
      let plain = others.reduce(replacing(field, quote, by: .text(""))) { replacing($0, $1, by: .text("")) }
      return concatenated([quote, replacing(field, quote, by: .text("\"\"")), quote])
        .when(.infix(.notEqual, plain, field), otherwise: field)
    }
    return concatenated(cells.enumerated().flatMap { $0.offset > 0 ? [.text(","), $0.element] : [$0.element] })
  }
}
