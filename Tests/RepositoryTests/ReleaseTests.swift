import Foundation
import MetricTestSupport
import Testing

/// What names the version of a release names the one of the command.
@Suite struct ReleaseTests {
  static let version = try? Repository.text("Sources/metricc/Metricc.swift")
    .firstMatch(of: /\n    version: "(\d+\.\d+\.\d+)"/).map { String($0.output.1) }

  @Test(arguments: [
    ("pyproject.toml", #"version = "VERSION""#), ("pyproject.toml", #"dependencies = ["metricc==VERSION"]"#),
    ("Grammar/vscode-metric/package.json", #""version": "VERSION","#),
    ("Documentation/CI.md", "example/metricc@vVERSION\n"), ("Documentation/CI.md", "rev: vVERSION\n"),
    ("Documentation/CI.md", "metricc_VERSION_amd64.deb"),
  ])
  func everyFileHasTheVersion(_ path: String, _ wanted: String) throws {
    let line = wanted.replacing("VERSION", with: try #require(Self.version))
    #expect(try Repository.text(path).contains(line), "\(path) has no `\(line)`")
  }

  /// pre-commit learns of a wrong name only in the project of a user.
  @Test func theHooksCallCommandsThatExist() throws {
    let lines = try Repository.lines(".pre-commit-hooks.yaml")
    let ids = lines.compactMap { $0.firstMatch(of: /^ +id: (\S+)/).map { String($0.output.1) } }
    #expect(ids.count == 6 && Set(ids).count == 6)
    for id in ids where !id.hasSuffix("-system") {
      let command = id.dropFirst("metricc-".count)
      #expect(lines.contains("  entry: metricc \(command)"))
      #expect(ids.contains("\(id)-system"), "\(id) has no twin for a command on the path")
      let files = Repository.files("Command.swift", under: "Sources/metricc")
      #expect(try files.contains { try Repository.text($0).contains("commandName: \"\(command)\"") })
    }
  }

  /// Who takes the binary takes the licence of what is linked into it.
  @Test func theNoticeNamesWhatTheBillOfMaterialsNames() throws {
    let notice = try Repository.text(".ci/packaging/NOTICE")
    let bill = try Repository.text(".ci/packaging/sbom.py")
    #expect(bill.contains("\"Unicode-3.0\"") && notice.contains("Unicode License V3"))
    for pin in try Repository.text("Package.swift").matches(of: /url: "https:\S+\/(swift-[\w-]+)"/) {
      let name = String(pin.output.1)
      #expect(notice.contains(name) || name == "swift-docc-plugin", "NOTICE does not name \(name)")
    }
  }
}
