import ArgumentParser

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
    guard let help = try? JSON(parsing: Array(Metricc._dumpHelp().utf8)) else {
      throw CommandFailure.unreadable("the help texts cannot be read")
    }
    try BufferedOutput.print(ManualPage(tool: help["command"], version: Metricc.configuration.version).text)
  }
}
