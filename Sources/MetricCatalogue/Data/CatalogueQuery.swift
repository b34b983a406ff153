import MetricSQL

/// A metric as a statement of one engine, or why the engine has none.
public struct CatalogueQuery: Hashable, Sendable {
  enum Content: Hashable, Sendable {
    case statement(String)
    /// Why there is none: a sentence without its full stop, with names in backticks.
    case missing(String)
  }

  let dialect: SQLDialect
  let content: Content

  /// The longest statement that a page shows, in bytes: those of all engines leave a page below 300 KB.
  static let longest = 32_000
}

extension MetricLibrary {
  /// Each metric that has a plan as a query of each engine, with the reference day as a parameter.
  public func catalogueQueries(
    dialects: [SQLDialect], names: DatabaseNames = DatabaseNames()
  ) -> [String: [CatalogueQuery]] {
    plannedMetrics.map(\.summary.name).reduce(into: [:]) { queries, name in
      queries[name] = dialects.map {
        CatalogueQuery(dialect: $0, content: statement(of: name, in: $0, names))
      }
    }
  }

  private func statement(
    of metric: String, in dialect: SQLDialect, _ names: DatabaseNames
  ) -> CatalogueQuery.Content {
    do throws(SQLUnsupported) {
      let text = try sql(metrics: [metric], days: .parameter, dialect: dialect, names: names)
      guard text.utf8.count <= CatalogueQuery.longest else {
        let command = "metricc sql --dialect \(dialect.rawValue) --metric \(metric)"
        return .missing("the statement is too long for a page; `\(command)` writes it")
      }
      return .statement(text)
    } catch {
      return .missing("\(dialect.title) cannot express \(error.construct); \(error.help)")
    }
  }
}
