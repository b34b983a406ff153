import MetricLanguageServer
import Testing

/// Which files form a library, and what counts: the disk or what is typed.
@Suite struct WorkspaceTests {
  private let done = "/// D.\ncompletion done { for habit  every day  when count(HabitEntry) >= 1 }\n"
  private let test = "test \"t\" { expect done for \"x\" at 2026-01-01 = false }\n"
  private let run = "/// R.\nstreak run { of done }\ntest \"r\" { expect run for \"x\" at 2026-01-01 = 0 }\n"

  @Test func workspaceFolderIsOneLibrary() {
    let client = TestClient([
      "/w/a/done.metric": done + test, "/w/b/run.metric": run, "/w/.hidden/x.metric": "?",
    ])
    client.open("/w/b/run.metric", run)
    #expect(client.codes("/w/b/run.metric") == nil, "nothing to say about a file without findings")
    client.change("/w/b/run.metric", version: 2, nil, run.replacing("of done", with: "of nothing"))
    #expect(client.codes("/w/b/run.metric") == ["T001 unknown-name"])
    client.change("/w/b/run.metric", version: 3, nil, run)
    #expect(client.codes("/w/b/run.metric") == [])
  }

  @Test func markedFoldersAreApart() {
    let client = TestClient([
      "/w/a/.metric-library": "", "/w/a/done.metric": done + test, "/w/b/done.metric": done + test,
      "/w/each/.metric-library": "apart\n", "/w/each/1.metric": done + test, "/w/each/2.metric": done + test,
    ])
    for path in ["/w/a/done.metric", "/w/b/done.metric", "/w/each/1.metric", "/w/each/2.metric"] {
      client.open(path, done + test)
    }
    #expect(client.messages.filter { $0["method"] == "textDocument/publishDiagnostics" } == [])
    // The mark goes: the first two are one library, and declare a metric twice.
    client.files.files["/w/a/.metric-library"] = nil
    client.notify(
      "workspace/didChangeWatchedFiles", ["changes": [["uri": "file:///w/a/.metric-library", "type": 3]]])
    #expect(client.codes("/w/b/done.metric") == ["T004 duplicate-name"])
  }

  @Test func filesOutsideGoWithTheirFolder() {
    let client = TestClient(["/o/done.metric": done + test, "/o/deep/done.metric": done], folder: "/w")
    client.open("/o/run.metric", run)
    #expect(client.codes("/o/run.metric") == nil)
    client.open("untitled:1", "streak s { of done }")
    #expect(client.codes("untitled:1")?.contains("T001 unknown-name") == true)
    client.notify("textDocument/didClose", TestClient.document("untitled:1"))
    #expect(client.codes("untitled:1") == [])
  }

  @Test func typedTextCountsOverTheDisk() {
    let client = TestClient(["/w/done.metric": done + test, "/w/run.metric": run])
    client.open("/w/done.metric", done.replacing("done", with: "over") + test.replacing("done", with: "over"))
    #expect(client.codes("/w/run.metric")?.first == "T001 unknown-name")
    // A change on the disk means nothing while the document is open.
    client.files.files["/w/done.metric"] = "?"
    client.notify(
      "workspace/didChangeWatchedFiles", ["changes": [["uri": "file:///w/done.metric", "type": 2]]])
    #expect(client.codes("/w/done.metric") == nil)
    client.files.files["/w/done.metric"] = done + test
    client.notify("textDocument/didClose", TestClient.document("/w/done.metric"))
    #expect(client.codes("/w/run.metric") == [])
  }

  @Test func filesAreWatched() {
    let client = TestClient(["/w/run.metric": run])
    client.open("/w/run.metric", run)
    #expect(client.codes("/w/run.metric")?.first == "T001 unknown-name")
    func tell(_ type: Int) {
      client.notify(
        "workspace/didChangeWatchedFiles",
        ["changes": [["uri": "file:///w/done.metric", "type": .int(type)]]])
    }
    client.files.files["/w/done.metric"] = done + test
    tell(1)
    #expect(client.codes("/w/run.metric") == [])
    client.files.files["/w/done.metric"] = done.replacing("every", with: "evry") + test
    tell(2)
    #expect(client.codes("/w/done.metric")?.isEmpty == false)
    client.files.files["/w/done.metric"] = nil
    tell(3)
    #expect(client.codes("/w/run.metric")?.first == "T001 unknown-name")
    #expect(client.codes("/w/done.metric") == [])
  }

  @Test func aFolderIsDeleted() {
    let client = TestClient(["/w/sub/done.metric": done + test])
    client.open("/w/run.metric", run)
    #expect(client.codes("/w/run.metric")?.first != "T001 unknown-name")
    client.files.files = [:]
    client.notify("workspace/didChangeWatchedFiles", ["changes": [["uri": "file:///w/sub", "type": 3]]])
    #expect(client.codes("/w/run.metric")?.first == "T001 unknown-name")
  }

  @Test func severalFolders() {
    let client = TestClient(["/w/done.metric": done + test, "/v/done.metric": done + test])
    client.notify(
      "workspace/didChangeWorkspaceFolders",
      ["event": ["added": [["uri": "file:///v", "name": "v"]], "removed": []]])
    client.open("/w/done.metric", done + test)
    client.open("/v/run.metric", run)
    #expect(client.codes("/v/run.metric") == nil)
    let names = client.request("workspace/symbol", ["query": "done"]).items.map {
      $0["location"]["uri"].string
    }
    #expect(names == ["file:///v/done.metric", "file:///w/done.metric"])
  }

  @Test func linksInACircleEnd() {
    // The memory disk gives a folder the identity of its path; a link has that of its target.
    struct Linked: WorkspaceFiles {
      func entries(of folder: String) -> [FolderEntry] {
        [
          FolderEntry(name: "again", isFolder: true, identity: "one"),
          FolderEntry(name: "a.metric", isFolder: false, identity: "a"),
        ]
      }
      func contents(of path: String) -> [UInt8]? { path.hasSuffix(".metric") ? [] : nil }
    }
    let server = LanguageServer(files: Linked(), version: "") { _ in }
    let open =
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///w/a.metric","text":""}}}"#
    let start =
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":"file:///w","capabilities":{}}}"#
    server.receive([start, open].map { .body(Array($0.utf8)) })
  }
}
