import Testing

/// `metricc lsp` as a process: messages on standard input, answers on standard output.
@Suite struct LanguageServerProcessTests {
  private func framed(_ bodies: [String]) -> String {
    bodies.map { "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" }.joined()
  }

  private func start(_ folder: TemporaryFolder) -> String {
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"rootUri":"file://\#(folder.path)/defs"}}"#
  }

  private let stop = [
    #"{"jsonrpc":"2.0","id":9,"method":"shutdown"}"#, #"{"jsonrpc":"2.0","method":"exit"}"#,
  ]

  @Test func session() throws {
    let folder = try Example.folder()
    let uri = "file://\(folder.path)/defs/habits.metric"
    let open =
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"\#(uri)","languageId":"metric","version":1,"text":"streak broken { of dnoe }\n"}}}"#
    let hover =
      #"{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"\#(uri)"}}}"#
    let run = try runMetricc(["lsp"], stdin: framed([start(folder), open, hover] + stop))
    #expect(run.exit == 0)
    #expect(run.err == "")
    #expect(run.out.contains(#""name":"metricc""#))
    #expect(run.out.contains("no metric is called `dnoe`"))
    #expect(run.out.contains(#""name":"broken""#))
    #expect(run.out.hasPrefix("Content-Length: "))
  }

  @Test func theOtherFilesOfTheFolderAreRead() throws {
    let folder = try Example.folder()
    let symbols = #"{"jsonrpc":"2.0","id":2,"method":"workspace/symbol","params":{"query":"bds"}}"#
    let run = try runMetricc(["lsp", "--stdio"], stdin: framed([start(folder), symbols] + stop))
    #expect(run.exit == 0)
    #expect(run.out.contains("best_daily_streak"))
  }

  @Test func anEndWithoutExitIsStatusOne() throws {
    let folder = try Example.folder()
    let run = try runMetricc(["lsp"], stdin: framed([start(folder)]))
    #expect(run.exit == 1)
    #expect(run.err.contains("standard input ended"))
    #expect(try runMetricc(["lsp"], stdin: framed([start(folder), stop[1]])).exit == 1)
  }

  @Test func nonsenseIsAnsweredAndPassedOver() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["lsp"], stdin: "Nonsense: 1\r\n\r\n" + framed(["{", start(folder)] + stop))
    #expect(run.exit == 0)
    #expect(run.out.contains("-32700"))
  }
}
