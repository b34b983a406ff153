/// A level that something rests on. The resolver sees where a name is for one.
enum ReadsLevel {
  static let page = Page.checklist("C203")

  static func finding(_ name: String, at span: Span) -> Diagnostic {
    .error(
      page.code, "`\(name)` is a level, an interpretation that nothing may rest on", at: span,
      notes: ["read the metric that the level is of"])
  }
}
