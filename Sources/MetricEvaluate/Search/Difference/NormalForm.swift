/// A plan in one form for all ways to write it: two metrics with equal forms have equal values on every
/// dataset.
///
/// What is made equal: windows and periods in days, an own period that is the one anyway, numbers with
/// and without a fraction, the order of the operands of `and`, `or`, `==`, `!=`, `+`, `*`, `least` and
/// `greatest`, `a > b` and `b < a`, lists as sets, double negation, computed fields and what they say.
/// The laws that `NormalForm+Rewriting.swift` applies come first: `not`, whole numbers, `if`, and measures that are read.
struct NormalForm {
  let library: Library
  /// What is in place of measures that are read; see `values(of:)`.
  var values: [MetricID: Expression] = [:]
  /// Whether each aggregate counts, also one that no value rests on: it may hide a number (PRIV-06), or make a group
  /// (GRP-02) or a window (WIN-06).
  var keepsAggregates = false
  var recordName: (RecordID) -> String
  /// What stands for a metric that is read.
  let reference: (MetricID) -> String

  func text(of metric: Metric, id: MetricID) -> String {
    let entity = metric.subject.entity.map { recordName($0) } ?? "app"
    let condition = metric.subject.condition.map { text(of: $0, over: nil) } ?? "-"
    let nearest = metric.nearest.map { "nearest \($0)" } ?? ""
    return "\(entity) where \(condition)\n\(text(of: metric.body)) \(nearest)\n\(records(readBy: id, metric))"
  }

  private func text(of body: Body) -> String {
    switch body {
    case .completion(let completion):
      var form = self
      form.values = [:]
      form.keepsAggregates = true
      let rest = completion.rest.map { form.text(of: $0, over: completion.window.period) } ?? "-"
      let when = form.text(of: completion.when, over: completion.window.period)
      let limit =
        completion.limit.map { " limit \(form.text(of: $0.condition, over: completion.window.period))" } ?? ""
      return "completion every \(completion.window.asWritten) when \(when)\(limit) rest \(rest)"
    case .windows(let metric): return "\(metric.reading) of \(reference(metric.completion))"
    case .measure(let measure):
      var form = self
      if measure.atLeast != nil || !measure.grouping.isEmpty {
        form.values = [:]
        form.keepsAggregates = true
      }
      let target = measure.target.map { form.text(of: $0, over: measure.over) } ?? "-"
      let value = "value \(form.text(of: measure.value, over: measure.over)) target \(target)"
      return measure.isProgress
        ? value : "\(value) \(text(of: measure.grouping)) \(atLeast(measure.atLeast))"
    case .level(let level):
      let thresholds = level.thresholds.map(\.description).joined(separator: " ")
      let days = level.hasDays ? " days" : ""
      return "level of \(reference(level.metric)).\(level.part) at \(thresholds)\(days)"
    case .funnel(let funnel):
      let steps = funnel.steps.map { text(of: $0.source) }.joined(separator: " then ")
      let days = funnel.percentiles.map(\.description).joined(separator: " ")
      let without = funnel.without.map { text(of: $0) } ?? "-"
      return
        "funnel \(steps) days \(days) without \(without) within \(funnel.within ?? -1) \(funnel.order.rawValue) over \(funnel.over.asWritten) \(text(of: funnel.grouping)) \(atLeast(funnel.atLeast))"
    case .retention(let retention):
      return
        "retention \(retention.startsEachDay) \(text(of: retention.start)) return \(text(of: retention.returns)) \(retention.value.map { "\($0.function)" } ?? "") after \(retention.after.map(\.name)) \(retention.orLater) over \(retention.over.asWritten) \(text(of: retention.grouping)) \(atLeast(retention.atLeast))"
    }
  }

  private func atLeast(_ users: Int?) -> String { "at least \(users ?? 0)" }

  private func text(of grouping: [GroupField]) -> String {
    let fields = grouping.map { field in
      switch field {
      case .cohort(let unit): return "cohort \(unit.name)"
      case .metric(_, let reference, let entity):
        return "\(recordName(entity)):\(written(.metric(reference)))"
      case .field(_, let paths, _):
        return paths.map { "\(recordName($0.key)):\(text(of: $0.value))" }.sorted().joined(separator: ",")
      }
    }
    return "by \(fields.isEmpty ? "-" : fields.joined(separator: "; "))"
  }

  private func text(of source: EventSource) -> String {
    switch source {
    case .completion(let id): reference(id)
    case .fact(let record, let route, let filter):
      "\(recordName(record)) \(text(of: route)) where \(filter.map { text(of: $0, over: nil) } ?? "-")"
    }
  }

  /// What the records that are read have to do with the value beside their fields: what makes a record
  /// live, which day and instant place it, and which consent it asks for.
  private func records(readBy id: MetricID, _ metric: Metric) -> String {
    let reads = DataNeeds(library: library, metrics: [id]).reads[id] ?? []
    let lines = reads.map { id -> String in
      let record = library.records[id]
      let fields = record.tombstones.map { record.fields[$0].name }.sorted()
      let order = [record.dayKeyField, record.orderField].map { $0.map { record.fields[$0].name } ?? "-" }
      let asked = metric.audience == .team ? library.askedConsent(of: id)?.text : nil
      let consent = asked.map { "\($0) of \(library.hasPurposes)" } ?? "-"
      return "\(recordName(id)) \(fields) \(order) \(consent)"
    }
    return lines.sorted().joined(separator: "\n")
  }

  /// - Parameter period: what aggregates without a period of their own look at.
  func text(of expression: Expression, over period: Period?) -> String {
    written(canonical(expression), over: period)
  }

  func written(_ expression: Expression, over period: Period? = nil) -> String {
    func inner(_ expression: Expression) -> String { written(expression, over: period) }
    switch expression {
    case .literal(let literal): return library.text(of: literal)
    case .field(let path): return text(of: path)
    case .day: return "day"
    case .metric(let reference):
      let read =
        "\(reference.root) \(self.reference(reference.metric)).\(reference.part) \(text(of: reference.offset))"
      guard let days = reference.days else { return read }
      return "\(days.function)(\(read) over \((days.period ?? period)?.asWritten ?? "window"))"
    case .aggregate(let aggregate): return text(of: aggregate, over: period)
    case .completions(let aggregate):
      let own = (aggregate.period ?? .allTime).asWritten
      return
        "\(aggregate.function.rawValue)(\(aggregate.root) \(reference(aggregate.completion)) over \(own))"
    case .subjects(let aggregate): return text(of: aggregate)
    case .widened(let operand): return inner(operand)
    case .arithmetic(.add, _, _):
      // Sums are exact in any order.
      let addends = flattened(expression) { if case .arithmetic(.add, _, _) = $0 { true } else { false } }
      return "sum(\(addends.map(inner).sorted().joined(separator: " + ")))"
    case .arithmetic(.multiply, let left, let right):
      return "(\([inner(left), inner(right)].sorted().joined(separator: " * ")))"
    case .arithmetic(let operation, let left, let right):
      return "(\(inner(left)) \(operation.rawValue) \(inner(right)))"
    case .negated(let operand):
      if case .negated(let twice) = operand { return inner(twice) }
      return "-(\(inner(operand)))"
    case .comparison(let operation, let left, let right):
      return comparison(operation, inner(left), inner(right))
    case .membership(let operand, let literals, let negated):
      return membership(inner(operand), literals, negated: negated)
    case .isNone(let operand, let negated): return "\(negated ? "some" : "none")(\(inner(operand)))"
    case .and:
      let operands = flattened(expression) { if case .and = $0 { true } else { false } }
      return "and(\(Set(operands.map(inner)).sorted().joined(separator: ", ")))"
    case .or:
      let operands = flattened(expression) { if case .or = $0 { true } else { false } }
      return "or(\(Set(operands.map(inner)).sorted().joined(separator: ", ")))"
    case .not(let operand): return "not(\(inner(operand)))"
    case .conditional(let condition, let then, let otherwise):
      return "if(\(inner(condition)) ? \(inner(then)) : \(inner(otherwise)))"
    case .function(let function, let operands):
      let texts = operands.map(inner)
      let isSymmetric = function == .least || function == .greatest
      return "\(function.rawValue)(\((isSymmetric ? texts.sorted() : texts).joined(separator: ", ")))"
    }
  }

  /// The operands of an operation, and of those among them that are one, too.
  private func flattened(_ expression: Expression, _ isOne: (Expression) -> Bool) -> [Expression] {
    let expression = expression.withoutWidening
    return isOne(expression) ? expression.operands.flatMap { flattened($0, isOne) } : [expression]
  }

  private func comparison(_ operation: ComparisonOperator, _ left: String, _ right: String) -> String {
    switch operation {
    case .equal, .notEqual:
      "(\([left, right].sorted().joined(separator: " \(operation.rawValue) ")))"
    case .less, .lessOrEqual: "(\(left) \(operation.rawValue) \(right))"
    case .greater, .greaterOrEqual: "(\(right) \(operation.flipped.rawValue) \(left))"
    }
  }

  private func membership(_ operand: String, _ literals: [Literal], negated: Bool) -> String {
    let texts = Set(literals.map { library.text(of: $0) }).sorted()
    if texts.count == 1 { return comparison(negated ? .notEqual : .equal, operand, texts[0]) }
    return "(\(operand) \(negated ? "not in" : "in") \(texts))"
  }

  private func text(of path: FieldPath) -> String {
    let references = path.references.map { library[$0].name }
    let place = "\(path.root) \(recordName(path.field.record)) \(references.joined(separator: "."))"
    // A computed field is what it says, whatever it is called.
    if let computed = library[path.field].computed { return "\(place)=\(text(of: computed, over: nil))" }
    return "\(place).\(library[path.field].name)"
  }

  private func text(of offset: Offset?) -> String {
    switch offset {
    case nil, .days(0): ""
    case .days(let days): "offset \(days) days"
    case .months(let months): "offset \(months) months"
    }
  }

  private func text(of aggregate: Aggregate, over period: Period?) -> String {
    let argument = aggregate.argument.map { text(of: $0, over: nil) } ?? "-"
    let filter = aggregate.filter.map { text(of: $0, over: nil) } ?? "-"
    let own = (aggregate.period ?? period)?.asWritten ?? "-"
    let record = recordName(aggregate.record)
    return
      "\(aggregate.function)(\(record) \(text(of: aggregate.route)) \(argument) where \(filter) over \(own))"
  }

  private func text(of aggregate: SubjectAggregate) -> String {
    let relation = aggregate.relation.map { library[$0].name }.joined(separator: ".")
    let filter = aggregate.filter.map { text(of: $0, over: nil) } ?? "-"
    let argument = aggregate.argument.map { text(of: $0, over: nil) } ?? "-"
    return "\(aggregate.function)(\(recordName(aggregate.entity)) of \(relation) \(argument) where \(filter))"
  }

  private func text(of route: Route) -> String {
    func names(_ references: [FieldReference]) -> String {
      references.map { library[$0].name }.joined(separator: ".")
    }
    switch route {
    case .whole: return "whole"
    case .references(let references): return names(references)
    case .link(let link):
      return "\(names(link.fromFact))>\(recordName(link.link))>\(names(link.toSubject))"
    }
  }
}
