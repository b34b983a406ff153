/// What a value rests on (C1, CHK-07). The table of its rules is in `Documentation/Checker.md`.
struct Basis: Hashable {
  /// From harmless to harmful.
  enum Source: Comparable {
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
  }

  /// What is known of a number, if there is one, where all declared numbers are above 0.
  enum Sign: Comparable {
    case unknown, notNegative, positive

    /// Of what is made of such numbers: of none a sum is 0, and so is the deviation of equal ones.
    func aggregated(by function: AggregateFunction) -> Sign {
      function.traits.liesWithin && !function.isNeverNone ? self : min(self, .notNegative)
    }
  }

  var source: Source
  /// Whether it is 0, false or none without facts, whatever the declared numbers are.
  var isZero = false
  /// Of what is not measured.
  var sign = Sign.unknown
  /// Whether declared numbers do not decide that there is a value.
  var isSteady = true

  static let shown = Basis(source: .shown, isSteady: false)
  static func measured(zero: Bool) -> Basis { Basis(source: .measured, isZero: zero) }
  /// Of its truth, where none counts as false: a declared number that decides whether it is none decides it.
  var asCondition: Basis { isMeasured && !isSteady && !isZero ? .shown : self }

  func steady(_ condition: Bool) -> Basis {
    var basis = self
    basis.isSteady = isSteady && condition
    return basis
  }

  var isMeasured: Bool { source == .measured }
  var isDeclared: Bool { source == .declared }
  var isShown: Bool { source == .shown }
}
