import Foundation
import Testing

@testable import metricc

struct AtomicFileTests {
  @Test func theFileAppearsAtTheEnd() throws {
    let folder = try TemporaryFolder()
    let file = try AtomicFile(path: folder.path("rows.csv"))
    file.stream.write(String(repeating: "a row\n", count: 50_000))
    #expect(!folder.names.contains("rows.csv"))
    try file.commit()
    #expect(folder.names == ["rows.csv"])
    #expect(try folder.read("rows.csv").utf8.count == 300_000)
  }

  @Test func nothingIsLeftOfAFileThatIsGivenUp() throws {
    let folder = try TemporaryFolder()
    try folder.write("rows.csv", "old")
    do {
      let file = try AtomicFile(path: folder.path("rows.csv"))
      file.stream.write("new")
      #expect(folder.names.count == 2)
    }
    #expect(folder.names == ["rows.csv"])
    #expect(try folder.read("rows.csv") == "old")
  }

  @Test func linksAndPermissionsAreKept() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("there/rows.csv", "old")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try folder.link("rows.csv", to: path)
    let file = try AtomicFile(path: folder.path("rows.csv"))
    file.stream.write("new")
    try file.commit()
    #expect(try folder.read("there/rows.csv") == "new")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("rows.csv")) == path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  @Test func aDeviceIsWrittenToAsItIs() throws {
    let file = try AtomicFile(path: "/dev/null")
    file.stream.write("gone")
    try file.commit()
    #expect(FileStatus(path: "/dev/null")?.kind == .other)
  }

  @Test func aFolderAndAMissingFolderAreFailures() throws {
    let folder = try TemporaryFolder()
    let isFolder = #expect(throws: CommandFailure.self) { try AtomicFile(path: folder.path) }
    #expect(isFolder?.messages == ["cannot write `\(folder.path)`: Is a directory"])
    let missing = folder.path("none/rows.csv")
    let isMissing = #expect(throws: CommandFailure.self) { try AtomicFile(path: missing) }
    #expect(isMissing?.messages == ["cannot write `\(missing)`: No such file or directory"])
  }
}
