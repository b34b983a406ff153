import ArgumentParser
import Foundation

/// `metricc manual`: the page for `man`, made from the help texts.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Writes the manual page.",
    discussion: """
      Examples:
        metricc manual > Documentation/metricc.1
        metricc manual | man -l -
      """,
    shouldDisplay: false)

  func run() throws {
    let help = Metricc._dumpHelp()
    guard let tool = try? JSONDecoder().decode(HelpDump.self, from: Data(help.utf8)) else {
      throw CommandFailure.unreadable("the help texts cannot be read")
    }
    try BufferedOutput.print(ManualPage(tool: tool.command, version: Metricc.configuration.version).text)
  }
}

/// What the argument parser says of a command and its subcommands (`--experimental-dump-help`).
struct HelpDump: Decodable {
  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var shouldDisplay: Bool?
    var subcommands: [Command]?
    var arguments: [Argument]?
  }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var kind: String
    var shouldDisplay: Bool
    var isOptional: Bool
    var isRepeating: Bool
    var names: [Name]?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?
    var discussion: String?
  }

  var command: Command
}
