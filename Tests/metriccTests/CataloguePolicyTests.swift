import Foundation
import Testing

@testable import MetricCatalogue

/// The policy of the pages names the style and the script that stand in them.
@Suite struct CataloguePolicyTests {
  /// The SHA-256 of a text in Base64, as a policy writes it, by the system's `sha256sum` or `shasum`.
  private func hash(_ text: String) throws -> String {
    let folder = try TemporaryFolder()
    try folder.write("text", text)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", "{ sha256sum \"$0\" || shasum -a 256 \"$0\"; } 2>/dev/null", "\(folder.path)/text",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let digits = Array(output.fileHandleForReading.readDataToEndOfFile().prefix(64))
    process.waitUntilExit()
    let pairs = stride(from: 0, to: digits.count, by: 2).map {
      String(decoding: digits[$0..<$0 + 2], as: UTF8.self)
    }
    return Data(pairs.compactMap { UInt8($0, radix: 16) }).base64EncodedString()
  }

  @Test func hashesAreFresh() throws {
    #expect(Stylesheet.hash == (try hash(Stylesheet.text)), "write this hash into Stylesheet.swift")
    #expect(Script.hash == (try hash(Script.text)), "write this hash into Script.swift")
  }
}
