import MetricSyntax

/// Metrics: on-demand resolution, the clauses that every kind has, the subject.
extension Resolver {
  /// The plan of a metric; resolves it first where that has not happened.
  ///
  /// - Parameter use: the name that reads it, where the reader is another metric.
  func resolveMetric(named name: String, from use: Name? = nil) throws -> MetricID {
    switch metricStates[name] {
    case .resolved(let id):
      noteRead(id)
      return id
    case .failed: throw Reported()
    case .resolving:
      reportRecursion(name, at: use)
      throw Reported()
    case nil:
      guard let declaration = metricSyntax[name] else { throw Reported() }
      return try nested(by: Limits.metric, at: use?.span ?? declaration.name.span) {
        try resolveMetric(declaration, from: use)
      }
    }
  }

  private func noteRead(_ id: MetricID) {
    guard let reader = chain.indices.last else { return }
    chain[reader].height = max(chain[reader].height, heights[id])
    if !chain[reader].reads.contains(id) { chain[reader].reads.append(id) }
  }

  private func resolveMetric(_ declaration: MetricDeclaration, from use: Name?) throws -> MetricID {
    if let id = takeOver(declaration) {
      noteRead(id)
      return id
    }
    let name = declaration.name.text
    metricStates[name] = .resolving
    chain.append(Link(name: name, use: use))
    let reader = currentMetric
    currentMetric = name
    defer { currentMetric = reader }
    let before = (findings: diagnostics.count, metrics: metrics.count, uses: uses.count)
    let metric = try? resolve(declaration)
    let link = chain.removeLast()
    // A part that could not be resolved has been reported; the metric is sound only without errors. What has
    // a fix was read as fixed.
    let own = diagnostics[before.findings...].contains {
      $0.severity == .error && $0.metric == name && $0.fixes.isEmpty
    }
    let isBroken = uses[before.uses...].contains { $0.target.recordID.map(brokenRecords.contains) ?? false }
    let hasFailed = if case .failed = metricStates[name] { true } else { false }
    metricStates[name] = .failed
    guard let metric, !own, !hasFailed, !isBroken else { throw Reported() }
    try require(
      link.height < Limits.chain, .tooDeep,
      "`\(name)` rests on a chain of more than \(Limits.chain) metrics", at: declaration.name.span,
      notes: ["let it read the facts, or fewer metrics"])
    let id = add(
      metric, height: link.height + 1, reads: link.reads,
      isOfSeveralUsers: comesFromSeveralUsers(metric.body, metric.subject))
    // What was resolved on the way left findings and uses among those of this metric.
    if diagnostics.count == before.findings, id == before.metrics {
      remember(id, declaration, uses: uses[before.uses...])
    }
    noteRead(id)
    return id
  }

  func add(_ metric: Metric, height: Int, reads: [MetricID], isOfSeveralUsers: Bool) -> MetricID {
    let id = metrics.count
    metrics.append(metric)
    heights.append(height)
    self.reads.append(reads)
    thresholds.append(metric.body.threshold(thresholds))
    if isOfSeveralUsers { ofSeveralUsers.insert(id) }
    if readsFact(metric.body) { factReaders.insert(id) }
    metricStates[metric.name] = .resolved(id)
    return id
  }

  private func comesFromSeveralUsers(_ body: Body, _ subject: Subject) -> Bool {
    library.comesFromSeveralUsers(body, of: subject.entity, ofSeveralUsers)
  }

  /// Reports a cycle at its first metric by name, so that it does not matter where it was entered.
  private func reportRecursion(_ name: String, at use: Name?) {
    guard let start = chain.firstIndex(where: { $0.name == name }) else { return }
    var circle = Array(chain[start...])
    for link in circle { metricStates[link.name] = .failed }
    circle[0].use = use
    guard let first = circle.indices.min(by: { circle[$0].name < circle[$1].name }) else { return }
    circle = Array(circle[first...] + circle[..<first])
    // The use of a link is in the link before it; the first link reads the second one.
    let place = circle[circle.count > 1 ? 1 : 0].use ?? metricSyntax[circle[0].name]?.name
    guard let place else { return }
    let names = circle.map { "`\($0.name)`" }
    let shown = names.prefix(6) + (names.count > 6 ? ["…"] : []) + names.prefix(1)
    fail(
      .recursion, "\(names[0]) reads itself: \(shown.joined(separator: " → "))", at: place.span,
      metric: circle[0].name, notes: ["every metric must end at facts; break the circle"])
  }

  private func resolve(_ declaration: MetricDeclaration) throws -> Metric {
    let (name, kind) = (declaration.name, declaration.kind)
    headers[name.text] = DeclaredMetric(
      name: name.text, kind: kind, subject: "", audience: .user, span: name.span)
    let clauses = ClauseTable(of: kind, name, declaration.clauses, resolver: self)
    checkCommon(clauses)
    guard let subject = try? resolveSubject(clauses, kind: kind) else {
      reportRest(of: kind, clauses)
      throw Reported()
    }
    headers[name.text]?.subject = subjectName(subject.entity)
    var audience = resolveAudience(clauses, kind: kind, subject: subject)
    let resolved = try? resolveBody(kind, clauses, subject: subject)
    if let body = resolved?.body, clauses[.audience] == nil, comesFromSeveralUsers(body, subject) {
      audience = .team
    }
    headers[name.text]?.audience = audience
    if audience == .user, resolved != nil { refuseTeamClauses(clauses) }
    if declaration.family != nil { checkFamily(declaration, audience, clauses) }
    if audience == .user, case .measure(let measure)? = resolved?.body {
      try checkGroups(of: measure, name)
    }
    guard let (body, parts) = resolved, clauses.isComplete else { throw Reported() }
    var metric = Metric(
      name: name.text, subject: subject, audience: audience, doc: declaration.doc, body: body, parts: parts,
      span: name.span, clauseSpans: clauses.spans)
    metric.unit = clauses[.unit]?.content.name?.text
    metric.title = clauses[.title]?.content.text?.value
    metric.deprecated = clauses[.deprecated]?.content.text?.value
    resolveStewards(clauses, of: &metric)
    if let reason = clauses[.reading]?.content.text {
      metric.readingReason = reason.value
      _ = try? named(reason, "a `reading` says what is read, and why it may fall")
    }
    if case .windows(let windows) = body, windows.reading == .previous, audience == .user {
      metric.readingReason = "the last run that ended"
    }
    for case .allow(let code, let reason) in clauses.allows.map(\.content) {
      metric.allowed[code.text] = reason.value
    }
    if case .number(let syntax) = clauses[.nearest]?.content {
      metric.nearest = try nearest(syntax, parts[0].type)
    }
    return metric
  }

  /// Clauses of team metrics in a metric for one person.
  private func refuseTeamClauses(_ clauses: ClauseTable) {
    let words: [(ClauseWord, String)] = [
      (.atLeast, "hides small groups from a team"), (.nearest, "rounds values for a team"),
      (.slice, "says how a team may ask"),
    ]
    for (word, does) in words where word != .slice || clauses[.reading] == nil {
      guard let clause = clauses[word] else { continue }
      fail(
        .badAudience, "`\(word.rawValue)` \(does), and this metric is shown to one person",
        at: clause.keyword, notes: ["write `audience team`, or leave the clause out"])
    }
  }

  /// The members of a family are numbers of a team, and differ.
  private func checkFamily(_ declaration: MetricDeclaration, _ audience: Audience, _ clauses: ClauseTable) {
    guard let clause = clauses[.over] else { return }
    if audience == .user {
      fail(
        .badAudience, "`over each` declares numbers for a team, and this metric is shown to one person",
        at: clause.keyword, notes: ["write `audience team`, or a metric for each period"])
    } else if !declaration.takesPeriod {
      fail(
        .misplacedClause, "no aggregate takes its period from `over`, so the metrics of the family are equal",
        at: clause.keyword, notes: ["leave `over` out behind the records that are aggregated"])
    }
  }

  /// What values of a type are rounded to: a positive number, a whole one where they are.
  private func nearest(_ syntax: NumberSyntax, _ type: ValueType) throws -> FixedDecimal {
    let (step, isInt) = try number(syntax)
    try require(
      type.isNumber, .typeMismatch, "`nearest` rounds numbers, and the value is \(article(type.name))",
      at: syntax.span)
    let expected = type == .int ? "a whole number" : "a number"
    let most = 1_000_000 * FixedDecimal.scale
    try require(
      step.millionths > 0 && step.millionths <= most && (isInt || type != .int), .badLength,
      "values are rounded to \(expected) up to 1000000, found `\(syntax.text)`", at: syntax.span)
    return step
  }

  private func checkCommon(_ clauses: ClauseTable) {
    var seen: Set<String> = []
    for case .allow(let code, let reason) in clauses.allows.map(\.content) where !code.isMissing {
      let digits = code.text.dropFirst()
      if !code.text.hasPrefix("W") || digits.count != 3 || !digits.allSatisfy({ ("0"..."9").contains($0) }) {
        fail(
          .badAllow, "`\(code.text)` is not a warning; only warnings can be silenced", at: code.span,
          notes: ["write `allow W001 \"why\"` with the code of the warning"])
      } else if !seen.insert(code.text).inserted {
        fail(.repeatedClause, "`\(code.text)` is allowed twice", at: code.span)
      } else {
        _ = try? named(reason, "an `allow` says why")
      }
    }
  }

  /// The subject: said by `for`, or that of the metric that `of` names, as it is there to be read.
  private func resolveSubject(_ clauses: ClauseTable, kind: MetricKind) throws -> Subject {
    if ClauseWord.of.belongs(to: kind) {
      let id = try metricNamed(clauses.path().names[0], wants: kind)
      let metric = metrics[id]
      // A part of a funnel or a retention is one number for all.
      return metric.kind.countsSubjects ? Subject(entity: nil) : metric.subject
    }
    guard case .subject(let written, let condition) = clauses[.subject]?.content, !written.isMissing else {
      throw Reported()
    }
    let name = lowerCaseSubject(written)
    if name.text == "app" {
      guard let condition else { return Subject(entity: nil) }
      throw fail(.typeMismatch, "`app` is the whole dataset and takes no `where`", at: condition.span)
    }
    guard let entity = subjectIDs[name.text] else {
      try refuseForbidden(name)
      throw fail(
        .unknownName, "no entity has the subject name `\(name.text)`; `for` names an entity or `app`",
        at: name.span,
        notes: [
          FamiliarWord.note(name.text, as: .subject)
            ?? didYouMean(name.text, Array(subjectIDs.keys) + ["app"])
        ])
    }
    note(name, .record(entity))
    let scope = Scope(kind: .subjectCondition(entity), subject: Subject(entity: entity))
    let typed = try condition.map { try resolveBool($0, in: scope, what: "`where`") }
    return Subject(entity: entity, condition: typed?.expression)
  }

  /// `for Habit` is reported, and read as `for habit`.
  private func lowerCaseSubject(_ name: Name) -> Name {
    let lowered = name.text.prefix(1).lowercased() + name.text.dropFirst()
    guard lowered != name.text, subjectIDs[lowered] != nil || lowered == "app" else { return name }
    fail(
      .unknownName, "no entity has the subject name `\(name.text)`; `for` names an entity or `app`",
      at: name.span, notes: ["subjects are written with a lower-case letter: `\(lowered)`"],
      fixes: [Fix(replace: name.span, with: lowered)])
    return Name(lowered, name.span)
  }

  /// The metric that `of` names.
  func metricNamed(_ name: Name, wants kind: MetricKind) throws -> MetricID {
    guard metricSyntax[name.text] != nil else {
      try refuseForbidden(name)
      throw fail(
        .unknownName, "no metric is called `\(name.text)`", at: name.span,
        notes: [
          recordIDs[name.text] == nil && !Functions.all.contains(name.text)
            ? didYouMean(name.text, metricSyntax.keys)
            : "declare it: `completion NAME { for habit  every day  when count(HabitEntry) >= 1 }`"
        ])
    }
    note(name, .metric(name.text))
    let id = try resolveMetric(named: name.text, from: name)
    try require(
      kind == .level || metrics[id].kind == .completion, .badOperand,
      "a \(kind.rawValue) needs a completion, and `\(name.text)` is a \(metrics[id].kind.rawValue)",
      at: name.span)
    return id
  }

  private func resolveAudience(_ clauses: ClauseTable, kind: MetricKind, subject: Subject) -> Audience {
    let name = clauses[.audience]?.content.name
    // The parser takes no other words.
    let audience = name.flatMap { Audience(rawValue: $0.text) }
    guard kind.countsSubjects || subject.entity == nil else { return audience ?? .user }
    if audience == .user, let name {
      fail(
        .badAudience,
        subject.entity == nil
          ? "a metric `for app` is about many people; its audience is always `team`"
          : "a \(kind.rawValue) is about many people; its audience is always `team`", at: name.span)
    }
    return .team
  }
}

/// What is still examined if the subject of a metric is unknown: one mistake does not hide another.
extension Resolver {
  /// Reports what is wrong with the other clauses of a metric without a subject.
  ///
  ///     measure minutes { for usr  value summ(Session.minuts) }
  ///
  /// The rest is resolved for the subject that was probably meant, and what names nothing is reported. What
  /// else is found might follow from the guess, and is dropped; but words of the checklist have no place anywhere.
  func reportRest(of kind: MetricKind, _ clauses: ClauseTable) {
    if kind == .level { _ = try? thresholds(clauses) }
    guard !ClauseWord.of.belongs(to: kind) else { return }
    var meant: RecordID?
    if case .subject(let name, _) = clauses[.subject]?.content, !name.isMissing, name.text != "app" {
      meant = subjectIDs[name.text] ?? nearest(name.text, subjectIDs.keys).flatMap { subjectIDs[$0] }
    }
    var reliable: [ResolveCode] = [.unknownRecord, .unknownField]
    if meant != nil { reliable.append(.unknownName) }
    let before = diagnostics.count
    _ = try? resolveBody(kind, clauses, subject: Subject(entity: meant))
    // Metrics that were resolved on the way have findings of their own.
    let rest = diagnostics[before...].filter {
      $0.metric != currentMetric || reliable.map(\.code).contains($0.code) || $0.code.id.hasPrefix("C")
    }
    diagnostics.replaceSubrange(before..., with: rest)
  }
}
