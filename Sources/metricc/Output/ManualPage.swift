/// A page for `man`, in the macros of mdoc(7).
///
/// It has no date: the same command gives the same page.
struct ManualPage {
  let tool: HelpDump.Command
  let version: String

  var text: String {
    let commands = (tool.subcommands ?? []).filter { $0.shouldDisplay != false && $0.commandName != "help" }
    var lines = [
      ".\\\" Made by `metricc manual > Documentation/metricc.1`; a test says whether it is fresh.",
      ".Dd $Mdocdate$", ".Dt METRICC 1", ".Os metricc \(version)", ".Sh NAME", ".Nm metricc",
      ".Nd \(escaped(tool.abstract ?? "").replacing(/\.$/, with: ""))", ".Sh SYNOPSIS",
    ]
    for command in commands { lines += synopsis(command) }
    lines += [".Sh DESCRIPTION"] + prose(tool.discussion ?? "")
    lines.append(".Sh COMMANDS")
    for command in commands {
      lines += [".Ss metricc \(command.commandName)", escaped(command.abstract ?? "")]
      lines += prose(command.discussion ?? "") + options(of: command)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  // MARK: Synopsis

  private func synopsis(_ command: HelpDump.Command) -> [String] {
    var lines = [".Nm metricc \(command.commandName)"]
    for argument in shown(command) {
      lines.append(argument.isOptional ? ".Op \(form(argument))" : "." + form(argument))
    }
    return lines
  }

  /// `Fl -format Ar format`
  private func form(_ argument: HelpDump.Argument) -> String {
    let value = argument.valueName ?? "value"
    let dots = argument.isRepeating ? " ..." : ""
    switch argument.kind {
    case "positional": return "Ar \(escaped(value))\(dots)"
    case "flag": return "Fl \(flag(argument))"
    default: return "Fl \(flag(argument)) Ar \(escaped(value))\(dots)"
    }
  }

  /// `-strict`; mdoc adds another dash.
  private func flag(_ argument: HelpDump.Argument) -> String {
    let name = argument.names?.first { $0.kind == "long" } ?? argument.names?.first
    return (name?.kind == "long" ? "-" : "") + escaped(name?.name ?? "")
  }

  private func shown(_ command: HelpDump.Command) -> [HelpDump.Argument] {
    (command.arguments ?? []).filter {
      $0.shouldDisplay && !["help", "version"].contains($0.names?.last?.name ?? "")
    }
  }

  // MARK: Text

  private func options(of command: HelpDump.Command) -> [String] {
    let arguments = shown(command)
    guard !arguments.isEmpty else { return [] }
    var lines = [".Bl -tag -width Ds"]
    for argument in arguments {
      lines.append(".It \(form(argument))")
      lines.append(contentsOf: [argument.abstract, argument.discussion].compactMap { $0 }.map(escaped))
      if let values = argument.allValues, !values.isEmpty {
        lines.append(escaped("One of \(values.joined(separator: ", "))."))
      }
      if let value = argument.defaultValue, argument.kind != "flag" {
        lines.append(escaped("Without it: \(value)."))
      }
    }
    return lines + [".El"]
  }

  /// Paragraphs; indented lines stay as they are.
  private func prose(_ text: String) -> [String] {
    var lines: [String] = []
    var isExample = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isIndented = line.hasPrefix("  ")
      if isIndented, !isExample { lines.append(".Bd -literal -offset indent") }
      if isExample, !isIndented { lines += [".Ed", ".Pp"] }
      isExample = isIndented
      if line.isEmpty {
        if lines.last != ".Pp" { lines.append(".Pp") }
      } else {
        lines.append(escaped(String(isIndented ? line.dropFirst(2) : line)))
      }
    }
    if isExample { lines.append(".Ed") }
    if lines.last == ".Pp" { lines.removeLast() }
    return lines.isEmpty ? [] : [".Pp"] + lines
  }

  /// Text in which nothing is a command of the formatter.
  private func escaped(_ text: String) -> String {
    let plain = text.replacing("\\", with: "\\e").replacing("\n", with: " ").replacing("-", with: "\\-")
    return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
  }
}
