/// A field that somebody keeps a metric in. The resolver sees where a name is for one.
enum ReadsStoredField {
  static let page = Page.checklist("C101")

  static func finding(_ name: String, declaredAt declaration: Span, at span: Span) -> Diagnostic {
    .error(
      page.code, "`\(name)` is a stored metric, and no metric may rest on one", at: span,
      notes: [
        Note("declared `stored` here", at: .source(declaration)),
        "derive the number from the facts behind it",
      ])
  }
}
