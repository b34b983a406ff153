import Testing

@testable import MetricValues

@Suite struct GroupKeyTests {
  @Test func severalFieldsAreARecordOfCSV() {
    #expect(GroupKey(["de", "pro"]).text == "de,pro")
    #expect(GroupKey(["a,b", "say \"x\"", "", "1\n2"]).text == "\"a,b\",\"say \"\"x\"\"\",,\"1\n2\"")
    #expect(GroupKey("a,b").text == "a,b" && GroupKey().text.isEmpty)
  }

  @Test(
    "What is written is read again",
    arguments: [
      ["de", "pro"], ["", ""], ["a,b", "\""], ["\"\"", "x\r\n", ",", "\",\""], ["", "\u{1}", "é"],
    ])
  func recordsAreReadAgain(fields: [String]) {
    #expect(GroupKey(GroupKey(fields).text, fieldCount: fields.count) == GroupKey(fields))
  }

  @Test(arguments: ["de", "de,pro,x", "\"de,pro", "\"de\"x,pro"])
  func otherFieldsAreNoGroup(text: String) { #expect(GroupKey(text, fieldCount: 2) == nil) }

  @Test func fieldsOrderOneAfterTheOther() {
    let sorted: [GroupKey] = [["a", "z"], ["a!", "a"], ["b", ""], ["b", "a"]]
    #expect(sorted.reversed().sorted() == sorted)
    // The record of CSV would have them the other way round.
    #expect(sorted[0] < sorted[1] && sorted[0].text > sorted[1].text)
  }

  @Test func bytesAreWhatCounts() {
    #expect(GroupKey("e\u{301}") != GroupKey("é") && Set<GroupKey>(["e\u{301}", "é"]).count == 2)
    #expect(GroupKey(["ab", "c"]) != GroupKey(["a", "bc"]))
  }
}
