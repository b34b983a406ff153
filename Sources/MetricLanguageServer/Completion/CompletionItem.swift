import MetricDiagnostics

/// Something that can be written at a place.
package struct CompletionItem: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case keyword, metric, record, subject, field, part, function, text, unit, type, code, snippet
  }

  /// What is shown.
  package var label: String
  package var kind: Kind
  /// What is written; in a snippet `$1`, `$2` … `$0` are the places to fill in.
  package var insert: String
  package var isSnippet = false
  package var detail: String?
  package var documentation: String?
  package var isDeprecated = false
  /// Lower ones come first.
  package var rank = 5

  package init(_ label: String, _ kind: Kind, detail: String? = nil, documentation: String? = nil) {
    self.label = label
    self.kind = kind
    insert = label
    self.detail = detail
    self.documentation = documentation
  }

  func ranked(_ rank: Int) -> CompletionItem {
    var item = self
    item.rank = rank
    return item
  }

  static func snippet(_ label: String, _ kind: Kind, _ insert: String, _ documentation: String?)
    -> CompletionItem
  {
    var item = CompletionItem(label, kind, documentation: documentation)
    item.insert = insert
    item.isSnippet = true
    return item
  }
}

/// What can be written at a place, and the text that it takes the place of.
package struct CompletionList: Hashable, Sendable {
  package var replaced: Span
  package var items: [CompletionItem]
}
