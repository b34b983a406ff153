#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The weights of `half life`: a fixed table, so that results are equal in any order, on any engine (MOM-02).
package enum HalfLife {
  package static let unit: Int64 = 1_000_000_000

  /// `round₉((1-m)·mᵏ)` in units of 10⁻⁹ with `m = 0.5^(1/windows)`, up to the first that is 0.
  package static func weights(windows: Int) -> [Int64] {
    let step = 1 - exp2(-1 / Double(windows))
    var weights: [Int64] = []
    while true {
      // mᵏ is computed from k each time: a running product would gather rounding errors.
      let power = exp2(-Double(weights.count) / Double(windows))
      let weight = Int64((step * power * Double(unit)).rounded(.toNearestOrAwayFromZero))
      guard weight > 0 else { return weights }
      weights.append(weight)
    }
  }

  /// `round₆(min(1, strength))`, half away from zero, of a sum of weights.
  package static func millionths(_ strength: Int64) -> Int64 {
    Int64(FixedDecimal.divideRounding(Int128(min(unit, strength)), by: 1000))
  }
}
