/// A file of a project, by its path in the project's folder.
public struct ProjectFile: Hashable, Sendable {
  public var path: String
  public var text: String
}

/// A dbt project: a model for each metric, whose rows are those of the evaluator (dbt's tables have no order, and a column for
/// each of several fields), and a model for each relation that several of them read, so that it is computed once.
///
/// With the day as a parameter it is dbt's variable `at`. Then the windows of completions are tables that a run with
/// the variable `since` computes from this day on alone.
package func dbtProject(_ request: SQLRequest, of library: Library, in dialect: SQLDialect) -> [ProjectFile] {
  var storing = request
  storing.storesWindows = request.days == .parameter
  let translation = Translation(library: library, request: storing, in: dialect.dialect)
  let metrics = translation.rowsByField()
  let models = DbtLayout(translation, request, metrics).files()
  let properties = DbtProperties(translation: translation)
  return [
    ProjectFile(path: "dbt_project.yml", text: DbtProperties.project),
    ProjectFile(path: "models/schema.yml", text: properties.text(metrics.map(\.metric))),
  ] + models
}

/// Which relation goes to which model. One that a single model reads is a common table expression there.
private struct DbtLayout {
  let translation: Translation
  /// That of a translation without tables of windows.
  let request: SQLRequest
  let metrics: [(metric: MetricID, rows: SQLQuery)]
  let placement: Placement<MetricID>
  /// By relation that has a model of its own: the model's name.
  var names: [String: String] = [:]
  var renderer: Renderer
  /// Knows the records alone, for models with relations of their own.
  let own: Renderer

  init(
    _ translation: Translation, _ request: SQLRequest, _ metrics: [(metric: MetricID, rows: SQLQuery)]
  ) {
    (self.translation, self.request, self.metrics) = (translation, request, metrics)
    let definitions = translation.definitions.map(\.asTemplate)
    placement = Placement(definitions, for: metrics.map { ($0.metric, $0.rows) }, splitsReaders: false)
    renderer = Renderer(dialect: translation.dialect, isTemplate: true)
    for source in DbtProperties(translation: translation).sources {
      for record in source.records {
        renderer.references[translation.path(of: record)] =
          "{{ source('\(source.name)', '\(translation.library.records[record].name)') }}"
      }
    }
    own = renderer
    var taken = Set(metrics.map { translation.library.metrics[$0.metric].name.lowercased() })
    for table in placement.tables.map(\.name) + translation.storedWindows.map(\.table) {
      let name = taken.takeIn("int_" + table)
      renderer.references[[table]] = "{{ ref('\(name)') }}"
      names[table] = name
    }
  }

  func files() -> [ProjectFile] {
    func file(_ relation: String, _ text: String) -> ProjectFile {
      ProjectFile(path: "models/relations/\(names[relation] ?? relation).sql", text: text)
    }
    let shared =
      placement.tables.map { file($0.name, text(ofRelation: $0)) }
      + translation.storedWindows.map { file($0.table, text(of: $0.windows)) }
    let results = metrics.map { metric, rows in
      ProjectFile(
        path: "models/\(translation.library.metrics[metric].name).sql",
        text: renderer.statement(placement.relations(of: .result(metric)), rows).asModel)
    }
    return results + shared
  }

  /// An incremental model. Without `since` it is computed again, for then nobody says what has changed.
  private func text(of windows: Windows) -> String {
    func query(isChange: Bool) -> String {
      var windows = windows
      windows.translation = Translation(
        library: translation.library, request: request, in: renderer.dialect)
      let rows = windows.rows(isChange: isChange)
      let definitions = Pruning.pruned(windows.translation.definitions, for: [rows])
      return own.statement(definitions.map(\.asTemplate), rows).asModel
    }
    let isFull = "full_refresh=(true if var('since', none) is none else none)"
    return "{{ config(materialized='incremental', \(renderer.dialect.traits.dbtReplacement), \(isFull)) }}\n"
      + "{% if is_incremental() %}\n" + query(isChange: true)
      + "{% else %}\n" + query(isChange: false) + "{% endif %}\n"
  }

  private func text(ofRelation definition: SQLDefinition) -> String {
    // Inside its own model the relation has its own name.
    var inner = renderer
    inner.references[[definition.name]] = nil
    let local = placement.relations(of: .table(definition.name))
    return inner.statement(local, .all(of: definition.name)).asModel
  }
}

extension SQLDefinition {
  fileprivate var asTemplate: SQLDefinition {
    var definition = self
    definition.comment = comment.map(Jinja.escaped)
    return definition
  }
}

extension String {
  /// A model is a query without the semicolon.
  fileprivate var asModel: String { hasSuffix(";\n") ? dropLast(2) + "\n" : self }
}
