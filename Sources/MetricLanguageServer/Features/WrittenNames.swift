import MetricResolve
import MetricSyntax

/// What a word is that the grammar takes for a name, whatever it stands for.
enum WrittenName: Hashable, Sendable {
  case name, function, type
}

extension SyntaxTree {
  /// The words that are names and no keywords, by where they start.
  var writtenNames: [Int: WrittenName] {
    var walk = NameWalk()
    for declaration in declarations { walk.visit(declaration) }
    return walk.found
  }
}

/// Goes through a tree and gathers names.
private struct NameWalk {
  private(set) var found: [Int: WrittenName] = [:]

  private mutating func add(_ name: Name, _ kind: WrittenName = .name) {
    if !name.isMissing { found[name.span.start] = kind }
  }

  mutating func visit(_ declaration: Declaration) {
    switch declaration {
    case .metric(let metric):
      add(metric.name)
      for clause in metric.clauses { visit(clause.content) }
    case .report(let report):
      add(report.name)
      for clause in report.clauses { visit(clause.content) }
    case .record(let record):
      add(record.name)
      for case .field(let field) in record.members { visit(field) }
    case .test(let test):
      for statement in test.statements { visit(statement) }
    case .language, .unexpected: return
    }
  }

  private mutating func visit(_ content: ClauseContent) {
    for expression in content.expressions { visit(expression) }
    switch content {
    case .subject(let name, _), .unit(let name), .allow(let name, _): add(name)
    case .of(let path): for name in path.names { add(name) }
    case .metrics(let names): for name in names { add(name) }
    case .step(let name, let fact):
      add(name)
      add(fact.source)
    case .start(_, let fact), .returns(let fact), .without(let fact): add(fact.source)
    case .by(let fields): for name in fields.flatMap(\.names) { add(name) }
    case .slice(let fields): for name in fields.joined() { add(name) }
    case .overEach(let members): for member in members { add(member.name) }
    case .every, .when, .limit, .rest, .value, .target, .best, .previous, .grace, .forgive, .halfLife, .over,
      .thresholds, .atLeast, .nearest, .within, .order, .stepDays, .after, .title, .audience,
      .deprecated, .reading, .forbidden, .unexpected:
      return
    }
  }

  private mutating func visit(_ field: FieldDeclaration) {
    add(field.name)
    switch field.content {
    case .computed(let value): visit(value)
    case .stored(.named(let type), _, _):
      add(type, TypeNames.all.contains(type.text) ? .type : .name)
    case .stored(.choices, _, _): return
    }
  }

  private mutating func visit(_ statement: TestStatement) {
    switch statement {
    case .given(let record, let fields, _):
      add(record)
      for field in fields { add(field.name) }
    case .expect(let expect): add(expect.metric)
    case .log, .unexpected: return
    }
  }

  private mutating func visit(_ expression: ExpressionSyntax) {
    switch expression.kind {
    case .path(let names): for name in names where name.text != "day" || names.count > 1 { add(name) }
    case .call(let function, let arguments):
      add(function, .function)
      for argument in arguments { if let through = argument.through { add(through) } }
    default: break
    }
    for child in expression.children { visit(child) }
  }
}
