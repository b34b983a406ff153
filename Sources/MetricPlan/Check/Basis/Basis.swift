/// What a value rests on (C1, CHK-07). The table of its rules is in `Documentation/Checker.md`.
struct Basis: Hashable {
  /// From harmless to harmful.
  enum Source: Int, Comparable {
    /// Literals, and `day`.
    case constant
    /// Texts and days of entities, links and settings: what somebody chose.
    case chosen
    /// Numbers and Bools of entities, links and settings.
    case declared
    /// Facts, and that records exist; declared numbers only as parameters.
    case measured
    /// A declared number is part of a measured value.
    case shown

    static func < (left: Source, right: Source) -> Bool { left.rawValue < right.rawValue }
  }

  var source: Source
  /// Whether it is 0, false or none without facts, whatever the declared numbers are.
  var isZero = false
  /// Of what is not measured: whether it is above 0 where all declared numbers are.
  var isPositive = false
  /// Whether declared numbers do not decide that there is a value.
  var isSteady = true

  static let shown = Basis(source: .shown)
  static func measured(zero: Bool) -> Basis { Basis(source: .measured, isZero: zero) }
  /// Of what is decided by its truth, where none counts as false: a declared number that decides whether it is none
  /// decides that, too.
  var asCondition: Basis { isMeasured && !isSteady && !isZero ? .shown : self }

  func steady(_ condition: Bool) -> Basis {
    var basis = self
    basis.isSteady = isSteady && condition
    return basis
  }

  static func declared(positive: Bool) -> Basis { Basis(source: .declared, isPositive: positive) }

  var isMeasured: Bool { source == .measured }
  var isDeclared: Bool { source == .declared }
  var isShown: Bool { source == .shown }
}
