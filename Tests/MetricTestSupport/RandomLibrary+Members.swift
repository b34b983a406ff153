/// Measures of counted subjects in groups, of which some are metrics of the subjects (GRP-07).
extension RandomLibrary {
  /// - Returns: false where there is no metric to group by.
  mutating func writeMemberGroups() -> Bool {
    let subject = random.pick(["app", "app", "user"])
    let entity = random.pick(
      subject == "app" ? ["habit", "goal", "book", "user"] : ["habit", "goal", "book"])
    let metrics = metrics.filter { $0.subject == entity && $0.isDiscrete && $0.memberGroups == nil }
    guard !metrics.isEmpty else { return false }
    let readable = self.metrics.filter { $0.memberGroups?.entity == entity && $0.subject == subject }
    let read = readable.isEmpty || random.chance(65) ? nil : random.pick(readable)
    var groups = read?.memberGroups?.fields ?? []
    if groups.isEmpty {
      for _ in 0..<random.pick([1, 1, 2, 3]) {
        let group = memberGroup(entity, random.pick(metrics).name)
        if !groups.contains(where: { $0.split(separator: ".").last == group.split(separator: ".").last }) {
          groups.append(group)
        }
      }
    } else {
      groups.shuffle(using: &random)
    }
    let scope = RandomScope(subject: subject, onlyFact: "", groupEntity: entity)
    guard let first = subjectAggregate(scope), let second = subjectAggregate(scope) else { return false }
    var value = random.chance(60) ? first : "(\(first) \(random.pick(["+", "/"])) \(second))"
    let isProtected = read == nil && entity != "book" && features.contains(.consent) && random.chance(40)
    if let read {
      let offset = random.pick(["\(random.int(1...9)) days", "1 month"])
      value = random.pick([
        read.name, "\(read.name) / \(read.name) offset \(offset)", "\(read.name) + \(first)",
      ])
    }
    declare(
      Declared(
        name: newName("measure"), kind: "measure", subject: subject, isTeam: true, isGrouped: true,
        memberGroups: isProtected || read != nil ? nil : (groups, entity), isProtected: isProtected,
        numbers: [""]),
      [
        forClause(subject), "value \(value)", "by \(groups.joined(separator: ", "))",
        isProtected ? "at least \(random.int(2...4)) users" : nil, nearest(),
      ])
    return true
  }

  /// Mostly a metric of the counted subject, with or without its name in front; else a field.
  private mutating func memberGroup(_ entity: String, _ metric: String) -> String {
    let fields = RandomSchema.fields(ofSubject: entity).filter {
      $0.kind != .opaque && !$0.path.lowercased().hasSuffix("id")
    }
    let name = fields.isEmpty || random.chance(70) ? metric : random.pick(fields).path
    return random.chance(50) ? name : "\(entity).\(name)"
  }
}
