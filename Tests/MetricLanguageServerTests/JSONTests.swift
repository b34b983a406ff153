import MetricLanguageServer
import Testing

@Suite struct JSONTests {
  private func parse(_ text: String) throws(ResponseError) -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test(arguments: [
    (#"{"a":[1,-2.5,true,false,null,"x"],"b":{}}"#, #"{"a":[1,-2.5,true,false,null,"x"],"b":{}}"#),
    (#" "\u00e9\n\ud83d\ude00" "#, "\"é\\n😀\""), (#""\ud83d""#, "\"\u{FFFD}\""), ("1e2", "100"),
    (#""\\ud83d \ud83d\u0041""#, "\"\\\\ud83d \u{FFFD}A\""),
    ("9223372036854775808", "9.223372036854776e+18"),
  ])
  func values(text: String, written: String) throws {
    #expect(try parse(text).text.description == written)
  }

  @Test(arguments: [
    "", "{", "01", "1.", "nul", "\"a", "\"\\x\"", "\"\u{1}\"", "{}x", "{1:2}", "[1 2]", "-",
  ])
  func malformed(text: String) {
    #expect(throws: ResponseError.self) { try parse(text) }
  }

  @Test func deepNestingIsRefused() {
    let text = String(repeating: "[", count: 5000)
    #expect(throws: ResponseError.self) { try parse(text) }
  }

  @Test func whatIsNotThereIsNull() throws {
    let message = try parse(#"{"a":{"b":[1]}}"#)
    #expect(message["a"]["b"][0].int == 1)
    #expect(message["a"]["c"][3]["d"].isNull)
  }
}
