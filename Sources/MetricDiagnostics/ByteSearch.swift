extension [UInt8] {
  /// Whether a text contains another one.
  package func contains(_ other: [UInt8]) -> Bool {
    guard let first = other.first, count >= other.count else { return other.isEmpty }
    return (0...count - other.count).contains { self[$0] == first && self[$0...].starts(with: other) }
  }
}
