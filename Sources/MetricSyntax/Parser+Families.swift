extension Parser {
  mutating func parseFamily() -> ClauseContent? {
    guard take(.leftBracket) else {
      return expected(
        .expectedPeriod, "`[` after `each`",
        notes: ["it is written like `over each [last 1 day as daily, last 7 days as weekly]`"])
    }
    let members = parseCommas(until: .rightBracket) { $0.parseFamilyMember() }.compactMap { $0 }
    guard !isRecovering else { return nil }
    guard take(.rightBracket) else { return expected(.expectedPeriod, "`,` or `]`") }
    return .overEach(members)
  }

  private mutating func parseFamilyMember() -> FamilyMember? {
    let notes: [Note] = ["`last 7 days as weekly` declares `weekly_NAME`"]
    guard let period = parsePeriod(),
      take(.as, orExpect: "`as` and what the metric's name starts with", notes: notes)
    else { return nil }
    let name = parseName("a word", .newName)
    return name.isMissing ? nil : FamilyMember(period: period, name: name)
  }
}
