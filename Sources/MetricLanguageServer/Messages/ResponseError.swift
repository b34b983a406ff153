/// Why a request has no result: a code of LSP or JSON-RPC, and a message for a person.
package struct ResponseError: Error, Hashable, Sendable {
  package var code: Int
  package var message: String

  package init(_ code: Int, _ message: String) {
    self.code = code
    self.message = message
  }

  package static func parse(_ message: String) -> ResponseError { ResponseError(-32700, message) }
  package static func invalidRequest(_ message: String) -> ResponseError { ResponseError(-32600, message) }
  package static func unknownMethod(_ name: String) -> ResponseError {
    ResponseError(-32601, "there is no method `\(name)`")
  }
  package static func invalidParams(_ message: String) -> ResponseError { ResponseError(-32602, message) }
  package static let notInitialized = ResponseError(-32002, "the server waits for `initialize`")
  /// The request is fine and cannot be done: a name that cannot be changed, a test that is gone.
  package static func failed(_ message: String) -> ResponseError { ResponseError(-32803, message) }
  package static let cancelled = ResponseError(-32800, "cancelled")

  var json: JSON { ["code": .int(code), "message": .string(message)] }
}
