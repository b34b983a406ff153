import MetricLanguageServer

/// A place as editors count it: lines from 0, columns in UTF-16 code units.
struct EditorPlace: Equatable {
  var line: Int
  var character: Int

  var json: JSON { ["line": .int(line), "character": .int(character)] }
}

struct EditorRange {
  var start: EditorPlace
  var end: EditorPlace

  var json: JSON { ["start": start.json, "end": end.json] }
}

/// A text that is edited as the protocol says, written down a second time and as plainly as can be.
struct EditedText {
  struct Edit {
    /// Nil replaces everything.
    var range: EditorRange?
    var text: String
  }

  private var units: [UInt16]

  init(_ text: String) { units = Array(text.utf16) }

  var string: String { String(decoding: units, as: UTF16.self) }

  var count: Int { units.count }

  mutating func apply(_ edit: Edit) {
    guard let range = edit.range else {
      units = Array(edit.text.utf16)
      return
    }
    let start = offset(of: range.start)
    units.replaceSubrange(start..<max(start, offset(of: range.end)), with: edit.text.utf16)
  }

  /// The place of a code unit, moved off the middle of a pair or of a line end.
  func place(of offset: Int) -> EditorPlace {
    var offset = min(offset, units.count)
    while offset > 0, offset < units.count, splits(offset) { offset -= 1 }
    var place = EditorPlace(line: 0, character: 0)
    for index in 0..<offset { place = self.place(behind: index, at: place) }
    return place
  }

  private func splits(_ offset: Int) -> Bool {
    UTF16.isTrailSurrogate(units[offset]) || units[offset] == 0x0A && units[offset - 1] == 0x0D
  }

  private func place(behind index: Int, at place: EditorPlace) -> EditorPlace {
    let isFirstOfTwo = index + 1 < units.count && units[index + 1] == 0x0A
    let endsLine = units[index] == 0x0A || units[index] == 0x0D && !isFirstOfTwo
    return endsLine
      ? EditorPlace(line: place.line + 1, character: 0)
      : EditorPlace(line: place.line, character: place.character + 1)
  }

  private func offset(of wanted: EditorPlace) -> Int {
    var place = EditorPlace(line: 0, character: 0)
    for index in units.indices {
      if place == wanted { return index }
      place = self.place(behind: index, at: place)
    }
    return units.count
  }
}

/// What an editor does, read from arbitrary bytes.
struct EditorScript {
  enum Step {
    case edit(EditedText.Edit)
    case ask(String, JSON)
  }

  private static let questions = [
    "hover", "completion", "definition", "references", "documentHighlight", "prepareRename", "rename",
    "documentSymbol", "formatting", "codeAction", "codeLens", "foldingRange", "inlayHint",
    "semanticTokens/full",
  ]

  /// Pieces of definitions, so that what is typed often means something.
  private static let words = [
    "measure m { for user value ", "count(Event)", " }\n", "streak s { of done }", "{", "}", "(", ")", "\"",
    "// ", "/// ", "\n", "\r\n", " where ", "é", "😀", "test \"t\" {", "expect m for \"a\" at 2026-01-01 = 1",
    "of ", "fact F { id : ID dayKey : DayKey }", "offset 7 days", "allow W006 \"why\"", "over last 7 days",
  ]

  private var bytes: ArraySlice<UInt8>

  /// More steps than these take long and find nothing new.
  private var stepsLeft = 24

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  private mutating func number() -> Int? { bytes.popFirst().map(Int.init) }

  mutating func next(in text: EditedText) -> Step? {
    guard stepsLeft > 0, let kind = number() else { return nil }
    stepsLeft -= 1
    guard kind % 3 != 0 else { return question(in: text) }
    guard let range = range(in: text), let word = number() else { return nil }
    if kind % 16 == 1 { return .edit(EditedText.Edit(range: nil, text: Self.words[word % Self.words.count])) }
    let typed = kind % 2 == 0 ? Self.words[word % Self.words.count] : typed(word % 24)
    return .edit(EditedText.Edit(range: range, text: typed))
  }

  /// The next bytes themselves, a NUL left out.
  private mutating func typed(_ count: Int) -> String {
    defer { bytes = bytes.dropFirst(count) }
    return String(decoding: bytes.prefix(count).filter { $0 != 0 }, as: UTF8.self)
  }

  private mutating func range(in text: EditedText) -> EditorRange? {
    guard let high = number(), let low = number(), let length = number() else { return nil }
    let start = (high << 8 | low) % (text.count + 1)
    return EditorRange(
      start: text.place(of: start), end: text.place(of: min(text.count, start + length % 40)))
  }

  private mutating func question(in text: EditedText) -> Step? {
    guard let which = number(), let range = range(in: text) else { return nil }
    let method = Self.questions[which % Self.questions.count]
    let params: JSON = [
      "textDocument": ["uri": .string(Harness.document)], "position": range.start.json, "range": range.json,
      "newName": "other_name", "context": ["diagnostics": []],
      "options": ["tabSize": 2, "insertSpaces": true],
    ]
    return .ask("textDocument/\(method)", params)
  }
}
