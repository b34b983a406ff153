import MetricPlan
import MetricSyntax

/// What an expression may name where the cursor stands.
enum CompletionScope: Hashable {
  /// `value`, `target`, `when`, `rest when` of a metric for this subject; nil is `app`.
  case value(RecordID?)
  /// The condition of an aggregate or step over a fact.
  case fact(RecordID, subject: RecordID?)
  /// `for S where`
  case subjectCondition(RecordID)
  /// Inside an aggregate over subjects.
  case subjectRow(RecordID)
  case computed(RecordID)

  /// The record whose fields need no prefix.
  var row: RecordID? {
    switch self {
    case .value: nil
    case .fact(let record, _), .subjectCondition(let record), .subjectRow(let record), .computed(let record):
      record
    }
  }

  /// The entity that may be named by its subject's name.
  var subject: RecordID? {
    switch self {
    case .value(let subject), .fact(_, let subject): subject
    case .subjectCondition(let record), .subjectRow(let record): record
    case .computed: nil
    }
  }
}

struct OpenCall {
  var function: String
  /// Tokens behind its parenthesis.
  var tokens: [CursorToken]

  /// The function's argument list from its last comma on, and the words of it that count.
  var lastWord: Word? {
    tokens.last { token in token.word.map { [.where, .over, .through].contains($0) } ?? false }?.word
  }
}

extension Completer {
  /// The calls and groups that are open at the end of some tokens, the innermost last. A group without a
  /// function has an empty name.
  static func openCalls(_ tokens: [CursorToken]) -> [OpenCall] {
    var calls: [OpenCall] = []
    for (index, token) in tokens.enumerated() {
      switch token.kind {
      case .leftParenthesis:
        let before = index > 0 ? tokens[index - 1] : nil
        let isCall = before?.kind == .identifier && before?.endsOperand == true
        for open in calls.indices { calls[open].tokens.append(token) }
        calls.append(OpenCall(function: isCall ? before?.text ?? "" : "", tokens: []))
      case .rightParenthesis:
        if !calls.isEmpty { calls.removeLast() }
        for open in calls.indices { calls[open].tokens.append(token) }
      default:
        for open in calls.indices { calls[open].tokens.append(token) }
      }
    }
    return calls
  }

  func scope(in calls: [OpenCall], outside: CompletionScope) -> CompletionScope {
    guard let call = calls.last(where: { !$0.function.isEmpty }), let source = call.tokens.first,
      call.tokens.contains(where: { $0.word == .where })
    else { return outside }
    if let record = analysis.recordIDs[source.text] { return .fact(record, subject: outside.subject) }
    if let entity = analysis.subjectIDs[source.text] { return .subjectRow(entity) }
    return outside
  }
}
