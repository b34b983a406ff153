/// A page for `man`, in the macros of mdoc(7).
///
/// It has no date: the same command gives the same page.
struct ManualPage {
  /// What the argument parser says of a command and its subcommands (`--experimental-dump-help`).
  let tool: JSON
  let version: String

  var text: String {
    let commands = tool["subcommands"].items.filter {
      $0["shouldDisplay"].bool != false && $0.text("commandName") != "help"
    }
    let head = [
      ".\\\" Made by `metricc manual > Documentation/metricc.1`; a test says whether it is fresh.",
      ".Dd $Mdocdate$", ".Dt METRICC 1", ".Os metricc \(version)", ".Sh NAME", ".Nm metricc",
      ".Nd \(escaped(tool.text("abstract")).replacing(/\.$/, with: ""))", ".Sh SYNOPSIS",
    ]
    let synopsis = commands.flatMap { command in
      [".Nm metricc \(command.text("commandName"))"]
        + shown(command).map { $0["isOptional"].bool == true ? ".Op \(form($0))" : "." + form($0) }
    }
    let description = [".Sh DESCRIPTION"] + prose(tool.text("discussion")) + [".Sh COMMANDS"]
    let sections = commands.flatMap { command in
      [".Ss metricc \(command.text("commandName"))", escaped(command.text("abstract"))]
        + prose(command.text("discussion")) + options(of: command)
    }
    return (head + synopsis + description + sections).map { $0 + "\n" }.joined()
  }

  /// `Fl -format Ar format`
  private func form(_ argument: JSON) -> String {
    let value = argument["valueName"].string ?? "value"
    let dots = argument["isRepeating"].bool == true ? " ..." : ""
    switch argument.text("kind") {
    case "positional": return "Ar \(escaped(value))\(dots)"
    case "flag": return "Fl \(flag(argument))"
    default: return "Fl \(flag(argument)) Ar \(escaped(value))\(dots)"
    }
  }

  /// `-strict`; mdoc adds another dash.
  private func flag(_ argument: JSON) -> String {
    let names = argument["names"].items
    let name = names.first { $0.text("kind") == "long" } ?? argument["names"][0]
    return (name.text("kind") == "long" ? "-" : "") + escaped(name.text("name"))
  }

  private func shown(_ command: JSON) -> [JSON] {
    command["arguments"].items.filter {
      $0["shouldDisplay"].bool == true
        && !["help", "version"].contains($0["names"].items.last?.text("name"))
    }
  }

  private func options(of command: JSON) -> [String] {
    let arguments = shown(command)
    guard !arguments.isEmpty else { return [] }
    var lines = [".Bl -tag -width Ds"]
    for argument in arguments {
      lines.append(".It \(form(argument))")
      lines += ["abstract", "discussion"].compactMap { argument[$0].string }.map(escaped)
      let values = argument["allValues"].items.compactMap(\.string)
      if !values.isEmpty { lines.append(escaped("One of \(values.joined(separator: ", ")).")) }
      if let value = argument["defaultValue"].string, argument.text("kind") != "flag" {
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

extension JSON {
  /// The text of a member; empty where it has none.
  fileprivate func text(_ key: String) -> String { self[key].string ?? "" }
}
