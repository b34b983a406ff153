/// Records of the story reading app as CloudKit's web services give them: `{"records": [{"recordName": …,
/// "recordType": …, "fields": {"startedAt": {"value": …, "type": "TIMESTAMP"}}}]}`, once or several times.
struct CloudKitRecords {
  let file: ExportFile
  let zone: Zone?
  let output: DatasetOutput
  private var report: ImportReport { output.report }

  func run() throws(ImportFailure) {
    var parser = JSONParser(file)
    guard !parser.isAtEnd() else {
      throw file.failure("found an empty file, expected records", at: file.start)
    }
    while !parser.isAtEnd() {
      let node = try parser.next()
      if node["continuationMarker"] != nil || node["moreComing"]?.bool == true {
        report.leftOut("answer that says more is coming", "give the answers that follow it, too")
      }
      if let records = node["records"]?.items ?? node.items {
        for record in records { try add(record) }
      } else {
        try add(node)
      }
    }
  }

  private func add(_ node: JSONNode) throws(ImportFailure) {
    guard let type = node["recordType"]?.string, let name = node["recordName"]?.string, !name.isEmpty else {
      throw node.failure(
        "found \(node.described) without `recordType` and `recordName`, expected a record of CloudKit")
    }
    guard node["deleted"]?.bool != true else { return report.leftOut("deleted record \(type)") }
    guard let record = StoryRecord.all.first(where: { $0.name == type }) else {
      return report.leftOut("record \(type)", "the story reading app has no such record")
    }
    output.declare(type, record.columns)
    var values = ["id": name]
    var zoneName = ""
    for (key, field) in node["fields"]?.members ?? [] {
      if StoryRecord.zoneFields.contains(key), let name = field["value"]?.string {
        zoneName = name
      } else if let known = record.fields.first(where: { $0.isCalled(key) }) {
        values[known.name] = try cell(field, known)
      } else {
        report.leftOut("field \(key) of \(type)")
      }
    }
    for key in ["created", "modified"] where node[key] != nil {
      report.leftOut("\(key) mark of \(type)", "it says when the record was stored")
    }
    try derive(record, &values, zoneName, node)
    output.add(type, values)
  }

  private func cell(_ field: JSONNode, _ known: StoryRecord.Field) throws(ImportFailure) -> String {
    guard let value = field["value"] else { return "" }
    let (text, expected): (String?, String) =
      switch known.kind {
      case .text: (value.string ?? value["fileChecksum"]?.string, "a text")
      case .reference: (value["recordName"]?.string ?? value.string, "a reference")
      case .whole:
        (
          value.integer.flatMap { $0 < known.least ? nil : String($0) },
          "a whole number, \(known.least) or more"
        )
      case .number: (value.number.flatMap { Amount($0) }?.text, "a number")
      case .instant:
        (value.integer.flatMap(CloudKitRecords.instant)?.description, "milliseconds since 1970-01-01")
      case .day: (value.string.flatMap { DayKey($0) }?.description, "a day `YYYY-MM-DD` from \(DayKey.range)")
      }
    guard let text else { throw value.fault("`\(known.source)`", expected: expected) }
    return text
  }

  private static func instant(_ milliseconds: Int64) -> Instant? {
    let (microseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1000)
    let instant = Instant(microseconds: microseconds)
    return !overflow && LocalTime(utc: instant) != nil ? instant : nil
  }

  /// Fills in the DayKey of a fact from its instant, and the length of a session from its two ends.
  private func derive(
    _ record: StoryRecord, _ values: inout [String: String], _ zoneName: String, _ node: JSONNode
  ) throws(ImportFailure) {
    if record.columns.contains("durationSeconds"), values["durationSeconds"] == nil,
      let start = values["startedAt"].flatMap({ Instant($0) }),
      let end = values["endedAt"].flatMap({ Instant($0) }), end >= start
    {
      values["durationSeconds"] = String((end.microseconds - start.microseconds) / 1_000_000)
      report.decided("length of a session taken from its start and end")
    }
    if let source = record.instantOfDay, values["dayKey"] == nil {
      guard let text = values[source], let time = LocalTime(text) else {
        throw node.failure("found a `\(record.name)` with neither `dayKey` nor `\(source)`")
      }
      do throws(Moment.Fault) {
        let moment = try Moment(time, ownZone: zoneName, zone: zone)
        report.decided(moment.source)
        values["dayKey"] = moment.day.description
      } catch {
        throw node.failure("`\(source)` is \(quoted(text)), \(error.message)")
      }
    }
    for field in record.fields where field.isRequired && (values[field.name] ?? "").isEmpty {
      throw node.failure("found a `\(record.name)` without `\(field.source)`")
    }
  }
}

/// A record type of the story reading app: its fields as the app and as `Definitions/StoryReading` name them.
private struct StoryRecord: Sendable {
  enum Kind: String, Sendable { case text, reference, whole, number, instant, day }

  struct Field: Sendable {
    var source: String
    var name: String
    var kind: Kind
    var isRequired: Bool
    var least: Int64

    /// Whether an app calls it so; a reference may also be `bookId`.
    func isCalled(_ key: String) -> Bool { key == source || kind == .reference && key == source + "Id" }
  }

  var name: String
  var fields: [Field]
  /// The instant that the DayKey of a fact is made of.
  var instantOfDay: String? { name == "ReadingSession" ? "startedAt" : nil }

  var columns: [String] { ["id"] + fields.map(\.name) }

  /// The names under which an app keeps the zone of a record.
  static let zoneFields = ["timeZone", "timeZoneIdentifier"]

  /// A line per record: its name, then its fields, a `!` after those that every record must have, and the kind of what
  /// is not text.
  static let all = """
    Book title subtitle author summary level topic length pageCount!whole
    Page book!reference index!whole estimatedWordCount:whole
    TextVariant page!reference kind! languageCode content displayOrder:whole
    DictionaryEntry book!reference lemma term definition partOfSpeech example level pageIndex:whole
    UserProfile userId:reference displayName preferredLocale readingStreak:whole lastSessionAt:instant
    ReadingSession user!reference book:reference dayKey!day startedAt:instant endedAt:instant durationSeconds!whole \
    wordsRead:whole startPageIndex:whole endPageIndex:whole audioAsset notes
    WordProgress user!reference book:reference lemma proficiency:number correctCount:whole incorrectCount:whole \
    lastReviewedAt:instant
    BookProgress user!reference book!reference lastPageIndex:whole percentComplete:number lastOpenedAt:instant \
    completedAt:instant
    Achievement user!reference code earnedAt:instant progressValue:number detail
    """.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      return StoryRecord(name: String(words[0]), fields: words.dropFirst().map(field))
    }

  private static func field(_ word: Substring) -> Field {
    let parts = word.split(omittingEmptySubsequences: false) { "!:".contains($0) }
    let source = String(parts[0])
    return Field(
      source: source, name: ["pageCount": "pages", "estimatedWordCount": "estimatedWords"][source] ?? source,
      kind: Kind(rawValue: String(parts.last ?? "")) ?? .text, isRequired: word.contains("!"),
      least: ["pageCount": 1, "displayOrder": .min][source] ?? 0)
  }
}
