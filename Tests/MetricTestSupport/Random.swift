import class Foundation.ProcessInfo

/// A seeded generator of random numbers: the same seed gives the same numbers everywhere.
///
/// SplitMix64 of Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
package struct SeededGenerator: RandomNumberGenerator {
  /// What it was made with, for the message of a failure.
  package let seed: UInt64
  private var state: UInt64

  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// How to run exactly this case again: belongs into every message of a failure.
  package var replay: String { "METRICC_SEED=\(seed)" }

  /// A whole number of the range.
  package mutating func int(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// True in `percent` of 100 cases.
  package mutating func chance(_ percent: Int) -> Bool {
    int(1...100) <= percent
  }

  /// One of some things; there is at least one.
  package mutating func pick<T>(_ things: [T]) -> T {
    things[int(0...things.count - 1)]
  }
}

/// The seeds of a random test: `count` from `first` on, or the one that `METRICC_SEED` names.
package func seeds(_ count: Int, from first: UInt64 = 1) -> [UInt64] {
  if let text = ProcessInfo.processInfo.environment["METRICC_SEED"], let seed = UInt64(text) { return [seed] }
  return (0..<UInt64(count)).map { first + $0 }
}
