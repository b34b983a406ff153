import ArgumentParser

struct SwiftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Writes Swift for an app: a struct for each record and a method for each metric.",
    discussion: """
      Examples:
        metricc swift Definitions > Metrics.swift
        metricc swift Definitions --embed --output Sources/App/Metrics.swift

      The file imports MetricLanguage. Each record that is declared, or built in and read, is a Codable \
      struct; each metric is a method of MetricSession with its value on a day, and one with a series, so that \
      a renamed metric no longer compiles in the app. The plugin GenerateMetrics runs this command \
      with each build.

      Exit status: 0 done; 1 the definitions are rejected, and nothing is written; 2 a path could not \
      be read or written.
      """)

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: .value("file", "The file to write; without it standard output."))
  var output: String?

  @Flag(help: "Declare everything public, for another module.")
  var `public` = false

  @Flag(help: "Also embed the definitions, as MetricLibrary.embedded.")
  var embed = false

  @OptionGroup var progressOptions: ProgressOptions

  func run() throws {
    let library = try definitions.load()
    try library.requireAcceptance(before: "nothing was written")
    let text = library.swiftSource(isPublic: `public`, embedsSources: embed)
    if let output {
      try AtomicFile.write(text.utf8, to: output)
    } else {
      try BufferedOutput.print(text)
    }
  }
}
