/// One rule of the design checklist or one warning: a file of its own with its code and message.
protocol Rule: SendableMetatype {
  static var page: Page { get }
  /// The pages of all codes that it reports.
  static var pages: [Page] { get }
  /// What a finding of a metric depends on.
  static var reach: Reach { get }
  static func findings(in scope: CheckScope) -> [Diagnostic]
}

extension Rule {
  static var pages: [Page] { [page] }
  static var reach: Reach { .metric }
}

/// A rule that looks at each metric by itself.
protocol MetricRule: Rule {
  /// Whom the metrics are for that it binds; nil for everybody.
  static var audience: Audience? { get }
  static func findings(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> [Diagnostic]
}

extension MetricRule {
  static var audience: Audience? { nil }

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.ids.flatMap { id -> [Diagnostic] in
      let metric = scope.library.metrics[id]
      return audience == nil || audience == metric.audience ? findings(of: metric, id, in: scope) : []
    }
  }
}

/// One that finds one thing in a metric, or nothing.
protocol SingleFindingRule: MetricRule {
  static func finding(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> Diagnostic?
}

extension SingleFindingRule {
  static func findings(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> [Diagnostic] {
    finding(of: metric, id, in: scope).map { [$0] } ?? []
  }
}

/// What the findings of a rule about a metric depend on.
enum Reach {
  /// The metric and all that it reads: the rule looks at `CheckScope.ids`.
  case metric
  /// All metrics whose facts come from several users, and all that these read.
  case severalUsers
  case library
}

extension Metric {
  /// A finding about the metric, at the first of some clauses that it has, else at its name.
  func error(
    _ code: DiagnosticCode, _ message: String, at clauses: String..., notes: [Note] = []
  ) -> Diagnostic {
    .error(code, message, at: place(of: clauses), metric: name, notes: notes)
  }

  func warning(
    _ code: DiagnosticCode, _ message: String, at clauses: String..., notes: [Note] = []
  ) -> Diagnostic {
    .warning(code, message, at: place(of: clauses), metric: name, notes: notes)
  }

  private func place(of clauses: [String]) -> Span {
    clauses.lazy.compactMap { clauseSpans[$0] }.first ?? span
  }
}

/// What a rule looks at, and what several rules need to know of it.
final class CheckScope {
  let library: Library
  /// The metrics that are examined, and all that they read. What is found of the others is known.
  let ids: [MetricID]
  /// One for all rules: what is known of a metric is computed once.
  let directions: DirectionAnalysis
  private(set) lazy var derivedFields = library.derivedFields
  /// What shows a declared number (C102, W014).
  private(set) lazy var declaredAsValue = DeclaredAsValue.examine(self)
  /// The metrics for the user that are refused for that.
  private(set) lazy var shown = Set(declaredAsValue.filter { $0.severity == .error }.compactMap(\.metric))
  private(set) lazy var thresholds = library.thresholds
  let ofSeveralUsers: Set<MetricID>

  init(_ directions: DirectionAnalysis, ids: [MetricID], ofSeveralUsers: Set<MetricID>? = nil) {
    self.directions = directions
    library = directions.library
    self.ids = ids
    self.ofSeveralUsers = ofSeveralUsers ?? library.ofSeveralUsers
  }

  var metrics: some Sequence<Metric> { ids.lazy.map { [library] in library.metrics[$0] } }
}

/// What the rules find.
package struct Checked: Sendable {
  package var findings: [Diagnostic] = []
  /// Those of the findings that depend on the metric that they are about and on all that it reads, and on nothing else.
  package var own: [MetricID: [Diagnostic]] = [:]
  /// Those that depend on the metrics of several users together.
  package var ofSeveralUsers: [Diagnostic] = []
  /// How many metrics were examined.
  package var examined = 0
}

/// Checks a resolved library against the rules.
///
/// Warnings that a metric allows (`allow W012 "why"`) are left out.
///
/// - Parameters:
///   - directions: of the library that is checked.
///   - known: what an earlier check found of metrics for themselves, where neither they nor any metric or record that they
///     read, through others too, have changed since. They are not examined again unless a metric that is reads them.
///   - knownOfSeveralUsers: what an earlier check found of metrics of several users together, where none of them, nor anything
///     that they read, has changed since; they are then not compared again.
///   - ofSeveralUsers: `Library.ofSeveralUsers`, where somebody knows it.
package func check(
  _ directions: DirectionAnalysis, known: [MetricID: [Diagnostic]] = [:],
  knownOfSeveralUsers: [Diagnostic]? = nil, ofSeveralUsers: Set<MetricID>? = nil
) -> Checked {
  let library = directions.library
  // A rule may ask whether it found something of a metric that is read.
  let examined = library.withRead(library.metrics.indices.filter { known[$0] == nil })
  let scope = CheckScope(directions, ids: examined.sorted(), ofSeveralUsers: ofSeveralUsers)
  var checked = Checked(
    own: known.filter { !$0.value.isEmpty && !examined.contains($0.key) }, examined: examined.count)
  let ids = Dictionary(examined.map { (library.metrics[$0].name, $0) }) { first, _ in first }
  func found(_ reach: Reach) -> [Diagnostic] {
    withoutAllowed(Rules.all.filter { $0.reach == reach }.flatMap { $0.findings(in: scope) }, in: library)
  }
  checked.ofSeveralUsers = knownOfSeveralUsers ?? found(.severalUsers)
  checked.findings = found(.library) + checked.ofSeveralUsers
  for finding in found(.metric) {
    if let id = finding.metric.flatMap({ ids[$0] }) {
      checked.own[id, default: []].append(finding)
    } else {
      checked.findings.append(finding)
    }
  }
  for id in checked.own.keys.sorted() { checked.findings += checked.own[id] ?? [] }
  return checked
}

/// The findings of any stage without the warnings that their metric allows; errors cannot be silenced.
package func withoutAllowed(_ findings: [Diagnostic], in library: Library) -> [Diagnostic] {
  let silencing = library.metrics.lazy.filter { !$0.allowed.isEmpty }
  let allowed = Dictionary(silencing.map { ($0.name, $0.allowed) }) { first, _ in first }
  return findings.filter { finding in
    guard finding.severity == .warning, let metric = finding.metric else { return true }
    return allowed[metric]?[finding.code.id] == nil
  }
}

package enum Rules {
  static let all: [any Rule.Type] = [
    ReadsTeamMetric.self, DeclaredAsValue.self, CarriesState.self, FreeVerdict.self, SeveralPeople.self,
    ValueOfOne.self, ProtectedDifference.self, TextVerdict.self, LosesByWaiting.self, LosesAtOnce.self,
    BehaviourAsRecord.self, RestForSome.self, LimitReach.self, DisguisedLevel.self, ReadingShape.self,
    FallsWhenLogged.self, DayAsScore.self, StoredLikeName.self, CalendarWindow.self, CertainCondition.self,
    DepartsFromCanon.self, UngatedGroups.self, NamedPerson.self, TeamMetricOfOnePerson.self,
    CombinableMetrics.self, ClockField.self, NameStyle.self, MissingDoc.self, MissingTest.self,
    PunitiveName.self, MissingConsent.self, OverlappingSteps.self, ReadsDeprecated.self,
    UnknownAllowance.self,
  ]

  /// The pages of all codes of this target. What can be seen only while names are resolved is reported from
  /// there, with the message that is next to the page.
  package static let pages: [Page] =
    all.flatMap { $0.pages } + ForbiddenWord.pages + [
      ReadsStoredField.page, ReadsInstant.page, ReadsLevel.page, VoidedApproval.page,
    ]

  package static var codes: [DiagnosticCode] { pages.map(\.code) }

  /// The codes that a metric can name.
  static let known = parserWarnings.union(codes.map(\.id))

  /// Codes that are shown to people once per file, with some of the metrics.
  package static let perFile: [DiagnosticCode: @Sendable (_ metrics: String) -> String] = [
    MissingDoc.page.code: MissingDoc.message, MissingTest.page.code: MissingTest.message,
  ]

  /// The parser's warnings, which a metric can allow too; a test compares them with its codes.
  package static let parserWarnings: Set = ["W009", "W025"]
}
