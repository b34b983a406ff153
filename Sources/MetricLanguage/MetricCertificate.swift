import MetricPlan

/// The answers to the four questions for a metric that has a plan, and what they rest on.
///
/// An answer is true if the question was checked and nothing was found, in the metric or in one that it reads.
public struct MetricCertificate: Hashable, Sendable {
  /// C1: from canonical facts and DayKeys.
  public var isRecomputable: Bool
  /// C2: truth remains when it is deleted.
  public var isDerived: Bool
  /// C3: a time-zone change preserves history.
  public var isTimeZoneSafe: Bool
  /// C4; nil for `audience team` and for a reading, which the question does not bind.
  public var isNonPunitive: Bool?
  /// Whether it is a `reading`: observed, and no score.
  public var isReading: Bool
  /// Of all parts together, as facts are added.
  public var direction: Direction
  /// In the order of the rows; the ranges of the metric are those of the first.
  public var parts: [PartCertificate]
  /// Every field that it rests on: `HabitEntry.dayKey`.
  public var leaves: [String]
  /// Those of them that somebody declared: parameters of what was measured.
  public var declared: [String]
  /// What it rests on that is called derived by its name, or might be, and that somebody says was `observed`.
  public var observed: [String]

  /// The records whose facts can end a window, with the completion whose limit names them, and why. For a record
  /// `Smoke` limited in `smoke_free`: the record, ", in ", the name in backticks, a colon and the text.
  public var limits: [String]

  public var low: FixedDecimal? { parts.first?.low }
  public var high: FixedDecimal? { parts.first?.high }
  public var onNoData: ValueOnNoData { parts.first?.onNoData ?? .none }
}

/// The verdict on each metric of a plan, from the findings and the analysis.
struct Verdicts {
  private(set) var isAccepted: [Bool] = []
  private(set) var certificates: [MetricCertificate] = []

  init(_ analysis: DirectionAnalysis, _ findings: [Diagnostic]) {
    let library = analysis.library
    var errors: [String: Set<Character>] = [:]
    for finding in findings where finding.severity == .error {
      guard let metric = finding.metric else { continue }
      // The digit of a `C` code.
      let question = finding.code.id.first == "C" ? finding.code.id.dropFirst().first : nil
      errors[metric, default: []].insert(question ?? "-")
    }
    let provenance = library.provenance
    let bases = BasisAnalysis(analysis)
    let declaredFields = library.declaredFields
    // By metric: the questions with a finding, in it or in what it reads. A metric comes after those.
    var failed: [Set<Character>] = []
    for (id, metric) in library.metrics.enumerated() {
      let reads = library.reads(metric)
      let own = errors[metric.name] ?? []
      failed.append(reads.reduce(into: own) { $0.formUnion(failed[$1]) })
      let restsOnRejected = reads.contains { !isAccepted[$0] }
      isAccepted.append(own.isEmpty && !(metric.audience == .user && restsOnRejected))
      let (proved, leaves) = (bases.certificates(of: id), provenance[id].leaves.sorted())
      // Fields, and the ids of records that were observed as a whole.
      let observed =
        leaves.filter { library[$0].observed != nil } + provenance[id].records.compactMap(library.observation)
      certificates.append(
        MetricCertificate(
          isRecomputable: !failed[id].contains("1"), isDerived: !failed[id].contains("2"),
          isTimeZoneSafe: !failed[id].contains("3"),
          isNonPunitive:
            metric.audience == .user && metric.readingReason == nil ? !failed[id].contains("4") : nil,
          isReading: metric.readingReason != nil,
          direction: proved.direction, parts: proved,
          leaves: leaves.map(library.name),
          declared: leaves.filter(declaredFields.contains).map(library.name),
          observed: Set(observed).sorted().map(library.name),
          limits: library.limits(behind: id).map { completion, limit in
            let records = limit.records.map { library.records[$0].name }.sorted().joined(separator: ", ")
            return "\(records), in `\(library.metrics[completion].name)`: \(limit.reason)"
          }))
    }
  }
}
