import Foundation
import MetricTestSupport
import Testing

/// The documents do what they show, and newcomers get the answers of `Tests/Messages`: a block `console` prints
/// what stands below its commands.
///
/// A document is followed from its start to its end in one folder that has links to `Definitions` and `Tests`.
/// A block with `file=NAME` behind its language is written there. A line `…` stands for any lines of output. A block
/// `python` prints what stands in the block `text` behind it, where there is a Python with all that it imports.
/// `METRICC_UPDATE=1` writes what the commands print now into the documents, but for outputs with `…`.
@Suite(.serialized) struct DocumentTests {
  static let documents =
    ["README.md", "Tests/Messages/commands.md"] + Repository.files(".md", under: "Documentation")

  /// What a reader does once: fetching and building. Everything else has to run.
  static let installation = ["git clone ", "cd metricc", "swift build ", "sudo install ", "swift test"]
  /// How the command runs where it is not installed.
  static let uninstalled = "swift run metricc "

  @Test(arguments: documents)
  func commandsPrintWhatIsShown(_ path: String) throws {
    var pieces = try Repository.text(path).components(separatedBy: "```")
    let folder = try TemporaryFolder()
    for name in ["Definitions", "Tests"] { try folder.link(name, to: Repository.path(name)) }
    var place = ""
    for index in stride(from: 1, to: pieces.count, by: 2) {
      let lines = pieces[index].components(separatedBy: "\n")
      let words = lines[0].split(separator: " ")
      if let file = words.first(where: { $0.hasPrefix("file=") })?.dropFirst(5) {
        try folder.write(String(file), lines.dropFirst().joined(separator: "\n"))
      } else if words.first == "console" {
        let worst: Int32 = path.hasPrefix("Tests") ? 64 : 2
        let printed = try Self.follow(lines.dropFirst().dropLast(), in: folder, &place, worst)
        if environment("METRICC_UPDATE") != nil {
          pieces[index] = ([lines[0]] + printed + [lines.last ?? ""]).joined(separator: "\n")
        } else {
          #expect(printed == Array(lines.dropFirst().dropLast()), "\(path)")
        }
      } else if words.first == "python" {
        try Self.runPython(lines.dropFirst().dropLast(), in: folder, &pieces[index + 2])
      }
    }
    if environment("METRICC_UPDATE") != nil {
      try Data(pieces.joined(separator: "```").utf8).write(to: Repository.root.appending(path: path))
    }
  }

  @Test func everyCommandOfTheReadmeIsRun() throws {
    let pieces = try Repository.text("README.md").components(separatedBy: "```")
    let scripts = stride(from: 1, to: pieces.count, by: 2).map { pieces[$0] }.filter { $0.hasPrefix("sh\n") }
    for line in scripts.joined().split(separator: "\n") where line != "sh" && !line.hasPrefix("#") {
      #expect(Self.installation.contains { line.hasPrefix($0) }, "`\(line)` belongs into a block `console`")
    }
    #expect(pieces.contains { $0.hasPrefix("console\n$ metricc") })
    #expect(pieces.joined().utf8.count <= 8192)
  }

  /// A stranger needs no third command: both stand on the first screen, and CI runs the second as it is.
  @Test func twoCommandsAreOnTheFirstScreen() throws {
    let screen = try Repository.text("README.md").components(separatedBy: "\n").prefix(30)
    #expect(screen.contains { $0.hasPrefix("$ \(Self.uninstalled)eval Definitions/Habits --data ") })
    #expect(screen.contains("swift test"))
    #expect(!screen.contains { $0.contains("sudo") })
    #expect(try Repository.text(".ci/run").components(separatedBy: "\n").contains("swift test"))
  }

  @Test func picturesAreFresh() throws {
    let folder = try TemporaryFolder()
    try folder.write("make.py", try Repository.text("Documentation/Pictures/make.py"))
    let run = try runShell("command -v python3 >/dev/null || exit 0; python3 make.py", in: folder)
    #expect(run.exit == 0, "\(run.err)")
    for name in folder.names where name.hasSuffix(".svg") {
      let shown = try Repository.text("Documentation/Pictures/\(name)")
      #expect(try folder.read(name) == shown, "run `python3 Documentation/Pictures/make.py`")
    }
  }

  /// Runs a script, and compares what it prints with a block; or writes that anew.
  private static func runPython(
    _ lines: some Sequence<String>, in folder: TemporaryFolder, _ block: inout String
  ) throws {
    let python = environment("METRICC_PYTHON") ?? "python3"
    let modules = lines.compactMap { $0.firstMatch(of: /^(?:import|from) (\w+)/).map { String($0.output.1) } }
    let imports = "import \(modules.joined(separator: ", "))"
    guard !modules.isEmpty, try runShell("\(python) -c '\(imports)'", in: folder).exit == 0 else {
      return print("SKIPPED: no Python with \(modules) runs a cell of the documents")
    }
    try folder.write("cell.py", lines.joined(separator: "\n"))
    let run = try runShell("PATH=\"$(dirname \"$metricc\"):$PATH\"; \(python) cell.py", in: folder)
    #expect(run.exit == 0, "\(run.err)")
    let shown = block.components(separatedBy: "\n")
    #expect(shown.first == "text", "a block `python` is followed by what it prints, as `text`")
    let step = Step(command: [], output: Array(shown.dropFirst().dropLast()))
    if environment("METRICC_UPDATE") != nil {
      block = "text\n\(run.out)"
    } else {
      #expect(step.matches(run.out), "\(run.out)")
    }
  }

  /// The block as the commands in it print it now.
  private static func follow(
    _ lines: some Sequence<String>, in folder: TemporaryFolder, _ place: inout String, _ worst: Int32
  ) throws -> [String] {
    var printed: [String] = []
    for step in Step.steps(lines) {
      printed += step.command
      let command = step.command.joined(separator: "\n").dropFirst(2).replacing(uninstalled, with: "metricc ")
      if command.hasPrefix("cd ") {
        place = command == "cd .." ? "" : String(command.dropFirst(3))
        continue
      }
      // Ctrl-C ends what does not end by itself.
      let start = command.hasPrefix("metricc watch") ? "timeout -s INT 5 " : ""
      let script = "PATH=\"$(dirname \"$metricc\"):$PATH\"; cd \"./\(place)\" && { \(start)\(command)\n} 2>&1"
      let run = try runShell(script, in: folder)
      #expect(run.exit <= worst || !start.isEmpty, "\(command)")
      let isKept = environment("METRICC_UPDATE") != nil && step.output.contains("…")
      let lines = run.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
      printed += step.matches(run.out) || isKept ? step.output : lines
      printed += step.gap
    }
    return printed
  }
}

/// A command of a document, in one line or several, and what the document shows of its output.
private struct Step {
  var command: [String]
  var output: [String] = []
  /// Empty lines before the next command.
  var gap: [String] = []

  static func steps(_ lines: some Sequence<String>) -> [Step] {
    var steps: [Step] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append(Step(command: [line]))
      } else if let last = steps.indices.last {
        let continues = steps[last].output.isEmpty && steps[last].command.last?.hasSuffix("\\") == true
        if continues { steps[last].command.append(line) } else { steps[last].output.append(line) }
      }
    }
    for index in steps.indices where index < steps.count - 1 {
      while steps[index].output.last == "" { steps[index].gap.append(steps[index].output.removeLast()) }
    }
    return steps
  }

  /// Whether this was printed. `…` alone on a line stands for any lines.
  func matches(_ text: String) -> Bool {
    var rest = (text.hasSuffix("\n") || text.isEmpty ? text : text + "\n")[...]
    var skips = false
    for group in output.split(separator: "…", omittingEmptySubsequences: false) {
      let wanted = group.map { $0 + "\n" }.joined()
      if skips, !wanted.isEmpty {
        guard let range = rest.range(of: wanted) else { return false }
        rest = rest[range.upperBound...]
      } else if rest.hasPrefix(wanted) {
        rest = rest.dropFirst(wanted.count)
      } else {
        return false
      }
      skips = true
    }
    return rest.isEmpty || output.last == "…"
  }
}
