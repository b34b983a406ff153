/// The descriptions of the models for dbt: `dbt_project.yml` and `schema.yml`.
struct DbtProperties {
  let translation: Translation

  private var library: Library { translation.library }

  static let project = """
    name: metrics
    version: "1.0.0"
    profile: metrics
    model-paths: [models]
    models:
      metrics:
        +materialized: table

    """

  private static let columns = [
    ("metric", "The metric's name."), ("subject", "The id of whom the value is of; empty for all at once."),
    ("group", "The group; empty where the metric has none."),
    ("part", "The part of the metric; empty where it has one value."),
    ("at", "The reference day, YYYY-MM-DD."), ("value", "The value as text; NULL for no value."),
  ]

  /// The records that are read: the tables of one schema are one source. In the order in which they are first named.
  var sources: [(name: String, schema: [String], records: [RecordID])] {
    translation.needs.fields.keys.sorted().reduce(into: []) { sources, record in
      let schema = Array(translation.path(of: record).dropLast())
      if let known = sources.firstIndex(where: { $0.schema == schema }) {
        sources[known].records.append(record)
      } else {
        sources.append((sources.isEmpty ? "facts" : "facts_\(sources.count + 1)", schema, [record]))
      }
    }
  }

  /// `schema.yml`: descriptions of metrics, and the sources that the models read.
  func text(_ metrics: [MetricID]) -> String {
    let models = metrics.map { id in
      let metric = library.metrics[id]
      let groups = translation.fieldColumns(id)
      let columns = DbtProperties.columns.flatMap { column in
        column.0 != "group" || groups.count < 2
          ? [column] : groups.map { ($0, "The group's value of this field; empty where it is missing.") }
      }
      let fields = columns.map { name, meaning in
        "      - name: \(name)\n        description: \(quoted(meaning))\n"
      }
      return
        "  - name: \(quoted(metric.name))\n    description: \(quoted(translation.comment(id)))\n"
        + meta(metric) + "    columns:\n" + fields.joined()
    }
    let sources = sources.map { source in
      "  - name: \(source.name)\n\(place(source.schema))    tables:\n" + source.records.map(table).joined()
    }
    return "version: 2\n\nmodels:\(models.isEmpty ? " []" : "")\n" + models.joined()
      + (sources.isEmpty ? "" : "\nsources:\n" + sources.joined())
  }

  /// Who is responsible for a metric, its tags and its approval, under `config` as dbt has it since 1.10; none without.
  private func meta(_ metric: Metric) -> String {
    var lines = metric.owner.map { ["owner: \(quoted($0))"] } ?? []
    if !metric.tags.isEmpty { lines.append("tags: [\(metric.tags.map(quoted).joined(separator: ", "))]") }
    if let approval = metric.approval {
      let members = [("who", approval.who), ("day", "\(approval.day)"), ("meaning", approval.meaning)]
      lines += ["approval:"] + members.map { "  \($0): \(quoted($1))" }
    }
    return lines.isEmpty ? "" : "    config:\n      meta:\n" + lines.map { "        \($0)\n" }.joined()
  }

  /// The schema and, in front of it, the database.
  private func place(_ path: [String]) -> String {
    guard let schema = path.last else { return "    schema: \"{{ target.schema }}\"\n" }
    let database = path.dropLast().joined(separator: ".")
    return (database.isEmpty ? "" : "    database: \(quoted(database))\n") + "    schema: \(quoted(schema))\n"
  }

  private func table(_ record: RecordID) -> String {
    let plan = library.records[record]
    let fields = plan.fields.enumerated().filter { $0.element.computed == nil }.map { index, field in
      let column = translation.request.column(of: FieldReference(record: record, field: index), field)
      let type = quoted(translation.dialect.name(of: field.type.storedType))
      return "          - name: \(quoted(column))\n            data_type: \(type)\n"
        + (field.doc.map { "            description: \(quoted($0))\n" } ?? "")
    }
    return "      - name: \(quoted(plan.name))\n"
      + "        identifier: \(quoted(translation.path(of: record).last ?? plan.name))\n"
      + (plan.doc.map { "        description: \(quoted($0))\n" } ?? "")
      + "        columns:\n" + fields.joined()
  }

  /// A text of YAML in double quotes, which dbt's templates leave as it is.
  private func quoted(_ text: String) -> String {
    let escaped = Jinja.escaped(text).unicodeScalars.map { scalar in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case "\n": "\\n"
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        "\\x\(scalar.value < 0x10 ? "0" : "")\(String(scalar.value, radix: 16))"
      default: String(scalar)
      }
    }
    return "\"\(escaped.joined())\""
  }
}
