import MetricTestSupport
import Testing

@testable import MetricLanguageServer

@Suite struct DocumentTextTests {
  @Test func utf16PositionsCountCodeUnits() {
    let text = DocumentText("é😀x\r\ny\rz\n")
    let places: [(Int, Int, Int, Int)] = [
      // line, UTF-16, UTF-8, offset
      (0, 0, 0, 0), (0, 1, 2, 2), (0, 3, 6, 6), (0, 4, 7, 7), (1, 0, 0, 9), (1, 1, 1, 10), (2, 0, 0, 11),
      (3, 0, 0, 13),
    ]
    for (line, utf16, utf8, offset) in places {
      #expect(text.offset(of: TextPosition(line: line, character: utf16), in: .utf16) == offset)
      #expect(text.offset(of: TextPosition(line: line, character: utf8), in: .utf8) == offset)
      #expect(text.position(of: offset, in: .utf16) == TextPosition(line: line, character: utf16))
      #expect(text.position(of: offset, in: .utf8) == TextPosition(line: line, character: utf8))
    }
  }

  @Test func positionsOutsideAreClamped() {
    let text = DocumentText("ab\ncd")
    #expect(text.offset(of: TextPosition(line: 0, character: 99), in: .utf16) == 2)
    #expect(text.offset(of: TextPosition(line: 9, character: 0), in: .utf16) == 5)
    #expect(text.offset(of: TextPosition(line: -1, character: -1), in: .utf16) == 0)
    // Inside a surrogate pair: the start of the character.
    #expect(DocumentText("😀").offset(of: TextPosition(line: 0, character: 1), in: .utf16) == 0)
  }

  /// Edits by positions do what edits of the whole text do.
  @Test func randomEdits() {
    var random = SeededGenerator(seed: testSeed)
    for encoding in PositionEncoding.allCases {
      var text = DocumentText("streak s {\n  of done\n}\n")
      for _ in 0..<400 {
        let boundaries =
          Array(
            text.string.unicodeScalars.indices.map {
              text.string.utf8.distance(from: text.string.startIndex, to: $0)
            }) + [text.bytes.count]
        let ends = [random.pick(boundaries), random.pick(boundaries)].sorted()
        // A position between `\r` and `\n` does not exist.
        guard
          !ends.contains(where: {
            $0 > 0 && $0 < text.bytes.count && text.bytes[$0 - 1] == 13 && text.bytes[$0] == 10
          })
        else { continue }
        let new = random.pick(["", "x", "é", "😀", "\n", "\r\n", "\r", "of", "{ }"])
        var expected = text.bytes
        expected.replaceSubrange(ends[0]..<ends[1], with: new.utf8)
        text.replace(
          from: text.position(of: ends[0], in: encoding), to: text.position(of: ends[1], in: encoding),
          with: new,
          in: encoding)
        #expect(text == DocumentText(expected), "\(random.replay)")
        if text.bytes.count > 200 { text = DocumentText("s") }
      }
    }
  }
}
