import Foundation
import Testing

/// `metricc mcp` as a process: a message on each line of standard input, an answer on each of standard output.
@Suite struct AgentProcessTests {
  /// A session: calls of tools by their names and arguments, answered in their order.
  private struct Session {
    var run: Run
    /// The answers by the ids of their requests, which are numbers.
    var answers: [Int: [String: Any]] = [:]

    init(_ arguments: [String], in folder: TemporaryFolder, _ lines: [String]) throws {
      run = try runMetricc(
        ["mcp"] + arguments, stdin: lines.map { "\($0)\n" }.joined(), in: folder.path)
      for line in run.out.split(separator: "\n") {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        if let object, let id = object["id"] as? Int { answers[id] = object }
      }
    }

    func result(_ id: Int) -> [String: Any]? { answers[id]?["result"] as? [String: Any] }
    func code(_ id: Int) -> Int? { (answers[id]?["error"] as? [String: Any])?["code"] as? Int }
    func isError(_ id: Int) -> Bool? { result(id)?["isError"] as? Bool }

    func texts(_ id: Int) -> [String] {
      (result(id)?["content"] as? [[String: String]])?.compactMap { $0["text"] } ?? []
    }
  }

  private func request(_ id: Int, _ method: String, _ params: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
  }

  private func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
    request(id, "tools/call", #"{"name":"\#(tool)","arguments":\#(arguments)}"#)
  }

  private let start = ["defs", "--data", "data"]

  @Test func session() throws {
    let folder = try Example.folder()
    let session = try Session(
      start, in: folder,
      [
        request(0, "initialize", #"{"protocolVersion":"2025-06-18","capabilities":{}}"#),
        #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, request(1, "tools/list"),
        call(2, "evaluate", #"{"metrics":["daily_streak"],"at":"2026-01-03"}"#),
        call(3, "evaluate", #"{"metrics":["daily_streak"],"subjects":["read"],"limit":1}"#),
        call(4, "test"), request(5, "ping"),
        call(6, "ahead", #"{"metric":"daily_streak","subject":"read","at":"2026-01-04"}"#),
      ])
    #expect(session.run.exit == 0)
    #expect(session.run.err == "")
    #expect(session.answers.count == 7)
    #expect(session.texts(6).first?.contains(#""sentences":["one entry today keeps 3"#) == true)
    #expect(session.result(0)?["protocolVersion"] as? String == "2025-06-18")
    let tools = session.result(1)?["tools"] as? [[String: Any]] ?? []
    #expect(
      tools.map { $0["name"] as? String } == [
        "list_metrics", "list_dimensions", "plan", "check", "test", "evaluate", "why",
        "ahead",
      ])
    let row =
      #"{"metric":"daily_streak","subject":"SUBJECT","group":"","part":"","at":"2026-01-03","value":VALUE}"#
    func filled(_ subject: String, _ value: String) -> String {
      row.replacing("SUBJECT", with: subject).replacing("VALUE", with: value)
    }
    #expect(
      session.texts(2) == [#"{"rows":[\#(filled("read", "3")),\#(filled("walk", "1"))],"leftOut":0}"#])
    #expect(session.isError(2) == false)
    // What the command says beside the numbers is told, too.
    #expect(session.texts(3).first == #"{"rows":[\#(filled("read", "3"))],"leftOut":0}"#)
    #expect(session.texts(3).last == "metricc: --at is not given; using the last DayKey, 2026-01-03\n")
    #expect(session.texts(4).first?.contains(#""passed":2,"failed":0"#) == true)
    #expect(session.result(5)?.isEmpty == true)
  }

  /// A client may ask for versions first, and one that is newer than all gets the newest that it can have.
  @Test func versions() throws {
    let meta = #"{"_meta":{"io.modelcontextprotocol/protocolVersion":"VERSION"}}"#
    let session = try Session(
      start, in: try Example.folder(),
      [
        request(0, "server/discover", meta.replacing("VERSION", with: "2026-07-28")),
        request(1, "initialize", #"{"protocolVersion":"2199-01-01"}"#),
        request(2, "tools/list", meta.replacing("VERSION", with: "2199-01-01")),
      ])
    #expect((session.result(0)?["supportedVersions"] as? [String])?.last == "2026-07-28")
    #expect(session.result(1)?["protocolVersion"] as? String == "2025-11-25")
    #expect(session.code(2) == -32022)
  }

  @Test func nonsenseIsAnsweredAndPassedOver() throws {
    let session = try Session(
      start, in: try Example.folder(),
      [
        "{", "", #"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, request(1, "resources/list"), call(2, "drop"),
        call(3, "evaluate", "[]"), call(4, "evaluate", #"{"metrics":["done"],"data":"/etc"}"#),
        call(5, "evaluate", #"{"metrics":["done","--output=stolen"]}"#), request(6, "ping"),
      ])
    #expect(session.run.exit == 0)
    #expect(session.run.out.contains("-32700") && session.run.out.contains("-32600"))
    #expect(session.code(1) == -32601)
    #expect(session.code(2) == -32602)
    #expect(session.texts(3) == ["the arguments are no object"])
    #expect(session.texts(4) == ["`evaluate` takes no argument `data`"])
    #expect(session.texts(5) == ["error: no metric is named `--output=stolen`"])
    for id in 3...5 { #expect(session.isError(id) == true) }
    #expect(session.result(6) != nil)
  }

  /// Nothing is evaluated of a library that is rejected; a draft that is corrected is checked, and is kept nowhere.
  @Test func onlyAcceptedMetricsAreEvaluated() throws {
    let folder = try Example.folder()
    try folder.write("defs/habits.metric", Example.rejected)
    let corrected = Example.rejected.replacing("dnoe", with: "done").replacing("\n", with: "\\n")
    let draft = #"{"text":"\#(corrected)","file":"defs/habits.metric"}"#
    let session = try Session(
      start, in: folder,
      [
        call(1, "evaluate", #"{"metrics":["done"]}"#), call(2, "check"), call(3, "check", draft),
        call(4, "check", #"{"file":"defs/habits.metric"}"#), call(5, "evaluate", #"{"metrics":["broken"]}"#),
        call(6, "test"),
      ])
    #expect(session.isError(1) == true)
    #expect(session.texts(1).last?.contains("no metric is called `dnoe`") == true)
    #expect(session.isError(2) == false)
    #expect(session.texts(2).first?.contains("dnoe") == true)
    #expect(session.texts(3).first?.contains(#""severity":"error""#) == false)
    #expect(session.texts(4) == ["error: `file` needs a `text` to replace it with"])
    #expect(session.isError(5) == true)
    #expect(session.texts(6).first?.contains(#""rejected":[{"#) == true)
    #expect(try folder.read("defs/habits.metric") == Example.rejected)
  }

  /// Two people are fewer than three, whichever tool is asked; and who did not agree is in no number of a team.
  @Test func atLeastAndConsentHold() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "defs/a.metric",
      """
      fact Visit { userId : User  page : Text  seconds : Int  dayKey : DayKey  consent standard }
      measure time { for app  value sum(Visit.seconds)  by page  at least 3 users }
      measure visits { for app  audience team  value count(Visit) }

      """)
    var visits = "id,userId,page,seconds,dayKey\n"
    for user in 0..<5 {
      visits += "\(user),u\(user),\(user < 2 ? "rare" : "common"),\(7001 + user),2026-01-01\n"
    }
    try folder.write("data/Visit.csv", visits)
    try folder.write(
      "data/Consent.csv",
      "userId,level,dayKey\n" + (0..<4).map { "u\($0),standard,2025-12-31\n" }.joined())
    let session = try Session(
      start, in: folder,
      [
        call(1, "evaluate", #"{"metrics":["time","visits"]}"#),
        call(2, "why", #"{"metric":"time","group":"rare"}"#), call(3, "why", #"{"metric":"visits"}"#),
      ])
    #expect(session.isError(1) == false, "\(session.texts(1))")
    let rows = session.texts(1).first ?? ""
    #expect(
      rows.contains(#""metric":"visits","subject":"","group":"","part":"","at":"2026-01-01","value":4"#))
    #expect(session.texts(2).first?.contains(#""code":"hidden""#) == true, "\(session.texts(2))")
    for text in session.texts(1) + session.texts(2) {
      for number in ["7001", "7002", "14003", "u0", "u1"] { #expect(!text.contains(number), "\(text)") }
    }
    #expect(session.texts(3).first?.contains(#""withheld":1"#) == true, "\(session.texts(3))")
  }

  @Test func aWrongPathIsToldAtTheStart() throws {
    let folder = try Example.folder()
    #expect(try runMetricc(["mcp", "nowhere"], in: folder.path).exit == 2)
    #expect(try runMetricc(["mcp", "defs", "--data", "nowhere"], in: folder.path).exit == 2)
    let session = try Session(["defs"], in: folder, [request(1, "tools/list")])
    #expect(!session.run.out.contains(#""name":"evaluate""#))
    #expect(session.run.out.contains(#""name":"check""#))
  }
}
