extension Library {
  /// The level that a team metric needs to read a record's facts; nil where none is asked for.
  package func askedConsent(of record: RecordID) -> ConsentLevel? {
    guard let level = records[record].consent, level > .none else { return nil }
    return level
  }

  /// Whether any fact asks for consent.
  package var asksConsent: Bool { records.indices.contains { askedConsent(of: $0) != nil } }

  /// The chains of references that lead from a fact to the users behind it; several where it refers to
  /// more than one of them.
  package func userPaths(of record: RecordID) -> [[FieldReference]] {
    entity(named: "User").map { shortestPaths(from: record, to: $0) } ?? []
  }
}
