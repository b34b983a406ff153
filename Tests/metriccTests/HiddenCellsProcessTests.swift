import Foundation
import Testing

/// A number that `eval` hides is in no answer of any other command, nor of the language server or to an agent.
@Suite struct HiddenCellsProcessTests {
  private static let definitions = """
    extend User { city : Text? }
    measure by_city { for app  value sum(Event.value)  by user.city  at least 3 users }
    measure rare { for app  value sum(Event.value where name == "rare")  at least 3 users }
    measure twice { for app  value 2 * rare }
    funnel path {
      for user
      step one Event where name == "common"
      step two Event where name == "rare"
      at least 3 users
    }
    retention back {
      for user
      start Event where name == "common"
      return Event
      after 1 days
      at least 3 users
    }

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var users = "id,city\n"
    var events = "id,userId,name,dayKey,value\n"
    for user in 0..<12 {
      let city = user == 0 ? "ulm" : user < 5 ? "bonn" : "kiel"
      users += "u\(user),\(city)\n"
      events += "\(user),u\(user),common,2026-01-01,\(7001 + 613 * user)\n"
      if user < 2 { events += "r\(user),u\(user),rare,2026-01-02,\(90_017 + user)\n" }
    }
    try folder.write("defs/a.metric", Self.definitions)
    try folder.write("new/a.metric", Self.definitions.replacing("value sum", with: "value 3 * sum"))
    try folder.write(
      "open/a.metric", Self.definitions.replacing("at least 3 users", with: "audience team"))
    try folder.write("defs/Sample/User.csv", users)
    try folder.write("defs/Sample/Event.csv", events)
    return folder
  }

  private struct Cell: Hashable {
    var metric: String
    var group: String
    var part: String
  }

  /// By cell the value of `eval`; empty for none.
  private func values(_ definitions: String, _ folder: TemporaryFolder) throws -> [Cell: String] {
    let run = try runMetricc(
      ["eval", definitions, "--data", "defs/Sample", "--at", "2026-01-02", "--format", "csv"], in: folder.path
    )
    try #require(run.exit == 0, "\(run.err)")
    let rows = run.out.split(separator: "\n").dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return Dictionary(
      uniqueKeysWithValues: rows.map { (Cell(metric: $0[0], group: $0[2], part: $0[3]), $0[5]) })
  }

  @Test func noOutputHasAHiddenNumber() throws {
    let folder = try folder()
    let shown = try values("defs", folder)
    let whole = try values("open", folder)
    let hidden = Set(shown.filter { $0.value.isEmpty }.keys)
    #expect(hidden.count >= 7 && hidden.count < shown.count)
    // Numbers that are too long to stand anywhere by chance.
    let secrets = hidden.compactMap { whole[$0] }.filter { $0.count >= 4 }.flatMap { number in
      [number] + (Int(number).map { ["\(3 * $0)"] } ?? [])
    }
    #expect(secrets.count >= 8)
    let data = ["--data", "defs/Sample", "--at", "2026-01-02"]

    for cell in shown.keys {
      let arguments =
        ["why", cell.metric, "defs"] + data + (cell.group.isEmpty ? [] : ["--group", cell.group])
      let run = try runMetricc(arguments + ["--format", "json"], in: folder.path)
      #expect(secrets.allSatisfy { !run.out.contains($0) }, "\(run.out)")
      #expect(try shows(run.out, in: "values", cell, shown[cell] ?? ""), "\(cell) \(run.out)")
      #expect(try secrets.allSatisfy { try !runMetricc(arguments, in: folder.path).out.contains($0) })
      let answer = try languageServer(cell.metric, folder)
      #expect(secrets.allSatisfy { !answer.contains($0) })
      #expect(try shows(answer, in: "rows", cell, shown[cell] ?? ""), "\(cell) \(answer)")
    }

    let told = try agent(
      Set(shown.keys.map(\.metric)).sorted(), Set(shown.keys.map(\.group)).sorted(), folder)
    #expect(secrets.allSatisfy { !told.contains($0) }, "\(told)")

    #expect(try runMetricc(["doc", "defs", "--output", "out"] + data, in: folder.path).exit == 0)
    for metric in Set(shown.keys.map(\.metric)) {
      let page = try folder.read("out/metrics/\(metric).html")
      #expect(secrets.allSatisfy { !page.contains($0) }, "\(metric)")
    }
    for format in ["text", "json", "markdown"] {
      let run = try runMetricc(["diff", "defs", "new", "--format", format] + data, in: folder.path)
      #expect(run.out.contains("by_city") && secrets.allSatisfy { !run.out.contains($0) }, "\(run.out)")
    }
  }

  /// Whether JSON with `rows` or `values` has a number, or null for none, in a cell.
  private func shows(_ json: String, in list: String, _ cell: Cell, _ number: String) throws -> Bool {
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let rows = (object?[list] as? [[String: Any]] ?? []).filter {
      $0["part"] as? String == cell.part && $0["group"] as? String ?? cell.group == cell.group
    }
    return rows.count == 1 && (rows[0]["value"] as? Double) == Double(number)
      && (rows[0]["value"] is NSNull) == number.isEmpty
  }

  /// What `metricc mcp` says of all metrics and groups.
  private func agent(_ metrics: [String], _ groups: [String], _ folder: TemporaryFolder) throws -> String {
    let names = metrics.map { "\"\($0)\"" }.joined(separator: ",")
    let asked = metrics.flatMap { metric in
      groups.map { ("why", #"{"metric":"\#(metric)","group":"\#($0)"}"#) } + [
        ("why", #"{"metric":"\#(metric)"}"#)
      ]
    }
    let calls = [("evaluate", #"{"metrics":[\#(names)]}"#)] + asked
    let lines = calls.enumerated().map { id, call in
      #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(call.0)","arguments":\#(call.1)}}"#
    }
    let run = try runMetricc(
      ["mcp", "defs", "--data", "defs/Sample"], stdin: lines.map { "\($0)\n" }.joined(), in: folder.path)
    #expect(run.out.split(separator: "\n").count == calls.count && run.out.contains(#"\"code\":\"hidden\""#))
    return run.out
  }

  /// The answer to the command behind the lens `value`.
  private func languageServer(_ metric: String, _ folder: TemporaryFolder) throws -> String {
    let root = "file://\(folder.path)/defs"
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":"\#(root)"}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"metricc.value","arguments":["\#(root)/a.metric","\#(metric)"]}}"#,
      #"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#, #"{"jsonrpc":"2.0","method":"exit"}"#,
    ]
    let run = try runMetricc(
      ["lsp"], stdin: messages.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined())
    let start = try #require(run.out.range(of: #""id":2,"jsonrpc":"2.0","result":"#), "\(run.out)")
    let rest = run.out[start.upperBound...]
    return String(rest[..<(rest.range(of: "Content-Length")?.lowerBound ?? rest.endIndex)].dropLast())
  }
}
