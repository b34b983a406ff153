import MetricData
import MetricEvaluate
import MetricPlan
import MetricValues

/// Which links led to the facts of an aggregate, and what each of them adds (LINK-01 to LINK-04).
extension Explainer {
  /// Of several links to the same owner, end and contribution the first counts.
  private struct Counted: Hashable {
    var owner: ByteKey
    var end: ByteKey
    var contribution: String
  }

  func links(
    _ aggregate: Aggregate, _ route: LinkRoute, _ scope: Prober.Scope, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [LinkStory] {
    let amounts = try self.amounts(aggregate, scope, facts)
    var factsByEnd: [ByteKey: [TracedFact]] = [:]
    for fact in facts {
      guard let end = reader.follow(route.fromFact, from: fact.row) else { continue }
      factsByEnd[ByteKey(end), default: []].append(fact)
    }
    let word = library.records[route.link].field(named: "contribution")
    var seen: Set<Counted> = []
    var stories: [LinkStory] = []
    for row in reader.liveRows(of: route.link) {
      guard let subject = reader.follow(route.toSubject, from: row),
        subject.hasSameBytes(as: scope.subject ?? "")
      else { continue }
      let contribution =
        word.flatMap { reader.text(FieldReference(record: route.link, field: $0), row) } ?? ""
      let owner = ByteKey(reader.follow(Array(route.toSubject.prefix(1)), from: row) ?? "")
      for (end, bundle) in ends(route, row) {
        let own = factsByEnd[ByteKey(end)] ?? []
        let counts = seen.insert(
          Counted(owner: owner, end: ByteKey(end), contribution: contribution)
        ).inserted
        var story = LinkStory(
          link: reader.reference(route.link, row), end: end, bundle: bundle, contribution: contribution,
          counts: counts, factCount: own.count, amount: nil)
        if aggregate.function == .contribution {
          let amounts = own.map {
            contribution == "sum" ? amounts[$0.row]?.millionths ?? 0 : FixedDecimal.scale
          }
          let sum = Int64(clamping: amounts.reduce(Int128(0)) { $0 + Int128($1) })
          story.amount =
            aggregate.type == .int
            ? .int(sum / FixedDecimal.scale) : .decimal(FixedDecimal(millionths: sum))
        }
        stories.append(story)
      }
    }
    return stories
  }

  /// What each fact gives to a link that sums.
  private func amounts(
    _ aggregate: Aggregate, _ scope: Prober.Scope, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [Int: Value] {
    guard aggregate.function == .contribution, let last = facts.last else { return [:] }
    var question = aggregate
    question.function = .sum
    let valued = try prober.facts(question, scope, through: last.day).facts
    return Dictionary(
      valued.compactMap { fact in fact.value.map { (fact.row, $0) } }, uniquingKeysWith: { one, _ in one })
  }

  /// What a link names: directly, and through a bundle.
  private func ends(_ route: LinkRoute, _ row: Int) -> [(end: String, bundle: String?)] {
    var ends: [(end: String, bundle: String?)] = []
    if let direct = route.direct, let id = reader.text(direct, row) { ends.append((id, nil)) }
    if let bundle = route.bundle, let id = reader.text(bundle, row) {
      var habits: Set<ByteKey> = []
      addHabits(of: id, depth: 1, to: &habits)
      ends += habits.sorted().map { (String(decoding: $0.bytes, as: UTF8.self), id) }
    }
    return ends
  }

  /// The evaluator has refused circles and more than eight levels before this is asked.
  private func addHabits(of bundle: String, depth: Int, to habits: inout Set<ByteKey>) {
    guard depth <= BundleFields.deepest, let fields = BundleFields(library: library) else { return }
    for row in reader.liveRows(of: fields.record)
    where reader.text(fields.bundle, row)?.hasSameBytes(as: bundle) ?? false {
      if let habit = reader.text(fields.habit, row) { habits.insert(ByteKey(habit)) }
      if let child = reader.text(fields.child, row) { addHabits(of: child, depth: depth + 1, to: &habits) }
    }
  }
}
