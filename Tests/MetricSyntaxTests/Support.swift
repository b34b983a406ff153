import Foundation
import MetricDiagnostics
import MetricSyntax
import MetricTestSupport
import Testing

/// A parsed text with what went wrong in it.
struct Parsed {
  let tree: SyntaxTree
  let diagnostics: [Diagnostic]

  init(_ text: String) {
    self.init(bytes: Array(text.utf8))
  }

  init(bytes: [UInt8]) {
    let result = parse(SourceFile(path: "test.metric", bytes: bytes), file: 0)
    tree = result.tree
    diagnostics = result.diagnostics
  }

  /// The findings as text, as the tool shows them.
  var messages: String { diagnostics.map { $0.rendered(in: [tree.source]) }.joined() }

  var codes: [String] { diagnostics.map(\.code.id) }

  var metrics: [MetricDeclaration] {
    tree.declarations.compactMap { if case .metric(let metric) = $0 { metric } else { nil } }
  }

  var records: [RecordDeclaration] {
    tree.declarations.compactMap { if case .record(let record) = $0 { record } else { nil } }
  }

  var tests: [TestDeclaration] {
    tree.declarations.compactMap { if case .test(let test) = $0 { test } else { nil } }
  }

  func text(_ span: Span) -> String { tree.source.text(span) }
}

/// The contents of the clauses of a metric that is made of them alone, and must be right.
func clauses(
  _ text: String, kind: String = "measure", sourceLocation: SourceLocation = #_sourceLocation
) -> [Clause] {
  let parsed = Parsed("\(kind) m {\n\(text)\n}")
  #expect(parsed.messages == "", sourceLocation: sourceLocation)
  return parsed.metrics.first?.clauses ?? []
}

/// The description of an expression that must be right.
func outline(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) -> String {
  guard
    case .expression(let expression)? = clauses("value \(text)", sourceLocation: sourceLocation).first?
      .content
  else { return "?" }
  return expression.outline
}

extension ExpressionSyntax {
  /// The tree with every operation in parentheses: `(+ 1 (* 2 3))`.
  var outline: String {
    switch kind {
    case .number(let number): number.text
    case .string(let string): "\"\(string.value)\""
    case .boolean(let value): "\(value)"
    case .none: "none"
    case .day(let day): day
    case .path(let names): names.map(\.text).joined(separator: ".")
    case .call(let function, let arguments):
      "\(function.text)(\(arguments.map(\.outline).joined(separator: ", ")))"
    case .unary(let operation, let operand): "(\(operation.rawValue) \(operand.outline))"
    case .binary(let operation, let left, let right):
      "(\(operation.rawValue) \(left.outline) \(right.outline))"
    case .membership(let left, let items, let negated):
      "(\(negated ? "not-in" : "in") \(left.outline) [\(items.map(\.outline).joined(separator: " "))])"
    case .isNone(let operand, let negated): "(\(negated ? "is-not-none" : "is-none") \(operand.outline))"
    case .conditional(let condition, let then, let otherwise):
      "(if \(condition.outline) \(then.outline) \(otherwise.outline))"
    case .offset(let operand, let length):
      "(offset \(operand.outline) \(length.count.text) \(length.unit.text))"
    case .parenthesized(let inner): inner.outline
    case .missing: "<missing>"
    }
  }
}

extension ArgumentSyntax {
  var outline: String {
    var text = value.outline
    if let through { text += " through \(through.text)" }
    if let condition { text += " where \(condition.outline)" }
    if let over { text += " over \(over.outline)" }
    return text
  }
}

extension PeriodSyntax {
  var outline: String {
    switch self {
    case .last(let length): "last \(length.count.text) \(length.unit.text)"
    case .calendar(let unit, let from): "calendar \(unit.text)" + (from.map { " from \($0.text)" } ?? "")
    case .previous(let unit, let from):
      "previous calendar \(unit.text)" + (from.map { " from \($0.text)" } ?? "")
    case .allTime: "all time"
    }
  }
}

/// A small seeded generator (SplitMix64), so that a failure can be run again.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// The seed of the random tests: `METRICC_SEED`, else always the same one.
let testSeed: UInt64 =
  ProcessInfo.processInfo.environment["METRICC_SEED"].flatMap { UInt64($0) } ?? 20_260_131
