/// Arithmetic of millionths in 64 bits. Each formula names its operands once, in an inner query, and builds
/// on it level by level; magnitudes are at most 9·10¹⁸. A piece that overflows becomes floating point above
/// 9.2·10¹⁸, so that the range check of the result still catches it.
extension SQLite {
  /// `a·b / 10⁶`, rounded half away from zero: units and fractions multiplied apart.
  func product(_ left: String, _ right: String) -> String {
    let units = "x / 1000000 * (y / 1000000) * 1000000"
    let mixed = "x / 1000000 * (y % 1000000) + x % 1000000 * (y / 1000000)"
    let fractions = "(x % 1000000 * (y % 1000000) + 500000) / 1000000"
    return "(WITH \(magnitudes(left, right)) SELECT s * (\(units) + \(mixed) + \(fractions)) FROM m)"
  }

  /// `a·10⁶ / b`, rounded half away from zero; null by zero. Long division in two steps of three digits:
  /// a step divides by the divisor short of its last three digits, and is at most one too great.
  func quotient(_ left: String, _ right: String) -> String {
    let whole = "q0 AS (SELECT s, y, x / y AS q, x % y AS r FROM m)"
    let steps = [
      magnitudes(left, right), whole, threeDigits("q0", "e1", "q1"), threeDigits("q1", "e2", "q2"),
    ]
    return "(WITH \(steps.joined(separator: ", ")) SELECT s * (q + (r >= y - r)) FROM q2)"
  }

  /// The average of an aggregate's argument. The sum `h·10⁶ + l` of units and fractions need not fit; it is
  /// made positive by its sign and divided by the count piece by piece. Nothing there is null.
  func averageOfMillionths(_ argument: String) -> String {
    let (units, fractions) = ("SUM((\(argument)) / 1000000)", "SUM((\(argument)) % 1000000)")
    let count = "COUNT(\(argument))"
    let sign = "(CASE WHEN \(units) * 1000000 + \(fractions) < 0 THEN -1 ELSE 1 END)"
    let rest = "\(sign) * \(units) % \(count) * 1000000 + \(sign) * \(fractions)"
    // Four million more a row keep the dividend above zero, where division rounds down.
    let rounded = "(2 * (\(rest) + 4000000 * \(count)) + \(count)) / (2 * \(count)) - 4000000"
    return "(\(sign) * (\(sign) * \(units) / \(count) * 1000000 + \(rounded)))"
  }

  /// `x`, `y`: the magnitudes of two numbers; `s`: the sign of their product. Inner queries are named one
  /// after the other, not nested: the engine's parser is not deep.
  private func magnitudes(_ left: String, _ right: String) -> String {
    "o AS (SELECT \(left) AS a, \(right) AS b),"
      + " m AS (SELECT ABS(a) AS x, ABS(b) AS y, SIGN(a) * SIGN(b) AS s FROM o)"
  }

  /// Appends three digits to the quotient `q` with the rest `r` of a division by `y`.
  private func threeDigits(_ division: String, _ estimate: String, _ name: String) -> String {
    let isShort = "y <= 9000000000000"
    let digits = "CASE WHEN \(isShort) THEN r * 1000 / y ELSE r / (y / 1000) END"
    let rest =
      "CASE WHEN \(isShort) THEN r * 1000 % y ELSE r % (y / 1000) * 1000 - r / (y / 1000) * (y % 1000) END"
    let exact = "q * 1000 + d - (t < 0) AS q, CASE WHEN t < 0 THEN t + y ELSE t END AS r"
    return "\(estimate) AS (SELECT s, y, q, \(digits) AS d, \(rest) AS t FROM \(division)),"
      + " \(name) AS (SELECT s, y, \(exact) FROM \(estimate))"
  }
}
