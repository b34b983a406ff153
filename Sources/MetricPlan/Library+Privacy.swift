/// Whose facts a metric reads, and how many users its numbers need (LANGUAGE, Consent and privacy).
extension Library {
  /// Whether the facts of a record, or the subjects of an entity, belong to users.
  package func leadsToUser(_ record: RecordID) -> Bool { !userPaths(of: record).isEmpty }

  /// The metrics whose facts may come from more than one user, whatever their audience says (PRIV-09).
  package var ofSeveralUsers: Set<MetricID> {
    metrics.indices.reduce(into: []) { known, id in
      if comesFromSeveralUsers(metrics[id].body, of: metrics[id].subject.entity, known) { known.insert(id) }
    }
  }

  /// As `ofSeveralUsers`, where that of the metrics that it reads is known.
  package func comesFromSeveralUsers(_ body: Body, of subject: RecordID?, _ known: Set<MetricID>) -> Bool {
    if let base = body.base { return known.contains(base) }
    guard body.sources.isEmpty, let subject else { return true }
    return body.parts.contains { part in
      switch part {
      case .aggregate(let aggregate): !isOfOneUser(aggregate.record, aggregate.route, subject)
      case .subjects(let aggregate):
        !isOfOneUser(aggregate.entity, .references(aggregate.relation), subject)
      // A number about others says nothing about the subject; that is rejected (C404).
      case .metric(let reference):
        metrics[reference.metric].subject.entity == subject && known.contains(reference.metric)
      case .literal, .field, .day, .completions, .arithmetic, .negated, .comparison, .membership, .isNone,
        .and, .or, .not, .conditional, .function, .widened:
        false
      }
    }
  }

  /// Whether the one user of the subject is also a user behind each record that leads there by a route. A link joins
  /// records of one user (LINK-02), unless it leads by way of a user.
  private func isOfOneUser(_ record: RecordID, _ route: Route, _ subject: RecordID) -> Bool {
    let (users, owners) = (userPaths(of: record), userPaths(of: subject))
    guard !users.isEmpty else { return true }
    guard owners.count == 1 else { return false }
    switch route {
    case .whole: return false
    case .references(let way): return users.contains(way + owners[0])
    case .link(let link):
      let user = entity(named: "User")
      return !(link.fromFact + link.toSubject.dropLast(subject == user ? 1 : 0)).contains {
        self[$0].type == user.map { .reference($0) }
      }
    }
  }

  /// By metric, how many users its numbers need: by its own `at least`, or that of what it reads.
  package var thresholds: [Int?] {
    metrics.reduce(into: []) { known, metric in known.append(metric.body.threshold(known)) }
  }

  /// The metrics that a metric reads itself.
  package func reads(_ metric: Metric) -> Set<MetricID> { metric.body.reads }

  /// The same, in the order of the plan.
  func metricsRead(by metric: Metric) -> [Metric] { reads(metric).sorted().map { metrics[$0] } }

  /// The completions with a limit that a metric rests on, by their order.
  package func limits(behind id: MetricID) -> [(completion: MetricID, limit: Limit)] {
    withRead([id]).sorted().compactMap { read in
      guard case .completion(let completion) = metrics[read].body else { return nil }
      return completion.limit.map { (read, $0) }
    }
  }

  /// The records that they name: a fact of one can end a window (LAW-01).
  package func limitedRecords(behind id: MetricID) -> Set<RecordID> {
    Set(limits(behind: id).flatMap { $0.limit.records.filter { !records[$0].isSetting } })
  }

  /// Some metrics and all that they read, through others too, but for those that do not count.
  package func withRead(
    _ ids: some Sequence<MetricID>, where counts: (Metric) -> Bool = { _ in true }
  ) -> Set<MetricID> {
    var found = Set(ids)
    var open = Array(found)
    while let id = open.popLast() {
      for read in reads(metrics[id]) where counts(metrics[read]) && found.insert(read).inserted {
        open.append(read)
      }
    }
    return found
  }

  /// Whether a metric's groups, and whether its own values, are ids of users, by their type.
  package func showsUsers(_ metric: Metric) -> (groups: Bool, values: Bool) {
    if case .level(let level) = metric.body { return (showsUsers(metrics[level.metric]).groups, false) }
    let groups = metric.grouping.expressions.contains(where: namesUser)
    return (groups, metric.parts.first?.type == .text && metric.body.expressions.contains(where: namesUser))
  }

  /// Whether a text may be the id of a user.
  private func namesUser(_ expression: Expression) -> Bool {
    switch expression {
    case .field(let path): namesUser(path)
    case .aggregate(let aggregate): aggregate.argument.map(namesUser) ?? false
    case .subjects(let aggregate): aggregate.argument.map(namesUser) ?? false
    case .metric(let reference): showsUsers(metrics[reference.metric]).values
    case .conditional(_, let then, let otherwise): namesUser(then) || namesUser(otherwise)
    case .literal, .day, .completions, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or,
      .not, .function, .widened:
      false
    }
  }

  /// Whether a field of this path holds the id of a user.
  private func namesUser(_ path: FieldPath) -> Bool {
    guard let user = entity(named: "User") else { return false }
    let field = self[path.field]
    if let computed = field.computed { return namesUser(computed) }
    return field.type == .reference(user) || path.field.record == user && field.type == .id
  }
}

extension Body {
  /// As `Library.thresholds`, where those of the metrics that it reads are known.
  package func threshold(_ known: [Int?]) -> Int? {
    ([atLeast] + reads.map { known[$0] }).compactMap { $0 }.max()
  }
}

extension Part {
  /// What the cells of this part are multiples of, under `nearest N`; nil for a quotient, which is made of rounded numbers.
  package func step(_ nearest: FixedDecimal) -> Int64? {
    role.quotient != nil
      ? nil : type == .decimal ? nearest.millionths : nearest.millionths / FixedDecimal.scale
  }
}

extension Limit {
  /// The records whose facts it looks at.
  package var records: Set<RecordID> {
    Set(condition.parts.compactMap(\.aggregate?.record))
  }
}
