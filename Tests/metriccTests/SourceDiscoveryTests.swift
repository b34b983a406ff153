import Foundation
import Testing

@testable import metricc

struct SourceDiscoveryTests {
  private func paths(_ arguments: [String], in folder: TemporaryFolder) throws -> [String] {
    try SourceDiscovery.sources(at: arguments).map { $0.path.replacingOccurrences(of: folder.path, with: "") }
  }

  private func failure(_ arguments: [String]) throws -> CommandFailure {
    try #require(throws: CommandFailure.self) { try SourceDiscovery.sources(at: arguments) }
  }

  @Test func aFolderIsReadInTheOrderOfItsBytes() throws {
    let folder = try TemporaryFolder()
    for name in ["b.metric", "a/z.metric", "a.metric", "a-b.metric", "Z.metric", "é.metric", "notes.txt"] {
      try folder.write(name, "")
    }
    #expect(
      try paths([folder.path], in: folder) == [
        "/Z.metric", "/a-b.metric", "/a.metric", "/a/z.metric", "/b.metric", "/é.metric",
      ])
  }

  @Test func hiddenFoldersAndFilesArePassedOver() throws {
    let folder = try TemporaryFolder()
    for name in [".build/a.metric", ".git/b.metric", ".c.metric", "d.metric"] { try folder.write(name, "") }
    #expect(try paths([folder.path], in: folder) == ["/d.metric"])
  }

  @Test func aPathGivenTwiceCountsOnce() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("b/x.metric", "")
    try folder.write("a.metric", "")
    try folder.link("link.metric", to: file)
    #expect(try paths([file, folder.path, folder.path + "/b"], in: folder) == ["/b/x.metric", "/a.metric"])
  }

  @Test func loopsOfLinksEnd() throws {
    let folder = try TemporaryFolder()
    try folder.write("a/x.metric", "")
    try folder.link("a/up", to: folder.path)
    #expect(try paths([folder.path], in: folder) == ["/a/x.metric"])
  }

  @Test func everyPathAtFaultIsNamed() throws {
    let folder = try TemporaryFolder()
    let notes = try folder.write("empty/notes.txt", "")
    let failure = try failure([folder.path("none.metric"), folder.path("empty"), notes])
    #expect(failure.status == .unreadable)
    #expect(
      failure.messages == [
        "cannot read `\(folder.path)/none.metric`: No such file or directory",
        "there is no `.metric` file in `\(folder.path)/empty`",
        "`\(notes)` is neither a folder nor a `.metric` file",
      ])
  }

  @Test func aDefinitionThatLinksToNowhereIsAFailure() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", "")
    try folder.link("b.metric", to: "nowhere")
    try folder.link("other", to: "nowhere")
    let failure = try failure([folder.path])
    #expect(failure.messages == ["cannot read `\(folder.path)/b.metric`: No such file or directory"])
  }

  @Test func bytesAreKeptAsTheyStand() throws {
    let folder = try TemporaryFolder()
    let text = String(repeating: "// Bücher\r\n", count: 10_000)
    let path = try folder.write("a.metric", text)
    #expect(try SourceDiscovery.sources(at: [path]).map(\.bytes) == [Array(text.utf8)])
  }
}
