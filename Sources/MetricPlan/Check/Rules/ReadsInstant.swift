/// An Instant as a value. The resolver sees where a name is for one.
enum ReadsInstant {
  static let page = Page.checklist("C301")

  static func finding(_ name: String, at span: Span) -> Diagnostic {
    .error(
      page.code, "`\(name)` is an Instant, which orders facts and is never a value", at: span,
      notes: ["count and compare by DayKey; `is none` tells whether it is there"])
  }
}
