import Testing

@testable import MetricEvaluate

/// The examples of FIPS 180-4, and lengths around the end of a block, as `sha256sum` has them.
@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c14"), ("abc", "ba7816bf8f01cfea"),
    ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "248d6a61d20638b8"),
    (String(repeating: "a", count: 55), "9f4390f8d30c2dd9"),
    (String(repeating: "a", count: 56), "b35439a4ac6f0948"),
    (String(repeating: "a", count: 64), "ffe054fe7ae0cb6d"),
  ])
  func knownHashes(_ text: String, _ hash: String) {
    #expect(SHA256.prefix(of: text) == hash)
  }
}
