import Foundation
import MetricTestSupport
import Testing

/// Whoever takes the repository or the editor's package takes its licence with it.
@Suite struct LicenceTests {
  @Test func theLicenceStandsAtTheRootAndInThePackage() throws {
    let licence = try Repository.text("LICENSE")
    #expect(licence.contains("Apache License\n"))
    #expect(licence.contains("END OF TERMS AND CONDITIONS"))
    #expect(try Repository.text("Grammar/vscode-metric/LICENSE") == licence)
    let package = try Repository.text("Grammar/vscode-metric/package.json")
    #expect(package.contains("\"license\": \"Apache-2.0\""))
  }
}
