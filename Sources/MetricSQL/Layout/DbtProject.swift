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
  private let placement: Placement<MetricID>
  private let metrics: [(metric: MetricID, rows: SQLQuery)]
  private let library: Library
  /// By relation that has a model of its own: the model's name.
  private var names: [String: String] = [:]
  private var renderer: Renderer

  init(translation: Translation, dialect: any Dialect, metrics: [(metric: MetricID, rows: SQLQuery)]) {
    let definitions = translation.definitions.map { definition in
      var definition = definition
      definition.comment = definition.comment.map(Jinja.escaped)
      return definition
    }
    placement = Placement(definitions, for: metrics.map { ($0.metric, $0.rows) }, splitsReaders: false)
    self.metrics = metrics
    library = translation.library
    renderer = Renderer(dialect: Jinja(base: dialect))
    for (record, source) in DbtProperties.sources(translation) {
      renderer.references[translation.path(of: record)] =
        "{{ source('\(source)', '\(library.records[record].name)') }}"
    }
    let taken = Set(metrics.map { library.metrics[$0.metric].name.lowercased() })
    for table in placement.tables {
      var name = "int_" + table.name
      while taken.contains(name.lowercased()) { name += "_" }
      renderer.references[[table.name]] = "{{ ref('\(name)') }}"
      names[table.name] = name
    }
  }

  func files() -> [ProjectFile] {
    let shared = placement.tables.map { table in
      ProjectFile(
        path: "models/relations/\(names[table.name] ?? table.name).sql", text: text(ofRelation: table))
    }
    let own = metrics.map { metric, rows in
      let local = placement.relations(of: .result(metric))
      return ProjectFile(
        path: "models/\(library.metrics[metric].name).sql", text: renderer.text(.query(local, rows)).asModel)
    }
    return own + shared
  }

  private func text(ofRelation definition: SQLDefinition) -> String {
    let local = placement.relations(of: .table(definition.name))
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
