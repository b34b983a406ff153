/// A tool that an agent may call: it reads, and never writes.
struct AgentTool {
  struct Parameter {
    var name: String
    var help: String
    var kind = Kind.text
    var isRequired = false
    /// The option of the tool's command; nil if the tool reads the argument itself.
    var option: String?

    /// An argument that is the option of its name.
    static func option(_ name: String, _ help: String, _ kind: Kind = .text) -> Parameter {
      Parameter(name: name, help: help, kind: kind, option: name)
    }
  }

  /// What an argument has to be.
  struct Kind: Sendable {
    var words: String
    var schema: [(String, JSONText)]
    var fits: @Sendable (JSON) -> Bool

    static let text = Kind(words: "a text", schema: [("type", "string".json)]) { $0.string != nil }
    static let texts = Kind(
      words: "a list of texts, with one at least",
      schema: [("type", "array".json), ("items", .object(["type": "string"])), ("minItems", 1.json)]
    ) { !$0.items.isEmpty && $0.items.allSatisfy { $0.string != nil } }
    static let count = Kind(
      words: "a whole number of at least 1", schema: [("type", "integer".json), ("minimum", 1.json)]
    ) { $0.int.map { $0 >= 1 } == true }
    static let flag = Kind(words: "true or false", schema: [("type", "boolean".json)]) { $0.bool != nil }
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
    problem(of: arguments).map { Result(texts: [$0], isError: true) } ?? run(arguments)
  }

  private func problem(of arguments: JSON) -> String? {
    guard case .object(let members) = arguments.isNull ? .object([:]) : arguments else {
      return "the arguments are no object"
    }
    for name in members.keys.sorted() where !parameters.contains(where: { $0.name == name }) {
      return "`\(self.name)` takes no argument `\(name)`"
        + suggestion(for: name, among: parameters.map(\.name))
    }
    let wrong = parameters.first { parameter in
      let value = arguments[parameter.name]
      return (parameter.isRequired || !value.isNull) && !parameter.kind.fits(value)
    }
    return wrong.map { "`\($0.name)` has to be \($0.kind.words)" }
  }
}

extension AgentTool: JSONWritable {
  var json: JSONText {
    let properties = parameters.map {
      ($0.name, JSONText.object($0.kind.schema + [("description", $0.help.json)]))
    }
    return .object([
      "name": name, "description": description,
      "inputSchema": JSONText.object([
        "type": "object", "properties": JSONText.object(properties),
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
