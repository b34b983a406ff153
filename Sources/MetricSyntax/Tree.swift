/// The lossless tree of one file.
///
/// `tokens` holds every byte of the source: each token carries the trivia before it, the last one
/// (`.endOfFile`) the trivia at the end. The declarations are typed nodes that point into the
/// tokens by index ranges; a token that no rule could use is in an `unexpected` node.
package struct SyntaxTree: Sendable {
  package let source: SourceFile
  package let tokens: [Token]
  package let trivia: [Trivia]
  package let declarations: [Declaration]

  package func trivia(before token: Token) -> ArraySlice<Trivia> { trivia[leading: token] }

  package func comments(before token: Token) -> [Trivia] {
    trivia(before: token).filter { $0.kind == .comment || $0.kind == .docComment }
  }

  /// The metrics that have a name, of a family each member.
  package var metrics: [MetricDeclaration] {
    declarations.flatMap { declaration -> [MetricDeclaration] in
      if case .metric(let metric) = declaration, !metric.name.isMissing { metric.members } else { [] }
    }
  }
}

extension [Trivia] {
  subscript(leading token: Token) -> ArraySlice<Trivia> { self[token.leadingTrivia] }
}

/// A range of indices into `SyntaxTree.tokens`.
package typealias TokenRange = Range<Int>

/// A name as written. A missing name has empty text; its finding has been reported.
package struct Name: Hashable, Sendable {
  package var text: String
  package var span: Span

  package init(_ text: String, _ span: Span) {
    self.text = text
    self.span = span
  }

  package var isMissing: Bool { text.isEmpty }
}

/// A string with its escapes resolved.
package struct StringSyntax: Hashable, Sendable {
  package var value: String
  package var span: Span
}

/// An unsigned number as written: `80%`, `1_000`, `0.25`.
package struct NumberSyntax: Hashable, Sendable {
  /// The digits without `_`, the point and the percent sign as written.
  package var text: String
  package var span: Span
}

package enum Declaration: Sendable {
  case metric(MetricDeclaration)
  case record(RecordDeclaration)
  case test(TestDeclaration)
  case report(ReportDeclaration)
  case language(LanguageDeclaration)
  /// Tokens that start no declaration; their finding has been reported.
  case unexpected(TokenRange, Span)
}

/// `language 1`: the version of the language that the library is written in.
package struct LanguageDeclaration: Sendable {
  package var doc: String?
  /// Nil where it is missing; its finding has been reported.
  package var version: NumberSyntax?
  package var span: Span
  package var tokens: TokenRange
}

/// `report weekly_growth { … }`: metrics that people look at together.
package struct ReportDeclaration: Sendable {
  package var doc: String?
  package var name: Name
  package var clauses: [Clause]
  package var span: Span
  package var tokens: TokenRange
}

package struct MetricDeclaration: Sendable {
  /// The text of the `///` lines above, without the slashes; nil if there are none.
  package var doc: String?
  package var kind: MetricKind
  package var keyword: Span
  package var name: Name
  package var clauses: [Clause]
  package var span: Span
  package var tokens: TokenRange
  /// The family's name, where this is one of its members (`members`).
  package var family: Name?

  package func clause(_ word: ClauseWord) -> Clause? { clauses.first { $0.word == word } }

  /// The metrics that it declares: itself, or for each period of `over each` one of the period's name.
  package var members: [MetricDeclaration] {
    for (place, clause) in clauses.enumerated() {
      guard case .overEach(let members) = clause.content, !name.isMissing else { continue }
      return members.map { member in
        var metric = self
        metric.family = name
        metric.name = Name("\(member.name.text)_\(name.text)", member.name.span)
        metric.clauses[place].content = .over(member.period)
        for index in clauses.indices where clauses[index].word == .title {
          guard case .text(var title) = clauses[index].content else { continue }
          title.value += ", \(member.period.words)"
          metric.clauses[index].content = .text(title)
        }
        return metric
      }
    }
    return [self]
  }
}

package struct Clause: Sendable {
  package var doc: String?
  /// Nil for clauses that are findings already.
  package var word: ClauseWord?
  package var content: ClauseContent
  /// The word or words that name the clause: `rest when`, `half life`.
  package var keyword: Span
  package var span: Span
}

/// Every clause of every kind; which kinds take which is the resolver's question.
package enum ClauseContent: Sendable {
  /// `best`, `previous`: the word alone.
  case nothing
  /// `when E`, `rest when E`, `value E`, `target E`
  case expression(ExpressionSyntax)
  /// `title "…"`, `owner "…"`, `deprecated "…"`, `reading "why"`
  case text(StringSyntax)
  /// `nearest 5`
  case number(NumberSyntax)
  /// `grace 1 day`, `within 30 days`, `half life 7 days`
  case length(LengthSyntax)
  /// `return FACT`, `without Event where E`
  case fact(FactPattern)
  /// `unit days`, `audience team`, `order strict`
  case name(Name)
  /// `for habit`, `for app`, `for habit where E`
  case subject(Name, condition: ExpressionSyntax?)
  /// `every week`
  case every(WindowSyntax)
  /// `limit E "why"`
  case limit(ExpressionSyntax, reason: StringSyntax)
  /// `of done`, `of goal_progress.fraction`
  case of(MetricPath)
  /// `forgive 2 in 30 days`
  case forgive(NumberSyntax, in: LengthSyntax)
  /// `over last 7 days` (also a momentum's `over last 4 windows`), `over all time`
  case over(PeriodSyntax)
  /// `over each [last 1 day as daily, last 7 days as weekly]`
  case overEach([FamilyMember])
  /// `at 7, 30, 100`: number literals, negative ones with `-`
  case thresholds([ExpressionSyntax], hasDays: Bool)
  /// `at least 5 users`
  case atLeast(NumberSyntax, unit: Name)
  /// `step opened Event where E`
  case step(Name, FactPattern)
  /// `start FACT`, `start first FACT`, `start each FACT`
  case start(StartMode, FactPattern)
  /// `after 1, 7, 30 days or later`, `after days 1 to 7, 8 to 14`
  case after([AfterSyntax], unit: Name, orLater: Bool)
  /// `by FIELD, …`
  case by([GroupSyntax])
  /// `slice by country, plan`
  case slice([[Name]])
  /// `tags ["growth", "weekly"]`
  case tags([ExpressionSyntax])
  /// `approved "Ana" on 2026-06-30 meaning "1:3f1c27a09be4d856"`
  case approved(StringSyntax, on: ExpressionSyntax, meaning: StringSyntax)
  /// `days 50, 90`
  case stepDays([NumberSyntax])
  /// `metrics dau, wau`, in a report
  case metrics([Name])
  /// `allow W012 "why"`
  case allow(code: Name, reason: StringSyntax)
  /// A reserved word of the anti-patterns, and the words on the rest of its line, which belong to it.
  case forbidden(Name, rest: Set<String>)
  /// Tokens that start no clause, or a clause that lacks a part it cannot do without (`over last`);
  /// their finding has been reported. The clause's keyword tells which it was meant to be, so a
  /// metric that holds one is not to be blamed for missing clauses as well.
  case unexpected

  package var expression: ExpressionSyntax? { if case .expression(let value) = self { value } else { nil } }
  package var text: StringSyntax? { if case .text(let value) = self { value } else { nil } }
  package var length: LengthSyntax? { if case .length(let value) = self { value } else { nil } }
  package var fact: FactPattern? { if case .fact(let value) = self { value } else { nil } }
  package var name: Name? { if case .name(let value) = self { value } else { nil } }
}

/// `last 7 days as weekly`
package struct FamilyMember: Sendable {
  package var period: PeriodSyntax
  package var name: Name
}

package enum StartMode: String, Sendable {
  case plain, first, each
}

/// `Event where E`, or a completion's name in place of the record.
package struct FactPattern: Sendable {
  package var source: Name
  package var condition: ExpressionSyntax?
  package var span: Span
}

/// `done`, `goal_progress.fraction`, `signups.d30.rate`
package struct MetricPath: Hashable, Sendable {
  package var names: [Name]
  package var span: Span
}

/// `7 days`, `1 week`, `3 windows`
package struct LengthSyntax: Hashable, Sendable {
  package var count: NumberSyntax
  package var unit: Name

  package var span: Span { count.span.union(unit.span) }
}

/// `7` or `1 to 7` after `after`
package struct AfterSyntax: Hashable, Sendable {
  package var from: NumberSyntax?
  package var through: NumberSyntax

  package var span: Span { from.map { $0.span.union(through.span) } ?? through.span }
}

package enum WindowSyntax: Sendable {
  /// `every day`, `every week` (no count), `every 7 days`
  case rolling(count: NumberSyntax?, unit: Name)
  /// `every calendar week from monday`, `every calendar year from july`
  case calendar(unit: Name, from: Name?)
}

package enum PeriodSyntax: Sendable {
  /// `last 7 days`, `last 4 weeks`, in a momentum also `last 4 windows`
  case last(LengthSyntax)
  /// `calendar week`, `calendar week from sunday`, `calendar quarter`
  case calendar(unit: Name, from: Name?)
  /// `previous calendar month`
  case previous(unit: Name, from: Name?)
  /// `all time`
  case allTime

  /// `last 7 days`, `calendar month`
  var words: String {
    switch self {
    case .last(let length): "last \(length.count.text) \(length.unit.text)"
    case .calendar(let unit, _): "calendar \(unit.text)"
    case .previous(let unit, _): "previous calendar \(unit.text)"
    case .allTime: "all time"
    }
  }
}

/// The word that starts a record.
package enum RecordKeyword: String, CaseIterable, Sendable {
  case fact, entity, link, extend
}

package struct RecordDeclaration: Sendable {
  package var doc: String?
  package var kind: RecordKeyword
  package var keyword: Span
  package var name: Name
  /// The span of the word `setting`, where it is.
  package var setting: Span?
  package var members: [RecordMember]
  package var span: Span
  package var tokens: TokenRange
}

package enum RecordMember: Sendable {
  case field(FieldDeclaration)
  case consent(ConsentSyntax)
  /// Tokens that start no member; their finding has been reported.
  case unexpected(Span)
}

/// `consent standard for "crashes" default essential`
package struct ConsentSyntax: Sendable {
  package var level: Name
  package var purpose: StringSyntax?
  /// The level after `default`.
  package var standing: Name?
  package var span: Span
}

package struct FieldDeclaration: Sendable {
  package var doc: String?
  package var name: Name
  package var content: FieldContent
  package var span: Span
}

package enum FieldContent: Sendable {
  /// `minutes : Decimal? min 0`
  case stored(TypeSyntax, isOptional: Bool, modifiers: [FieldModifier])
  /// `pages = greatest(endPage - startPage, 0)`
  case computed(ExpressionSyntax)
}

package enum TypeSyntax: Sendable {
  /// `Int`, `DayKey`, `Habit`
  case named(Name)
  /// `"calm" | "tired"`
  case choices([StringSyntax])
}

package struct FieldModifier: Sendable {
  package var kind: FieldModifierKind
  package var word: String
  package var span: Span
}

package enum FieldModifierKind: Sendable {
  /// `min 0`: a number literal, negative with `-`
  case min(ExpressionSyntax)
  case stored
  /// `observed "why"`
  case observed(StringSyntax)
  case pii
  case tombstone
}

package struct TestDeclaration: Sendable {
  package var doc: String?
  package var name: StringSyntax
  package var statements: [TestStatement]
  package var span: Span
  package var tokens: TokenRange
}

package enum TestStatement: Sendable {
  /// `given Habit { id: "read", weeklyTarget: 3 }`; values are literals
  case given(record: Name, fields: [GivenField], span: Span)
  /// `log "read" from 2026-01-01 "### #.."`; the day as written
  case log(subject: StringSyntax, from: ExpressionSyntax, pattern: StringSyntax, span: Span)
  case expect(ExpectStatement)
  /// Tokens that start no statement; their finding has been reported.
  case unexpected(Span)
}

package struct GivenField: Sendable {
  package var name: Name
  package var value: ExpressionSyntax
}

/// What `by` takes.
package enum GroupSyntax: Sendable {
  /// A field or a path along references.
  case field([Name])
  /// `cohort week`
  case cohort(unit: Name)

  package var names: [Name] { if case .field(let names) = self { names } else { [] } }

  package var span: Span {
    switch self {
    case .field(let names): names.dropFirst().reduce(names[0].span) { $0.union($1.span) }
    case .cohort(let unit): unit.span
    }
  }
}

/// `expect NAME [for "subject"] [group "g", …] [part "p"] at DAY = LITERAL`
package struct ExpectStatement: Sendable {
  package var metric: Name
  package var subject: StringSyntax?
  /// A text for each field of `by`.
  package var group: [StringSyntax]
  package var part: StringSyntax?
  package var at: ExpressionSyntax
  package var value: ExpressionSyntax
  package var span: Span
}
