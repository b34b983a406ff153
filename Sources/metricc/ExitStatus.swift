/// How a run ends, as scripts see it.
enum ExitStatus: Int32 {
  case done = 0
  /// Definitions are rejected, or a test failed.
  case rejected = 1
  /// Input could not be read or is malformed, or output could not be written.
  case unreadable = 2
  /// The command line asks for something that makes no sense.
  case usage = 64
}

/// Why a run ends early: what is said on standard error, and the exit status.
struct CommandFailure: Error, Hashable {
  /// Each is a line of its own; none if everything is said already.
  var messages: [String]
  var status: ExitStatus

  /// The command line is at fault.
  static func usage(_ message: String) -> CommandFailure {
    CommandFailure(messages: [message], status: .usage)
  }

  /// A file or folder is at fault.
  static func unreadable(_ message: String) -> CommandFailure {
    CommandFailure(messages: [message], status: .unreadable)
  }

  /// Everything is said already.
  static func silent(_ status: ExitStatus) -> CommandFailure {
    CommandFailure(messages: [], status: status)
  }

  /// Reports what is wrong: `metricc: error: …`.
  func report() { for message in messages { Remarks.say("error: \(message)") } }
}
