import Foundation

/// Errors of system calls as people read them.
enum SystemError {
  /// `No such file or directory`.
  static func text(_ number: Int32) -> String {
    String(cString: strerror(number))
  }

  /// Whether a signal's old handler is the one that ignores it.
  static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// `cannot read `x`: No such file or directory`, with the error of the last call.
  static func cannotRead(_ path: String, _ number: Int32 = errno) -> String {
    "cannot read \(Quoting.quoted(path)): \(text(number))"
  }

  static func cannotWrite(_ path: String, _ number: Int32 = errno) -> String {
    "cannot write \(Quoting.quoted(path)): \(text(number))"
  }
}
