import Testing

@testable import metricc

/// One at a time: what is held is that of the process.
@Suite(.serialized) struct CaptureTests {
  @Test func outputAndRemarksAreHeld() {
    let captured = Capture.of {
      try BufferedOutput.print("one\ntwo\n")
      Remarks.say("beside it")
      throw CommandFailure.usage("wrong")
    }
    #expect(captured.output == Array("one\ntwo\n".utf8))
    #expect(captured.lineCount == 2 && !captured.isCut)
    #expect(captured.remarks == "metricc: beside it\n")
    #expect(captured.error as? CommandFailure == .usage("wrong"))
    #expect(!Capture.isActive)
  }

  /// The start is kept up to a whole line, and every line is counted.
  @Test func longOutputIsCutBehindALine() {
    let line = Array(repeating: UInt8(ascii: "x"), count: 999) + [UInt8(ascii: "\n")]
    let captured = Capture.of {
      let output = BufferedOutput.standardOutput
      for _ in 0..<20_000 { output.write(line) }
      try output.finish()
    }
    #expect(captured.isCut && captured.lineCount == 20_000)
    #expect(captured.output.count == Capture.most / 1000 * 1000)
    #expect(captured.output.last == UInt8(ascii: "\n"))
  }

  /// Half of a JSON object is worth nothing.
  @Test func aLongLineIsNotKept() {
    let captured = Capture.of { try BufferedOutput.print(String(repeating: "x", count: Capture.most + 1)) }
    #expect(captured.isCut && captured.output.isEmpty && captured.error == nil)
  }
}
