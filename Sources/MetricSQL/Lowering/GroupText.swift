/// A group of several fields as one text, so that relations have one column for it: the texts of the fields with `CHR(1)`
/// between them, below all other characters. So its bytes order like the fields, one after the other.
enum GroupText {
  private static func character(_ code: Int) -> SQLExpression { .operation(.character, [.integer(code)]) }

  private static func replacing(
    _ text: SQLExpression, _ old: SQLExpression, by new: SQLExpression
  ) -> SQLExpression { .operation(.replace, [text, old, new]) }

  private static func concatenated(_ texts: [SQLExpression]) -> SQLExpression {
    texts.joined { .infix(.concatenate, $0, $1) } ?? ""
  }

  /// 1 and 2 in a text are 2 2 and 2 3, which keeps the order.
  private static let escapes = [(2, [2, 3]), (1, [2, 2])].map { code, codes in
    (character(code), concatenated(codes.map(character)))
  }

  /// Nil without a field; the text itself of one.
  static func joined(_ texts: [SQLExpression]) -> SQLExpression? {
    guard texts.count > 1 else { return texts.first }
    let escaped = texts.map { text in
      if case .text = text { return text }
      return escapes.reduce(text) { replacing($0, $1.0, by: $1.1) }
    }
    return concatenated(Array(escaped.map { [$0] }.joined(separator: [character(1)])))
  }

  /// The texts of the fields.
  static func fields(of group: SQLExpression, count: Int) -> [SQLExpression] {
    guard count > 1 else { return [group] }
    return (0..<count).map { place in
      let piece = SQLExpression.operation(.piece(place, of: count), [group])
      return escapes.reversed().reduce(piece) { replacing($0, $1.1, by: $1.0) }
    }
  }

  /// The group of some of the fields, in this order.
  static func picked(_ places: [Int], of group: SQLExpression, count: Int) -> SQLExpression {
    guard places != Array(0..<count) else { return group }
    let fields = fields(of: group, count: count)
    return joined(places.map { fields[$0] }) ?? ""
  }

  /// As the result has it: the text of one field, a record of CSV of several.
  static func record(of group: SQLExpression, count: Int) -> SQLExpression {
    guard count > 1 else { return group }
    let cells = fields(of: group, count: count).map { field -> SQLExpression in
      let quote = SQLExpression.text("\"")
      let plain = [quote, .text(","), character(10), character(13)].reduce(field) {
        replacing($0, $1, by: "")
      }
      return concatenated([quote, replacing(field, quote, by: .text("\"\"")), quote])
        .when(.infix(.notEqual, plain, field), otherwise: field)
    }
    return concatenated(Array(cells.map { [$0] }.joined(separator: [.text(",")])))
  }
}
