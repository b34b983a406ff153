import Testing

@testable import MetricImport

@Suite struct AmountTests {
  @Test func numbersOfExports() {
    let numbers = [
      ("12.5", "12.5"), ("-2150000000", "-2150000000"), ("31.41592653", "31.415927"), ("1e3", "1000"),
      ("2.5E-6", "0.000003"), ("0.0000005", "0.000001"), ("0.00000049", "0"), ("-0.0000005", "-0.000001"),
      ("9000000000000", "9000000000000"), ("1.", "1"), ("007", "7"), (".5", "0.5"), ("1e-20", "0"),
    ]
    for (text, expected) in numbers { #expect(Amount(text)?.text == expected, "\(text)") }
    for text in [
      "", "-", ".", "1,5", "1e", "1e999", "1e-9223372036854775808", "9000000000001", "0x10", "nan", "1 2",
      "٣",
    ] {
      #expect(Amount(text) == nil, "\(text)")
    }
    #expect(Amount("12.345678")?.isRounded == false)
    #expect(Amount("12.3456781")?.isRounded == true)
    #expect(Amount("200")?.scaled(1, by: 60)?.text == "3.333333")
  }
}
