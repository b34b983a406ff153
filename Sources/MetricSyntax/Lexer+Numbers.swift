import MetricDiagnostics

extension DiagnosticCode {
  package static let malformedNumber = DiagnosticCode("S005", "malformed-number")
  package static let malformedDay = DiagnosticCode("S006", "malformed-day")
}

extension Lexer {
  /// A day where the shape is exactly `dddd-dd-dd`, else a number.
  mutating func lexNumber() {
    let start = offset
    if let length = dayLength() {
      offset += length
      emit(.day, from: start)
    } else if let length = looseDayLength() {
      offset += length
      reportMalformedDay(from: start)
      emit(.day, from: start)
    } else {
      scanNumber()
      guard offset - start <= TokenLimit.number else {
        return refuse(from: start, "a number has at most \(TokenLimit.number) characters")
      }
      let problem = NumberShape(source.bytes[start..<offset]).problem
      if let problem {
        let place = span(from: start)
        let isGroup = start > 0 && source.bytes[start - 1] == UInt8(ascii: ",")
        report(
          .malformedNumber, "the number `\(source.text(place))` \(problem)", at: place,
          notes: isGroup ? [Note("a comma separates items; a long number is written `1_000`")] : [])
      }
      separateFromWord(from: start, isReported: problem != nil)
      emit(.number, from: start)
    }
  }

  private mutating func scanNumber() {
    skip { $0.isDigit || $0 == UInt8(ascii: "_") }
    if peek() == UInt8(ascii: "."), peek(1)?.isDigit == true {
      offset += 1
      skip { $0.isDigit || $0 == UInt8(ascii: "_") }
    }
    if peek() == UInt8(ascii: "%") { offset += 1 }
  }

  /// `7days` is two tokens that want a space; `1e5` or `3rd` is one that is no number.
  private mutating func separateFromWord(from start: Int, isReported: Bool) {
    guard peek()?.isNamePart == true else { return }
    let end = offset
    skip { $0.isNamePart }
    let word = source.text(end, offset)
    if Word(rawValue: word) != nil {
      let whole = span(from: start)
      offset = end
      guard !isReported else { return }
      report(
        .malformedNumber, "`\(source.text(whole))` needs a space between number and word", at: whole,
        fixes: [
          Fix("add a space", replace: Span(file: file, start: end, end: end), with: " ")
        ])
    } else {
      silencing.insert(tokens.count)
      guard !isReported else { return }
      report(
        .malformedNumber, "\(quoted(source.text(start, offset))) is not a number", at: span(from: start),
        notes: [
          FamiliarWord.note(word.filter(\.isLetter), as: .number)
            ?? Note("a number is written like `30`, `0.25`, `1_000` or `80%`")
        ])
    }
  }

  // MARK: Days

  /// The length of `dddd-dd-dd` at the offset, where nothing of a word or number touches its end.
  private func dayLength() -> Int? {
    for (distance, sign) in "dddd-dd-dd".utf8.enumerated() {
      guard let byte = peek(distance) else { return nil }
      guard sign == UInt8(ascii: "-") ? byte == sign : byte.isDigit else { return nil }
    }
    return peek(10)?.isNamePart == true ? nil : 10
  }

  /// The length of something like `2026-01-5` or `2026-01-31T08`: no day, yet no subtraction
  /// either, since a number has no leading zero.
  private func looseDayLength() -> Int? {
    var distance = 0
    var hasLeadingZero = false
    for part in 0..<3 {
      if part > 0 {
        guard peek(distance) == UInt8(ascii: "-") else { return nil }
        distance += 1
        hasLeadingZero =
          hasLeadingZero
          || (peek(distance) == UInt8(ascii: "0") && peek(distance + 1)?.isDigit == true)
      }
      let first = distance
      while peek(distance)?.isDigit == true { distance += 1 }
      guard distance > first else { return nil }
    }
    let touches = peek(distance)?.isLetter == true
    while peek(distance)?.isNamePart == true { distance += 1 }
    return hasLeadingZero || touches ? distance : nil
  }

  private mutating func reportMalformedDay(from start: Int) {
    let place = span(from: start)
    report(
      .malformedDay, "\(quoted(source.text(place))) is not a day", at: place,
      notes: [Note("a day is written with four, two and two digits, like `2026-01-31`")])
  }
}

/// The parts of a number as written, and what is wrong with them.
struct NumberShape {
  private var whole: [UInt8] = []
  private var fraction: [UInt8]?
  private var isPercent = false

  /// Reads the longest number at the start of the bytes.
  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte.isDigit || byte == UInt8(ascii: "_") {
        if fraction == nil { whole.append(byte) } else { fraction?.append(byte) }
      } else if byte == UInt8(ascii: "."), fraction == nil {
        fraction = []
      } else {
        isPercent = byte == UInt8(ascii: "%")
        break
      }
    }
  }

  /// A percent sign moves the point by two digits.
  private var longestFraction: Int { isPercent ? 4 : 6 }

  /// What is wrong, as the end of a sentence; nil where nothing is.
  var problem: String? {
    if whole.isEmpty { return "needs a digit before its decimal point" }
    if Self.hasMisplacedUnderscore(whole) || Self.hasMisplacedUnderscore(fraction ?? [0x30]) {
      return "has a `_` that is not between two digits"
    }
    if Self.digits(whole).count > 1, whole.first == UInt8(ascii: "0") {
      return "starts with a zero"
    }
    if Self.digits(fraction ?? []).count > longestFraction {
      return "has more than \(longestFraction) digits after its decimal point"
    }
    return nil
  }

  /// The number without `_`, mended where it is wrong.
  var text: String {
    let digits = Self.digits(whole)
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    var text = significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self)
    let decimals = Self.digits(fraction ?? []).prefix(longestFraction)
    if !decimals.isEmpty { text += "." + String(decoding: decimals, as: UTF8.self) }
    return isPercent ? text + "%" : text
  }

  private static func digits(_ bytes: [UInt8]) -> [UInt8] { bytes.filter(\.isDigit) }

  private static func hasMisplacedUnderscore(_ bytes: [UInt8]) -> Bool {
    bytes.first == UInt8(ascii: "_") || bytes.last == UInt8(ascii: "_")
      || zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "_") && $1 == $0 }
  }
}

/// Gives a day that was written with the wrong number of digits the right one, so that a finding
/// about its shape is not followed by one about its meaning.
func mendedDay(_ text: String) -> String {
  let bytes = Array(text.utf8)
  let parts = bytes.split(separator: UInt8(ascii: "-"), maxSplits: 2)
  guard parts.count == 3 else { return text }
  let padded = zip(parts, [4, 2, 2]).map { part, width in
    let digits = String(decoding: part.prefix { $0.isDigit }.prefix(width), as: UTF8.self)
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }
  return padded.joined(separator: "-")
}
