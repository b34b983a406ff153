/// A message of JSON-RPC 2.0, taken apart.
///
///     switch IncomingMessage(message) {
///     case .request(let id, "ping", _): …
package enum IncomingMessage {
  case request(id: JSON, method: String, params: JSON)
  case notification(method: String, params: JSON)
  /// What the client answers to a request of the server.
  case response
  /// What is not a message of the protocol; the id is null where it cannot be told.
  case invalid(id: JSON, ResponseError)

  package init(_ message: MessageReader.Message) {
    switch message {
    case .malformed(let reason): self = .invalid(id: .null, .parse(reason))
    case .body(let bytes):
      do throws(ResponseError) {
        self.init(try JSON(parsing: bytes))
      } catch {
        self = .invalid(id: .null, error)
      }
    }
  }

  private init(_ message: JSON) {
    let members = if case .object(let members) = message { members } else { [String: JSON]() }
    let (id, params) = (message["id"], message["params"])
    guard let method = message["method"].string else {
      let isResponse = members["result"] != nil || members["error"] != nil
      self = isResponse ? .response : .invalid(id: id, .invalidRequest("the message has no method"))
      return
    }
    if members["id"] == nil {
      self = .notification(method: method, params: params)
    } else if id.string != nil || id.int != nil {
      self = .request(id: id, method: method, params: params)
    } else {
      self = .invalid(id: .null, .invalidRequest("an id is a number or a text"))
    }
  }
}
