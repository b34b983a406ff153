import MetricPlan

/// A file of a project, by its path in the project's folder.
public struct ProjectFile: Hashable, Sendable {
  public var path: String
  public var text: String
}

/// A dbt project: a model for each metric, whose rows are those of the evaluator (dbt's tables have no order),
/// and a model for each relation that several of them read, so that it is computed once.
///
/// With the day as a parameter it is dbt's variable `at`.
package func dbtProject(_ request: SQLRequest, of library: Library, in dialect: SQLDialect) -> [ProjectFile] {
  let translation = Translation(library: library, request: request)
  let metrics = translation.rowsByMetric()
  let layout = DbtLayout(translation: translation, dialect: dialect.dialect, metrics: metrics)
  let models = layout.files()
  let properties = DbtProperties(library: library, translation: translation, dialect: dialect.dialect)
  return [
    ProjectFile(path: "dbt_project.yml", text: DbtProperties.project),
    ProjectFile(path: "models/schema.yml", text: properties.text(metrics.map(\.metric))),
  ] + models
}

/// Which relation goes to which model. One that a single model reads is a common table expression there.
struct DbtLayout {
  private let definitions: [SQLDefinition]
  private let metrics: [(metric: MetricID, rows: SQLQuery)]
  private let library: Library
  /// By relation: the model that it is in.
  private var home: [String: Model] = [:]
  private var renderer: Renderer

  private enum Model: Hashable {
    case metric(MetricID)
    case relation(String)
  }

  init(translation: Translation, dialect: any Dialect, metrics: [(metric: MetricID, rows: SQLQuery)]) {
    definitions = translation.definitions.map { definition in
      var definition = definition
      definition.comment = definition.comment.map(Jinja.escaped)
      return definition
    }
    self.metrics = metrics
    library = translation.library
    renderer = Renderer(dialect: Jinja(base: dialect))
    for (record, source) in DbtProperties.sources(translation) {
      renderer.references[translation.path(of: record)] =
        "{{ source('\(source)', '\(library.records[record].name)') }}"
    }
    place()
  }

  /// Readers stand behind what they read, so that backwards every reader has its place first.
  private mutating func place() {
    var readers: [String: Set<Model>] = [:]
    for (metric, rows) in metrics {
      for relation in rows.relations { readers[relation, default: []].insert(.metric(metric)) }
    }
    let taken = Set(metrics.map { library.metrics[$0.metric].name.lowercased() })
    for definition in definitions.reversed() {
      guard let own = readers[definition.name] else { continue }
      let model = own.count == 1 ? own.first : nil
      let place = model ?? .relation(definition.name)
      home[definition.name] = place
      if model == nil {
        var name = "int_" + definition.name
        while taken.contains(name.lowercased()) { name += "_" }
        renderer.references[[definition.name]] = "{{ ref('\(name)') }}"
        names[definition.name] = name
      }
      for relation in definition.query.relations { readers[relation, default: []].insert(place) }
    }
  }

  /// By relation that has a model of its own: the model's name.
  private var names: [String: String] = [:]

  func files() -> [ProjectFile] {
    let shared = definitions.compactMap { definition in
      names[definition.name].map { name in
        ProjectFile(path: "models/relations/\(name).sql", text: text(ofRelation: definition))
      }
    }
    let own = metrics.map { metric, rows in
      let local = definitions.filter { home[$0.name] == .metric(metric) }
      return ProjectFile(
        path: "models/\(library.metrics[metric].name).sql", text: renderer.text(.query(local, rows)).asModel)
    }
    return own + shared
  }

  private func text(ofRelation definition: SQLDefinition) -> String {
    let local = definitions.filter { home[$0.name] == .relation(definition.name) }
    let all = SQLRelation(path: [definition.name], alias: definition.name)
    // Inside its own model the relation has its own name.
    var inner = renderer
    inner.references[[definition.name]] = nil
    return inner.text(.query(local, .select(SQLSelect(columns: [], from: all)))).asModel
  }
}

extension String {
  /// A model is a query without the semicolon.
  fileprivate var asModel: String { hasSuffix(";\n") ? dropLast(2) + "\n" : self }
}
