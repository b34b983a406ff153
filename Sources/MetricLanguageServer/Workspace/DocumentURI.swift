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
    var path = String(decoding: unescaped(Array(rest)), as: UTF8.self)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return path
  }

  /// The `file:` URI of an absolute path.
  static func file(_ path: String) -> String {
    var uri = "file://"
    for byte in path.utf8 {
      if isPlain(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        uri += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return uri
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/-._~".utf8.contains(byte)
    }
  }

  private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let byte = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        result.append(byte)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}
