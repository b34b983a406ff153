import MetricDiagnostics
import MetricPlan
import MetricValues

/// What an expression may name.
struct Scope {
  enum Kind: Equatable {
    /// `value` and `target`: metrics, aggregates, the subject's fields, `day`.
    case metric
    /// `when` and `rest when`: the same, over a window.
    case condition
    /// An aggregate's `where` and argument: the fact's fields first, then the subject's.
    case fact(RecordID)
    /// `for S where`: the entity's fields.
    case subjectCondition(RecordID)
    /// Inside an aggregate over subjects: the counted subject's fields and metrics.
    case subjectRow(RecordID)
    /// A computed field: the record's own fields and those of entities it refers to.
    case computed(RecordID)
  }

  var kind: Kind
  /// The metric's subject; nil where there is none (computed fields).
  var subject: Subject?

  /// The record whose fields are named without a prefix.
  var row: RecordID? {
    switch kind {
    case .metric, .condition: nil
    case .fact(let record), .subjectCondition(let record), .subjectRow(let record), .computed(let record):
      record
    }
  }

  var allowsMetrics: Bool {
    switch kind {
    case .metric, .condition, .subjectRow: true
    case .fact, .subjectCondition, .computed: false
    }
  }

  var allowsAggregates: Bool { kind == .metric || kind == .condition }

  var allowsDay: Bool {
    switch kind {
    case .metric, .condition, .fact, .subjectRow: true
    case .subjectCondition, .computed: false
    }
  }

  /// What the place is called in a message.
  var place: String {
    switch kind {
    case .metric: "a metric's value"
    case .condition: "a condition"
    case .fact: "an aggregate's `where`"
    case .subjectCondition: "`for … where`"
    case .subjectRow: "an aggregate over subjects"
    case .computed: "a computed field"
    }
  }
}

/// An expression with what the resolver knows of it beyond its plan.
struct Typed {
  var expression: Expression
  var span: Span
  /// The texts that it can be, where they are declared.
  var choices: [String]?
  /// The unit of the metrics that it comes from.
  var unit: String?
  /// Whether it is the bare literal `none`, whose type its place decides.
  var isNone = false

  var type: ValueType { expression.type }

  /// The text, where it is a literal.
  var literalText: String? {
    if case .literal(.text(let text)) = expression { text } else { nil }
  }

  /// The type as messages name it.
  var typeName: String { isNone ? "none" : type.name }

  /// The same as a Decimal; an Int literal is turned into a Decimal literal.
  var widened: Expression {
    guard type == .int else { return expression }
    return expression.asDecimal
  }
}

extension Expression {
  /// An Int as a Decimal.
  var asDecimal: Expression {
    if case .literal(.int(let value)) = self, let decimal = FixedDecimal(value) {
      return .literal(.decimal(decimal))
    }
    return .widened(self)
  }
}

/// What came of something that may be left out: its value, nothing, or a finding.
struct Optionally<Value> {
  /// Nil where it was left out, and where it failed.
  private(set) var value: Value?
  private(set) var failed = false

  /// Left out.
  init() {}

  /// Resolves what was written; nil is a failure that has been reported.
  init<Syntax>(_ syntax: Syntax?, _ resolve: (Syntax) -> Value?) {
    guard let syntax else { return }
    value = resolve(syntax)
    failed = value == nil
  }
}
