/// Something that can be written at a place.
package struct CompletionItem: Hashable, Sendable {
  /// With the numbers of LSP's `CompletionItemKind`; a metric is shown like a function, a part like a text.
  package enum Kind: Int, Sendable {
    case function = 3
    case field = 5
    case subject = 6
    case record = 7
    case unit = 11
    case keyword = 14
    case text = 20
    case code = 21
    case type = 25
  }

  package var label: String
  package var kind: Kind
  /// What is written; in a snippet `$1`, `$2` … `$0` are the places to fill in.
  package var insert: String
  package var isSnippet: Bool
  package var detail: String?
  package var documentation: String?
  package var isDeprecated: Bool
  /// Lower ones come first.
  package var rank: Int

  init(
    _ label: String, _ kind: Kind, rank: Int = 5, detail: String? = nil, documentation: String? = nil,
    snippet: String? = nil, isDeprecated: Bool = false
  ) {
    (self.label, self.kind, self.rank, self.isDeprecated) = (label, kind, rank, isDeprecated)
    (self.detail, self.documentation) = (detail, documentation)
    (insert, isSnippet) = (snippet ?? label, snippet != nil)
  }
}

/// What can be written at a place, and the text that it takes the place of.
package struct CompletionList: Hashable, Sendable {
  package var replaced: Span
  package var items: [CompletionItem]
}
