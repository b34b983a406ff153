import MetricData
import MetricPlan

/// Consent and the people behind facts (LANGUAGE, Consent and privacy).
extension ReferenceEvaluator {
  /// "A team metric reads a fact with a `consent` line if everybody it speaks of agreed." "A fact without a `consent`
  /// line asks for none."
  func hasConsent(_ fact: ReferenceFact) -> Bool {
    guard let asked = library.records[fact.record].consent, asked.level > .none else { return true }
    let users = users(behind: fact)
    return !users.isEmpty
      && users.allSatisfy { user in since(asked, user).map { $0 <= day(fact) } ?? false }
  }

  /// "Who did not agree to all that a team metric reads is no subject of it", on a day or on any.
  func agrees(_ subject: ByteText, of entity: RecordID?, readBy metric: MetricID, on day: DayKey?) -> Bool {
    let asked = recordsRead(by: metric).compactMap { library.records[$0].consent }.filter { $0.level > .none }
    guard let entity, !asked.isEmpty else { return true }
    if library.records[entity].name != "User", pathsToUser(from: entity).isEmpty { return true }
    let users = users(behind: subject, of: entity)
    return users.allSatisfy { user in
      asked.allSatisfy { asked in since(asked, user).map { day == nil || $0 <= day! } ?? false }
    }
  }

  /// "the consent record since which the level has held without interruption (of several on one day the lowest)";
  /// nil where it does not hold.
  private func since(_ asked: AskedConsent, _ user: ByteText) -> DayKey? {
    let key = ConsentKey(asked: asked, user: user)
    if let known = consentMemo[key] { return known }
    let since = computeSince(asked, user)
    consentMemo[key] = .some(since)
    return since
  }

  private func computeSince(_ asked: AskedConsent, _ user: ByteText) -> DayKey? {
    guard let record = library.record(named: "Consent"),
      let userField = library.records[record].field(named: "userId"),
      let levelField = library.records[record].field(named: "level"),
      let purposeField = library.records[record].field(named: "purpose")
    else { return nil }
    let hasPurposes = library.records.contains { $0.consent.map { !$0.purpose.isEmpty } ?? false }
    let given = liveRows(record).map { ReferenceFact(record: record, row: $0) }.filter {
      guard follow([FieldReference(record: record, field: userField)], $0.row) == user else { return false }
      guard hasPurposes else { return true }
      guard case .text(let purpose)? = $0.row.values[purposeField] else { return asked.purpose.isEmpty }
      return ByteText(purpose) == ByteText(asked.purpose)
    }
    var since: DayKey? = asked.standing >= asked.level ? .first : nil
    for today in Set(given.map(day)).sorted() {
      let levels = given.filter { day($0) == today }.map { fact -> ConsentLevel in
        guard case .text(let word) = fact.row.values[levelField] else { return .none }
        return ConsentLevel(rawValue: word) ?? .none
      }
      since = (levels.min() ?? .none) < asked.level ? nil : since ?? today
    }
    return since
  }

  /// The users at the ends of the shortest chains of references from a fact.
  func users(behind fact: ReferenceFact) -> Set<ByteText> {
    Set(pathsToUser(from: fact.record).compactMap { follow($0, fact.row) })
  }

  /// The users behind a subject: itself, or those that it refers to.
  func users(behind subject: ByteText, of entity: RecordID?) -> Set<ByteText> {
    Set(ways(to: subject, of: entity).compactMap { $0 })
  }

  /// "By each of several ways to users": the user at its end, "or else one of its other ways".
  func ways(to fact: ReferenceFact) -> [ByteText?] {
    filled(pathsToUser(from: fact.record).map { follow($0, fact.row) })
  }

  /// As for facts.
  func ways(to subject: ByteText, of entity: RecordID?) -> [ByteText?] {
    guard let entity else { return [] }
    if library.records[entity].name == "User" { return [subject] }
    guard let row = self.entity(entity, subject) else { return [] }
    return filled(pathsToUser(from: entity).map { follow($0, row) })
  }

  private func filled(_ ends: [ByteText?]) -> [ByteText?] { ends.map { $0 ?? ends.compactMap { $0 }.first } }

  /// How many users stand behind rows, by the way that has the fewest.
  func fewest(_ rows: [[ByteText?]]) -> Int {
    let counts = (0..<(rows.map(\.count).max() ?? 0)).map { way in
      Set(rows.compactMap { $0.isEmpty ? nil : $0[min(way, $0.count - 1)] }).count
    }
    return counts.min() ?? 0
  }

  /// Whether users stand behind the facts of a record, or the subjects of an entity.
  func leadsToUser(_ record: RecordID) -> Bool {
    library.records[record].name == "User" || !pathsToUser(from: record).isEmpty
  }

  private func pathsToUser(from record: RecordID) -> [[FieldReference]] {
    if let known = pathsMemo[record] { return known }
    let paths = computePathsToUser(from: record)
    pathsMemo[record] = paths
    return paths
  }

  private func computePathsToUser(from record: RecordID) -> [[FieldReference]] {
    var paths: [[FieldReference]] = [[]]
    for _ in library.records {
      var longer: [[FieldReference]] = []
      for path in paths {
        guard let end = path.last.map({ target(of: $0) }) ?? record else { continue }
        let passed = [record] + path.compactMap { target(of: $0) }.dropLast()
        if path.isEmpty || !passed.contains(end) {
          longer += references(of: end).map { path + [$0] }
        }
      }
      let found = longer.filter { path in
        path.last.flatMap { target(of: $0) }.map { library.records[$0].name == "User" } ?? false
      }
      if !found.isEmpty { return found }
      paths = longer
    }
    return []
  }

  private func references(of record: RecordID) -> [FieldReference] {
    library.records[record].fields.indices.compactMap { index in
      let field = library.records[record].fields[index]
      guard case .reference = field.type, field.computed == nil, !field.isPersonal, !field.isStored else {
        return nil
      }
      return FieldReference(record: record, field: index)
    }
  }

  // MARK: Hiding

  /// "If PRIV-06 hides a group, so is the shown one with the fewest users; of several, the one with the lowest bytes.
  /// By several fields this is done field by field."
  ///
  /// - Parameter users: how many users have a group whose first fields are these.
  /// - Returns: the groups that show no value.
  func hidden(
    _ groups: Set<ReferenceGroup>, atLeast: Int?, _ users: (_ first: ReferenceGroup) throws -> Int
  ) rethrows -> Set<ReferenceGroup> {
    guard let atLeast else { return [] }
    var shown: Set<ReferenceGroup> = [[]]
    for length in 1...(groups.first?.count ?? 1) {
      var next: Set<ReferenceGroup> = []
      for line in shown {
        let parts = Set(groups.filter { $0.starts(with: line) }.map { Array($0.prefix(length)) })
        let counted = try parts.map { (users: try users($0), part: $0) }.sorted { left, right in
          left.users != right.users ? left.users < right.users : left.part.isBefore(right.part)
        }
        let enough = counted.filter { $0.users >= atLeast }.map(\.part)
        next.formUnion(enough.dropFirst(enough.count < counted.count ? 1 : 0))
      }
      shown = next
    }
    return groups.subtracting(shown)
  }
}
