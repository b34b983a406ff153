import Foundation

#if FUZZING
  /// libFuzzer's entry point; `METRICC_FUZZ` names the harness.
  @_cdecl("LLVMFuzzerTestOneInput")
  public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    if let complaint = chosenHarness.complaint(input) { fatalError(complaint) }
    return 0
  }

  private let chosenHarness: Harness = {
    let name = ProcessInfo.processInfo.environment["METRICC_FUZZ"] ?? ""
    guard let harness = Harness(rawValue: name) else {
      fatalError("METRICC_FUZZ is one of \(Harness.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return harness
  }()
#else
  /// Without libFuzzer: plays inputs again, and mutates them at random.
  ///
  ///     metricc-fuzz HARNESS FILE… [--runs N] [--seed S]
  @main struct Fuzz {
    static func main() {
      guard let options = FuzzOptions(Array(CommandLine.arguments.dropFirst())) else {
        let names = Harness.allCases.map(\.rawValue).joined(separator: "|")
        print("usage: metricc-fuzz \(names) FILE-OR-FOLDER… [--runs N] [--seed S]")
        exit(64)
      }
      exit(options.run() ? 0 : 1)
    }
  }
#endif
