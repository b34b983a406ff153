import MetricDiagnostics
import MetricLanguageServer

/// A tool that an agent may call: it reads, and never writes.
struct AgentTool {
  struct Parameter {
    enum Kind { case text, texts, count, flag }

    var name: String
    var kind: Kind
    var isRequired = false
    /// The option of the tool's command; nil if the tool reads the argument itself.
    var option: String?
    var help: String
  }

  /// What the agent's model reads: the answer as JSON, or what is wrong, and what the command says beside it.
  struct Result {
    var texts: [String]
    var isError = false
  }

  var name: String
  var description: String
  var parameters: [Parameter] = []
  /// - Parameter arguments: all required ones, each of its kind, and no others.
  var run: (_ arguments: JSON) -> Result

  /// Checks the arguments, and runs the tool. A wrong one is reported to the model, which can correct it.
  func result(_ arguments: JSON) -> Result {
    if let problem = problem(of: arguments) { return Result(texts: [problem], isError: true) }
    return run(arguments)
  }

  private func problem(of arguments: JSON) -> String? {
    guard case .object(let members) = arguments.isNull ? .object([:]) : arguments else {
      return "the arguments are no object"
    }
    for name in members.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
      let near = nearestName(to: name, in: parameters.map(\.name))
      return "`\(self.name)` takes no argument `\(name)`" + Quoting.suggestion(near)
    }
    for parameter in parameters {
      let value = arguments[parameter.name]
      guard !value.isNull || parameter.isRequired else { continue }
      let fits =
        switch parameter.kind {
        case .text: value.string != nil
        case .texts: value.items.contains { $0.string != nil } && value.items.allSatisfy { $0.string != nil }
        case .count: value.int.map { $0 >= 1 } == true
        case .flag: value.bool != nil
        }
      guard fits else { return "`\(parameter.name)` has to be \(parameter.kind.words)" }
    }
    return nil
  }
}

extension AgentTool.Parameter.Kind {
  fileprivate var words: String {
    switch self {
    case .text: "a text"
    case .texts: "a list of texts, with one at least"
    case .count: "a whole number of at least 1"
    case .flag: "true or false"
    }
  }

  fileprivate func schema(_ help: String) -> JSONText {
    switch self {
    case .text: .object(["type": "string", "description": help])
    case .texts:
      .object([
        "type": "array", "items": JSONText.object(["type": "string"]), "minItems": 1, "description": help,
      ])
    case .count: .object(["type": "integer", "minimum": 1, "description": help])
    case .flag: .object(["type": "boolean", "description": help])
    }
  }
}

extension AgentTool: JSONWritable {
  var json: JSONText {
    .object([
      "name": name, "description": description,
      "inputSchema": JSONText.object([
        "type": "object",
        "properties": JSONText.object(parameters.map { ($0.name, $0.kind.schema($0.help)) }),
        "required": parameters.filter(\.isRequired).map(\.name), "additionalProperties": false,
      ]),
      "annotations": JSONText.object([
        "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false,
      ]),
    ])
  }
}

extension AgentTool.Result: JSONWritable {
  var json: JSONText {
    .object([
      "resultType": "complete",
      "content": texts.map { JSONText.object(["type": "text", "text": $0]) }, "isError": isError,
    ])
  }
}
