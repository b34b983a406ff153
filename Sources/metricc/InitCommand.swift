import ArgumentParser

struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a small library to start from, with tests and sample data.",
    discussion: """
      Two files of definitions and two of data: reading on days, days in a row, the longest run and \
      pages read. Existing files are never overwritten.

      Examples:
        metricc init
        metricc init metrics
        metricc test metrics
        metricc eval metrics --data metrics/sample

      Exit status: 0 done; 2 a file already exists, or the folder cannot be written.
      """)

  @Argument(help: "The folder to write to; without it, the current one.", completion: .directory)
  var folder = "."

  /// A test checks, formats, tests and evaluates them.
  private static let files: [(name: String, text: String)] = [
    ("reading.metric", PackageResources.reading_metric),
    ("reading_tests.metric", PackageResources.reading_tests_metric),
    ("sample/Book.csv", PackageResources.Book_csv),
    ("sample/ReadingSession.csv", PackageResources.ReadingSession_csv),
  ].map { ($0, String(decoding: $1, as: UTF8.self)) }

  func run() throws {
    let paths = Self.files.map { Folder.join(folder, $0.name) }
    for path in paths where FileStatus(path: path) != nil {
      throw CommandFailure.unreadable("\(path.quoted) already exists; nothing was written")
    }
    try Folder.make(Folder.join(folder, "sample"), named: folder)
    for (path, file) in zip(paths, Self.files) {
      try AtomicFile.write(file.text.utf8, to: path)
      Remarks.say("wrote \(path.quoted)")
    }
    let place = folder.contains(" ") ? "'\(folder)'" : folder
    try BufferedOutput.print(
      """
      Try these:
        metricc check \(place)
        metricc test \(place)
        metricc eval \(place) --data \(place == "." ? "sample" : Folder.join(place, "sample"))

      """)
  }
}
