/// What is fuzzed: arbitrary bytes go into one part of the program, and something must hold of what comes out.
///
/// A harness returns nil where all is well, else what is wrong; a crash or a hang needs no words.
enum Harness: String, CaseIterable {
  /// Parse, resolve, check; format twice; run the tests.
  case definitions
  /// Read a file of records in every way there is: whole, in parts, through small windows, folded.
  case csv, ndjson, json
  /// Definitions, then for each file of a dataset a NUL byte, its name, a line end and its bytes.
  case evaluation
  /// A text, a NUL byte, and what an editor does with it.
  case editor
  /// Bytes that come to the language server.
  case messages
  /// A kind of import, a line end, and an export of that kind; for the generic kinds a mapping and a NUL byte
  /// before it.
  case imports

  func complaint(_ bytes: [UInt8]) -> String? {
    switch self {
    case .definitions: definitions(bytes)
    case .csv: records(bytes, .csv)
    case .ndjson: records(bytes, .ndjson)
    case .json: records(bytes, .json)
    case .evaluation: evaluation(bytes)
    case .editor: editor(bytes)
    case .messages: messages(bytes)
    case .imports: imports(bytes)
    }
  }
}
