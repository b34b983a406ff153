import ArgumentParser

struct WhyCommand: DefinitionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explains one value: windows, conditions, links and the records behind it.",
    discussion: """
      Examples:
        metricc why daily_streak Definitions --data Export --subject read
        metricc why goal_progress Definitions --data Export --subject run-200-km
        metricc why first_lesson Definitions --data Export --subject ada
        metricc why dau Definitions --data Export --format json
        metricc why mau Definitions --data Export --by country --group de
        metricc why daily_streak Definitions --data Export --subject read --ahead

      For a funnel or a retention --subject names one of the counted subjects. A metric for app has \
      no subject. --ahead takes completions, streaks, momenta, progresses and levels of one subject.

      Exit status: 0 explained, also if there is no value; 1 the definitions are rejected; 2 input could \
      not be read or is malformed; 64 wrong usage.
      """)

  @Argument(help: "The metric to explain.", completion: .metricNames)
  var name: String

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: .dataFiles, completion: .file())
  var data: [String]

  @OptionGroup var columns: ColumnOptions

  @Option(help: .value("id", "The subject to explain."))
  var subject: String?

  @Option(
    help: .value(
      "group", "The group to explain, if the metric has groups: `pro`, of several fields `de,pro`."))
  var group: String?

  @Option(help: .referenceDay)
  var at: String?

  @Flag(
    help:
      "Show the smallest additions on that day that keep or raise the value, instead of why it is what it is."
  )
  var ahead = false

  @OptionGroup(title: "Slices") var slices: SliceOptions

  @Option(help: "The output format.")
  var format = TextFormat.text

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try refuse(
      name.hasSuffix(SourceDiscovery.suffix),
      "the metric comes first: `metricc why METRIC PATH`, found \(name.quoted)")
    _ = try DayOptions.day(at, "--at")
    try refuse(ahead && group != nil, "`--ahead` takes no `--group`: what has groups has nothing ahead")
  }

  func run() throws {
    let day = try DayOptions.day(at, "--at")
    let library = try definitions.load(slicing: [name], slices)
    try library.requireAcceptance(before: "nothing was explained")
    let subject = try chosenSubject(library)
    let files = try columns.files(data, in: library)
    let schemas = library.schemas(explaining: name)
    let dataset = try DatasetLoader(library: library, files: files).load(schemas, needsLastDay: day == nil)
    ProgressLine.show("explaining \(name)")
    let at = try day ?? DayOptions.lastDay(dataset.lastDay, insteadOf: "--at")
    let evaluation = Evaluation(library: library, dataset: dataset)
    if ahead { return try showAhead(evaluation, subject, at) }
    let explanation = try explain(evaluation, subject, at)
    if explanation.subject != subject { Dataset.sayPerson(explanation.subject, of: subject) }
    if explanation.parts.isEmpty, !subject.isEmpty { suggest(evaluation, subject, at) }
    let places = try RecordPlaces(explanation, files: files, schemas, dataset.pool)
    let report = WhyReport(layout: .terminal, places: places, library: library)
    try format.print(explanation.json(places, library), text: report.text(explanation))
  }

  private func suggest(_ evaluation: Evaluation, _ subject: String, _ at: DayKey) {
    guard let near = evaluation.nearestSubject(to: subject, of: [name], at: at) else { return }
    Remarks.say("\(name.quoted) has no subject \(subject.quoted)\(suggestion(near))")
  }

  private func showAhead(_ evaluation: Evaluation, _ subject: String, _ at: DayKey) throws {
    let found = try evaluation.reporting { library, tables, pool throws(EvaluationError) in
      try library.ahead(name, subject: subject, at: at, tables: tables, pool: pool)
    }
    guard let found else {
      throw CommandFailure.usage(
        "\(name.quoted) has nothing ahead: `--ahead` takes completions, streaks, momenta, progresses and levels of one subject"
      )
    }
    if found.value == .none, !subject.isEmpty { suggest(evaluation, subject, at) }
    try format.print(found.json, text: found.text(.terminal))
  }

  /// The subject that the metric asks for; empty for `app`.
  private func chosenSubject(_ library: MetricLibrary) throws(CommandFailure) -> String {
    _ = try library.chosenMetrics([name])
    guard let entity = library.subjectName(of: name) else {
      guard let subject, !subject.isEmpty else { return "" }
      throw .usage("\(name.quoted) is for app and has no subject; leave `--subject` out")
    }
    if let subject { return subject }
    if library.speaksOfMany(name) { return "" }
    throw .usage("\(name.quoted) is for \(entity); say which one with `--subject`")
  }

  private func explain(
    _ evaluation: Evaluation, _ subject: String, _ day: DayKey
  ) throws(CommandFailure) -> Explanation {
    let fields = evaluation.library.groupColumns(of: name)
    let wanted = group.flatMap { GroupKey($0, fieldCount: fields.count) }
    if let group, wanted == nil {
      throw .usage(
        "\(group.quoted) names no value of each of \(fields.map(\.quoted).joined(separator: ", ")); write a record of CSV, such as `\(fields.map { _ in "…" }.joined(separator: ","))`"
      )
    }
    let found = try evaluation.reporting { library, tables, pool throws(EvaluationError) in
      do throws(EvaluationError) {
        return try library.explain(
          name, subject: subject, group: wanted, at: day, tables: tables, pool: pool)
      } catch {
        // What is asked to explain it are metrics of no name.
        guard case .overflow(_, let subject, let day) = error else { throw error }
        throw .overflow(metric: name, subject: subject, day: day)
      }
    }
    guard let found else { throw .usage("no metric is named \(name.quoted)") }
    return found
  }
}
