import MetricDiagnostics

/// A level that something rests on. The resolver sees where a name stands for one.
package enum ReadsLevel {
  static let page = Page(
    """
    C203 reads-level: A metric reads a level
    A level interprets a number for a person. Once other metrics rest on it, it has become a truth.
     measure visits { for user  value count(Event) }
     level rank { of visits  at 5, 10 }
    -measure points { for user  value rank * 100 }
    +measure points { for user  value visits * 10 }
    """)

  package static func finding(_ name: String, at span: Span) -> Diagnostic {
    .error(
      page.code, "`\(name)` is a level, an interpretation that nothing may rest on", at: span,
      notes: [Note("read the metric that the level is of")])
  }
}
