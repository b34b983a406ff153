import Crypto
import Foundation
import Testing

@testable import MetricCatalogue

/// The policy of the pages names the style and the script that stand in them.
@Suite struct CataloguePolicyTests {
  private func hash(_ text: String) -> String {
    Data(SHA256.hash(data: Data(text.utf8))).base64EncodedString()
  }

  @Test func hashesAreFresh() {
    #expect(Stylesheet.hash == hash(Stylesheet.text), "write this hash into Stylesheet.swift")
    #expect(Script.hash == hash(Script.text), "write this hash into Script.swift")
  }
}
