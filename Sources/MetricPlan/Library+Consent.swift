extension Library {
  /// What a team metric needs to read a record's facts; nil where it needs none.
  package func askedConsent(of record: RecordID) -> AskedConsent? {
    guard let asked = records[record].consent, asked.level > .none else { return nil }
    return asked
  }

  /// What some records ask for together, in a fixed order.
  package func askedConsents(of records: Set<RecordID>) -> [AskedConsent] {
    Set(records.compactMap(askedConsent)).sorted { $0.text < $1.text }
  }

  /// Whether there are several switches. Where no `consent` line names a purpose, all records are about one (PRIV-13).
  package var hasPurposes: Bool { records.contains { $0.consent?.purpose.isEmpty == false } }

  /// Whether any fact asks for consent.
  package var asksConsent: Bool { records.indices.contains { askedConsent(of: $0) != nil } }

  /// The chains of references that lead from a fact to the users behind it; several where it refers to
  /// more than one of them.
  package func userPaths(of record: RecordID) -> [[FieldReference]] {
    entity(named: "User").map { shortestPaths(from: record, to: $0) } ?? []
  }
}
