import Foundation

/// `file:` URIs (RFC 8089) and paths.
enum DocumentURI {
  /// The path of a `file:` URI on this machine; nil for another one.
  static func path(of uri: String) -> String? {
    let scheme = "file://"
    guard uri.lowercased().hasPrefix(scheme) else { return nil }
    var rest = uri.utf8.dropFirst(scheme.utf8.count)
    if rest.starts(with: "localhost/".utf8) { rest = rest.dropFirst("localhost".utf8.count) }
    guard rest.first == UInt8(ascii: "/") else { return nil }
    rest = rest.prefix { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "?") }
    var path = String(decoding: rest, as: UTF8.self)
    path = path.removingPercentEncoding ?? path
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  static func file(_ path: String) -> String {
    "file://" + (path.addingPercentEncoding(withAllowedCharacters: plain) ?? path)
  }

  private static let plain = CharacterSet(
    charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~")
}
