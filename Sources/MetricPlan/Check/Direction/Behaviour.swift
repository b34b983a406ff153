/// What may happen to a value when something else happens (a fact is added; a day passes).
///
/// For a Bool the four bits stand for truth and falsity, so that three-valued logic stays exact:
/// `rises` is "becomes true", `falls` "stops being true", `appears` "becomes false", `vanishes` "stops
/// being false". `not` then swaps them, `and` and `or` unite them (Kleene's minimum and maximum).
struct Moves: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  /// Present, and then higher.
  static let rises = Moves(rawValue: 1)
  /// Present, and then lower.
  static let falls = Moves(rawValue: 2)
  /// None, and then present.
  static let appears = Moves(rawValue: 4)
  /// Present, and then none.
  static let vanishes = Moves(rawValue: 8)

  static let all: Moves = [.rises, .falls, .appears, .vanishes]

  /// The bits of `not x`: those of truth and those of falsity, exchanged.
  var ofNegation: Moves { Moves(rawValue: rawValue >> 2 | (rawValue & 3) << 2) }

  /// The bits of `-x`.
  var mirrored: Moves {
    intersection([.appears, .vanishes])
      .union(Moves(.falls, if: contains(.rises))).union(Moves(.rises, if: contains(.falls)))
  }

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `moves` where `condition` holds, else nothing.
  init(_ moves: Moves, if condition: Bool) { self = condition ? moves : [] }
}

/// What an expression can be: numbers in millionths, Bools 0 and 1 million, days and texts unbounded.
struct Values: Hashable, Sendable {
  var mayBeNone: Bool
  var mayBePresent: Bool
  /// The smallest and the greatest value when present; at ±`limit` there is no bound.
  var low: Int64
  var high: Int64

  static let limit = FixedDecimal.limit
  static let one = FixedDecimal.scale

  static func exactly(_ value: Int64) -> Values { .range(value, value) }
  static let none = Values(mayBeNone: true, mayBePresent: false, low: 0, high: 0)
  static let any = Values(mayBeNone: true, mayBePresent: true, low: -limit, high: limit)

  static func range(_ low: Int64, _ high: Int64, mayBeNone: Bool = false) -> Values {
    Values(mayBeNone: mayBeNone, mayBePresent: true, low: low, high: high)
  }

  /// As often there, within other bounds.
  func within(_ low: Int64, _ high: Int64) -> Values {
    Values(mayBeNone: mayBeNone, mayBePresent: mayBePresent, low: low, high: high)
  }

  func union(_ other: Values) -> Values {
    guard mayBePresent else {
      return Values(mayBeNone: true, mayBePresent: other.mayBePresent, low: other.low, high: other.high)
    }
    guard other.mayBePresent else { return .range(low, high, mayBeNone: true) }
    return .range(
      min(low, other.low), max(high, other.high), mayBeNone: mayBeNone || other.mayBeNone)
  }

  var mayBePositive: Bool { mayBePresent && high > 0 }
  var mayBeNegative: Bool { mayBePresent && low < 0 }
  var mayBeZero: Bool { mayBePresent && low <= 0 && high >= 0 }
}

/// All that is known of an expression: its values, its value on no data, and its moves.
struct Behaviour: Hashable, Sendable {
  var values: Values
  /// On no data: the dataset without its facts.
  var onNoData: Values
  /// When a live fact is added.
  var added: Moves
  /// From a reference day to the next.
  var passing: Moves

  static func constant(_ values: Values) -> Behaviour {
    Behaviour(values: values, onNoData: values, added: [], passing: [])
  }

  /// What becomes of it where each value and each move is turned into another.
  func mapped(_ values: (Values) -> Values, moves: (Moves) -> Moves) -> Behaviour {
    Behaviour(
      values: values(self.values), onNoData: values(onNoData), added: moves(added), passing: moves(passing))
  }

  static let unknown = Behaviour(values: .any, onNoData: .any, added: .all, passing: .all)

  /// A number with one value never moves, one that is never none neither appears nor vanishes; a Bool that
  /// is never true does not become true nor stop being so, and likewise one that is never false.
  func tidied(isBool: Bool) -> Behaviour {
    func tidy(_ moves: Moves) -> Moves {
      if !values.mayBePresent { return [] }
      var moves = moves
      if isBool {
        if values.high < Values.one { moves.subtract([.rises, .falls]) }
        if values.low > 0 { moves.subtract([.appears, .vanishes]) }
        if !values.mayBeNone, values.low == values.high { moves = [] }
      } else {
        if !values.mayBeNone { moves.subtract([.appears, .vanishes]) }
        if values.low == values.high { moves.subtract([.rises, .falls]) }
      }
      return moves
    }
    return mapped({ $0 }, moves: tidy)
  }
}

/// A direction as people name it.
public enum Direction: String, Sendable {
  case constant, rising, falling, unknown

  /// For a Bool only truth counts: none is false.
  init(_ moves: Moves, isBool: Bool) {
    let seen = isBool ? moves.intersection([.rises, .falls]) : moves
    let goesUp = !seen.isDisjoint(with: [.rises, .appears])
    let goesDown = !seen.isDisjoint(with: [.falls, .vanishes])
    self =
      switch (goesUp, goesDown) {
      case (false, false): .constant
      case (true, false): .rising
      case (false, true): .falling
      case (true, true): .unknown
      }
  }
}
