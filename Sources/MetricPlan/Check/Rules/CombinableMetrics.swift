/// One metric may give away what another hides.
enum CombinableMetrics: Rule {
  static let page = Page.checklist("W017")
  static let reach = Reach.severalUsers

  /// One number of a metric that others can be subtracted from.
  private struct Cell {
    var metric: MetricID
    /// What holds of the facts of each source.
    var conditions: [Set<Expression>] {
      didSet { allowed = conditions.map { StepCondition($0.conjunction) } }
    }
    /// What these say of the facts' fields.
    private(set) var allowed: [StepCondition] = []
    var subject: Subject
    var grouping: [GroupField]
    var atLeast: Int?
    var nearest: FixedDecimal?
    var isQuotient: Bool
    /// What one fact or subject adds; nil if nothing bounds it.
    var greatestShare: Double?
    /// Whether it is added to another number of its metric, which then shows both: `1000 * a + b`.
    var isTerm = false

    var isTotal: Bool { grouping.isEmpty && subject.entity == nil }

    func countsTheSame(_ other: Cell) -> Bool {
      conditions == other.conditions && subject == other.subject && grouping == other.grouping
    }

    func excludes(_ other: Cell) -> Bool { zip(allowed, other.allowed).contains { $0.excludes($1) } }

    /// Whether it is rounded so that fewer than K people seldom move it: to more than they can add.
    func isRounded(_ least: Int) -> Bool {
      guard let nearest else { return false }
      guard !isQuotient, let greatestShare else { return isQuotient }
      return Double(nearest.millionths) >= Double(least) * greatestShare * Double(FixedDecimal.scale)
    }
  }

  /// Pairs of numbers, but for those of which no fact passes both because of one field: where a thousand metrics count the
  /// facts of a name each, hardly any are left.
  private struct Pairs {
    /// What the field can be that most of the numbers say something of.
    private let values: [Set<Literal>]
    private var byValue: [Literal: [Int]] = [:]
    private var others: [Int] = []

    init(_ cells: [Cell]) {
      struct Place: Hashable {
        var source: Int
        var path: FieldPath
      }
      let known = cells.map { cell in
        cell.allowed.enumerated().reduce(into: [Place: Set<Literal>]()) { known, source in
          for (path, values) in source.element.values {
            known[Place(source: source.offset, path: path)] = values
          }
        }
      }
      let counts = Dictionary(known.flatMap(\.keys).map { ($0, 1) }, uniquingKeysWith: +)
      let most = counts.max { $0.value < $1.value }?.key
      values = known.map { known in most.flatMap { known[$0] } ?? [] }
    }

    /// The numbers before one that it can be paired with; to be asked of each in their order.
    mutating func partners(of index: Int) -> [Int] {
      let own = values[index]
      defer {
        if own.isEmpty { others.append(index) }
        for value in own { byValue[value, default: []].append(index) }
      }
      return own.isEmpty ? Array(0..<index) : others + Set(own.flatMap { byValue[$0] ?? [] })
    }
  }

  /// Numbers that can be subtracted from each other.
  private struct Kind: Hashable {
    var number: Expression?
    /// Of a funnel or retention, without their conditions.
    var sources: [EventSource] = []
    var counted: RecordID?
    var form = ""
    var over: Period

    /// Whether a fact or subject adds 1, and not what it holds.
    var countsOnes: Bool {
      if case .subjects(let aggregate) = number { return aggregate.argument == nil }
      guard let aggregate = number?.aggregate else { return true }
      return aggregate.argument == nil || aggregate.function == .distinct
    }

    /// Of an average the sum or the count of what it is taken over.
    func ofAverage(_ function: AggregateFunction) -> Kind? {
      var kind = self
      switch number {
      case .aggregate(var aggregate) where aggregate.function == .average:
        if function == .count { aggregate.argument = nil }
        aggregate.function = function
        kind.number = .aggregate(aggregate)
      case .subjects(var aggregate) where aggregate.function == .average:
        if function == .count { aggregate.argument = nil }
        aggregate.function = function
        kind.number = .subjects(aggregate)
      // Nothing else is an average.
      default: return nil
      }
      return kind
    }
  }

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    var cells: [Kind: [Cell]] = [:]
    for id in scope.ofSeveralUsers {
      let metric = library.metrics[id]
      var cell = Cell(
        metric: id, conditions: [], subject: metric.subject, grouping: metric.grouping,
        atLeast: metric.body.atLeast, nearest: metric.nearest,
        isQuotient: metric.body.expressions.contains(where: \.isQuotient))
      let scale = metric.body.expressions.first?.scale ?? 1
      let own = metric.subject.condition?.conjuncts ?? []
      for (kind, conditions, isTerm) in numbers(of: metric, library) {
        cell.conditions = conditions + [own]
        cell.isTerm = isTerm
        cell.greatestShare = kind.countsOnes ? scale : nil
        if kind.counted != nil { cell.subject = Subject(entity: nil) }
        for grouping in groupings(of: metric) {
          cell.grouping = grouping
          cells[kind, default: []].append(cell)
        }
      }
    }
    // Whoever knows an average and the sum knows the count, and the other way round. Beside the sum and the count of
    // other facts it says what holds of those that only one of them counts.
    for (kind, averages) in cells {
      guard let sum = kind.ofAverage(.sum), let count = kind.ofAverage(.count) else { continue }
      let (sums, counts) = (cells[sum] ?? [], cells[count] ?? [])
      cells[count, default: []] += averages.filter { sums.contains(where: $0.countsTheSame) }
      let knowsBoth = sums.contains { counts.contains(where: $0.countsTheSame) }
      cells[sum, default: []] += averages.filter { knowsBoth || counts.contains(where: $0.countsTheSame) }
    }
    var partners: [MetricID: Set<MetricID>] = [:]
    for same in cells.values {
      var pairs = Pairs(same)
      for (index, cell) in same.enumerated() {
        for other in pairs.partners(of: index).lazy.map({ same[$0] })
        where other.metric != cell.metric || other.isTerm && cell.isTerm || other.grouping != cell.grouping {
          guard giveAway(cell, other) else { continue }
          partners[max(cell.metric, other.metric), default: []].insert(min(cell.metric, other.metric))
        }
      }
    }
    return partners.sorted { $0.key < $1.key }.map { finding(library.metrics[$0], $1, library) }
  }

  /// The groups in which a metric can be had: its own, and each combination of the fields that it may be asked for by
  /// (SLC-05), which are as good as published.
  private static func groupings(of metric: Metric) -> Set<[GroupField]> {
    var all: Set<[GroupField]> = metric.slices.isEmpty ? [] : [[]]
    for field in metric.slices {
      for known in all where known.count < GroupField.most { all.insert(known + [field]) }
    }
    return all.union([metric.grouping])
  }

  private static func finding(_ metric: Metric, _ others: Set<MetricID>, _ library: Library) -> Diagnostic {
    let names = others.sorted().map {
      library.metrics[$0].name != metric.name
        ? "`\(library.metrics[$0].name)`"
        : metric.slices.isEmpty ? "the numbers that it adds" : "what else it may be asked for"
    }
    let shown =
      names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return metric.warning(
      page.code, "what `\(metric.name)` hides can be computed together with \(shown)",
      notes: [
        "their difference shows those whom only one of them counts, possibly one person",
        "publish one of them, round both with `nearest` to multiples of at least K, or write `allow \(page.code.id) \"why\"`",
      ])
  }

  /// The numbers that a metric shows, or lets be computed, with the conditions of each.
  private static func numbers(of metric: Metric, _ library: Library) -> [(Kind, [Set<Expression>], Bool)] {
    switch metric.body {
    case .measure(let measure):
      let terms = measure.isProgress ? [] : measure.value.terms
      return metric.body.expressions.flatMap(\.addends).flatMap {
        describe($0, measure.over, library, isTerm: terms.contains($0))
      }
    case .funnel(let funnel):
      let without = funnel.without.map { library.text(of: $0) } ?? ""
      let form = "\(funnel.order) \(funnel.within ?? 0) \(without)"
      return funnel.steps.indices.map { step in
        let steps = funnel.order == .any ? funnel.steps[...] : funnel.steps[...step]
        return describe(
          steps.map(\.source), metric, step > 0 || funnel.order == .any ? "\(form) \(step)" : "", funnel.over)
      }
    case .retention(let retention):
      let each = retention.startsEachDay ? "each" : "first"
      return retention.after.flatMap { after in
        [
          describe([retention.start], metric, "\(each) \(after.through)", retention.over),
          describe(
            [retention.start, retention.returns], metric,
            "\(each) \(after.name) \(retention.orLater) \(retention.value != nil)",
            retention.over),
        ]
      }
    case .completion, .windows, .level: return []
    }
  }

  private static func describe(
    _ sources: [EventSource], _ metric: Metric, _ form: String, _ over: Period
  ) -> (Kind, [Set<Expression>], Bool) {
    var kind = Kind(counted: metric.subject.entity, form: form, over: over)
    let conditions = sources.map { source -> Set<Expression> in
      guard case .fact(let record, let route, let filter) = source else {
        kind.sources.append(source)
        return []
      }
      kind.sources.append(.fact(record, route: route, filter: nil))
      return filter?.conjuncts ?? []
    }
    return (kind, conditions, false)
  }

  private static func describe(
    _ part: Expression, _ over: Period, _ library: Library, isTerm: Bool = false
  ) -> [(Kind, [Set<Expression>], Bool)] {
    switch part {
    case .aggregate(var aggregate)
    where library.leadsToUser(aggregate.record) && aggregate.function.rank == nil:
      let conditions = aggregate.filter.map { library.expanded($0).conjuncts } ?? []
      let over = aggregate.period ?? over
      if let argument = aggregate.argument { aggregate.argument = library.plain(argument) }
      if aggregate.function == .sum, aggregate.argument == nil { aggregate.function = .count }
      (aggregate.filter, aggregate.period, aggregate.route, aggregate.type) = (nil, nil, .whole, .decimal)
      return [(Kind(number: .aggregate(aggregate), over: over), [conditions], isTerm)]
    case .subjects(var aggregate)
    where library.leadsToUser(aggregate.entity) && aggregate.function.rank == nil:
      let conditions = aggregate.filter?.conjuncts ?? []
      if case .widened(let plain) = aggregate.argument { aggregate.argument = plain }
      (aggregate.filter, aggregate.relation, aggregate.type) = (nil, [], .decimal)
      if aggregate.function == .sum, case .metric(let read) = aggregate.argument,
        case .measure(let measure) = library.metrics[read.metric].body, !measure.isProgress,
        read.offset == nil
      {
        // The sum of a metric of each is the sum of the facts of all.
        return measure.value.addends.flatMap { describe($0, measure.over, library, isTerm: isTerm) }.map {
          ($0, [($1.first ?? []).union(conditions)], $2)
        }
      }
      return [(Kind(number: .subjects(aggregate), over: .allTime), [conditions], isTerm)]
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .comparison, .membership, .isNone, .and, .or, .not, .conditional, .function, .widened:
      return []
    }
  }

  private static func giveAway(_ one: Cell, _ other: Cell) -> Bool {
    guard let least = [one.atLeast, other.atLeast].compactMap({ $0 }).max() else { return false }
    if one.isRounded(least) && other.isRounded(least) { return false }
    if one.conditions == other.conditions {
      // Its groups, their total and the totals of its lines are safe: in each it hides a second group.
      let isOfLines =
        one.grouping.starts(with: other.grouping) || other.grouping.starts(with: one.grouping)
      let hidesTheSame = one.atLeast == other.atLeast && one.nearest == other.nearest
      if one.subject == other.subject, one.grouping == other.grouping || isOfLines && hidesTheSame {
        return !hidesTheSame
      }
      return !(one.isTotal && other.subject.entity == nil) && !(other.isTotal && one.subject.entity == nil)
    }
    // What no fact passes twice has no difference either.
    return !one.excludes(other)
  }
}

extension Library {
  /// An expression with computed fields of its own record written out: `n2 = n` is another name.
  fileprivate func expanded(_ expression: Expression) -> Expression {
    if case .field(let path) = expression, path.references.isEmpty, let computed = self[path.field].computed {
      return expanded(computed)
    }
    return expression.mapOperands(expanded)
  }

  /// What is added up, without what scales it; nil for a constant: `minutes / 60` reveals as much as `minutes`.
  fileprivate func plain(_ expression: Expression) -> Expression? {
    switch expanded(expression) {
    case .widened(let operand), .negated(let operand): plain(operand)
    case .literal: nil
    case .arithmetic(.divide, let left, let right): plain(right) == nil ? plain(left) : expanded(expression)
    case .arithmetic(_, let left, let right):
      plain(left).map { one in plain(right) == nil ? one : expanded(expression) } ?? plain(right)
    case let other: other
    }
  }
}

extension Expression {
  /// By how much the numbers in a value are multiplied at most.
  fileprivate var scale: Double {
    switch self {
    case .arithmetic(.multiply, let left, let right): left.scale * right.scale
    case .arithmetic(.add, let left, let right), .arithmetic(.subtract, let left, let right):
      max(left.isConstant ? 0 : left.scale, right.isConstant ? 0 : right.scale)
    case .literal(let literal):
      literal.inMillionths.map { abs(Double($0)) / Double(FixedDecimal.scale) } ?? 1
    case .widened(let operand), .negated(let operand): operand.scale
    case .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic(.divide, _, _), .comparison,
      .membership, .isNone, .and, .or, .not, .conditional, .function:
      1
    }
  }

  /// The numbers that a value adds and subtracts, scaled or not.
  fileprivate var addends: [Expression] {
    switch self {
    // Also of a quotient: a reader who knows one of the two knows the other.
    case .arithmetic(_, let left, let right): left.addends + right.addends
    case .negated(let operand), .widened(let operand): operand.addends
    case .conditional(_, let then, let otherwise): then.addends + otherwise.addends
    case .function(.floor, let operands), .function(.least, let operands), .function(.greatest, let operands):
      operands.flatMap(\.addends)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .comparison, .membership,
      .isNone, .and, .or, .not, .function(.weekday, _), .function(.daysBetween, _):
      [self]
    }
  }

  /// Those of the addends that it shows together: it has no branch and divides by no number of many.
  fileprivate var terms: Set<Expression> {
    switch self {
    case .arithmetic(let operation, let left, let right) where operation != .divide || !isQuotient:
      left.terms.union(right.terms)
    case .negated(let operand), .widened(let operand): operand.terms
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .comparison,
      .membership, .isNone, .and, .or, .not, .conditional, .function:
      [self]
    }
  }

  /// Whether it divides by more than a constant.
  fileprivate var isQuotient: Bool {
    parts.contains { part in
      guard case .arithmetic(.divide, _, let divisor) = part else { return false }
      return !divisor.withoutWidening.isLiteral
    }
  }

  fileprivate var conjuncts: Set<Expression> {
    if case .and(let left, let right) = self { left.conjuncts.union(right.conjuncts) } else { [self] }
  }
}

extension Set<Expression> {
  /// That all of them hold; nil for none.
  fileprivate var conjunction: Expression? {
    reduce(nil) { all, condition in all.map { .and($0, condition) } ?? condition }
  }
}
