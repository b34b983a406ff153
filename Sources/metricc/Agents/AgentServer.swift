/// The Model Context Protocol over some tools: a message in, an answer out.
///
/// Every answer depends on its request alone, so both kinds of sessions are served: those that begin with `initialize`
/// (until 2025-11-25), and those that ask `server/discover` and name the version in each request.
struct AgentServer {
  let tools: [AgentTool]
  let version: String

  /// The newest last.
  static let versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"]
  /// The newest that begins with `initialize`.
  private static let handshake = versions[3]

  private static let instructions = """
    The numbers come from checked definitions. Call list_metrics first: a metric's title, unit and subject say what its \
    number means. A value of null is no value, not zero. Rows that are missing may be hidden because too few people stand \
    behind them; do not compute them from others. Use why before you explain a number.
    """

  /// The answer to a request; nil for what needs none.
  func answer(_ message: MessageReader.Message) -> JSONText? {
    switch IncomingMessage(message) {
    case .notification, .response: return nil
    case .invalid(let id, let error): return Self.response(id, error)
    case .request(let id, let method, let params):
      do throws(ResponseError) {
        let result = try result(of: method, params)
        return .object(["jsonrpc": "2.0", "id": id.text, "result": result])
      } catch {
        return Self.response(id, error)
      }
    }
  }

  private static func response(_ id: JSON, _ error: ResponseError) -> JSONText {
    let error = JSONText.object(["code": error.code, "message": error.message])
    return .object(["jsonrpc": "2.0", "id": id.text, "error": error])
  }

  private func result(of method: String, _ params: JSON) throws(ResponseError) -> JSONText {
    let asked = params["_meta"]["io.modelcontextprotocol/protocolVersion"].string
    if let asked, !Self.versions.contains(asked) {
      throw ResponseError(-32022, "the protocol's versions here are \(Self.versions.joined(separator: ", "))")
    }
    switch method {
    case "initialize":
      let wanted = params["protocolVersion"].string ?? ""
      let isKnown = Self.versions.dropLast().contains(wanted)
      return .object([
        "protocolVersion": isKnown ? wanted : Self.handshake, "capabilities": Self.capabilities,
        "serverInfo": info, "instructions": Self.instructions,
      ])
    case "server/discover":
      return .object([
        "resultType": "complete", "supportedVersions": Self.versions, "capabilities": Self.capabilities,
        "instructions": Self.instructions, "ttlMs": 0, "cacheScope": "private",
        "_meta": JSONText.object(["io.modelcontextprotocol/serverInfo": info]),
      ])
    case "ping": return .object([:])
    case "tools/list":
      return .object([
        "resultType": "complete", "tools": tools.map(\.json), "ttlMs": 0, "cacheScope": "private",
      ])
    case "tools/call":
      let name = params["name"].string ?? ""
      guard let tool = tools.first(where: { $0.name == name }) else {
        throw .invalidParams("there is no tool `\(name)`")
      }
      return tool.result(params["arguments"]).json
    default: throw .unknownMethod(method)
    }
  }

  private static let capabilities = JSONText.object(["tools": JSONText.object(["listChanged": false])])

  private var info: JSONText { .object(["name": "metricc", "title": "metricc", "version": version]) }
}
