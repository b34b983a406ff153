/// An index into `Library.records`.
package typealias RecordID = Int
/// An index into `Library.metrics`.
package typealias MetricID = Int

package enum RecordKind: String, Sendable {
  case fact, entity, link
}

package enum FieldType: Hashable, Sendable {
  case id, text, int, decimal, bool, dayKey, instant
  /// A text that is one of these.
  case choice([String])
  /// The id of a record of this entity.
  case reference(RecordID)

  /// What an expression sees when it reads such a field.
  package var valueType: ValueType {
    switch self {
    case .id, .text, .choice, .reference: .text
    case .int: .int
    case .decimal: .decimal
    case .bool: .bool
    case .dayKey: .dayKey
    case .instant: .instant
    }
  }

  /// The texts of a choice.
  package var choices: [String]? { if case .choice(let texts) = self { texts } else { nil } }

  /// The entity that a reference names.
  package var target: RecordID? { if case .reference(let target) = self { target } else { nil } }
}

package struct Field: Hashable, Sendable {
  package var name: String
  package var type: FieldType
  package var isOptional: Bool
  /// `min N`: the loader refuses a smaller value.
  package var minimum: FixedDecimal?
  package var isStored = false
  /// `observed "why"`: seen at that moment, whatever its name says.
  package var observed: String?
  package var isPersonal = false
  package var isTombstone = false
  /// `name = E`: over the record's own fields (root `.row`) and those of entities it refers to.
  package var computed: Expression?
  package var doc: String?
  package var span: Span

  package init(
    name: String, type: FieldType, isOptional: Bool, computed: Expression? = nil, doc: String? = nil,
    span: Span
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.computed = computed
    self.doc = doc
    self.span = span
  }
}

/// A fact, an entity or a link, with the fields that `extend` added to it.
package struct Record: Hashable, Sendable {
  package var name: String
  package var kind: RecordKind
  /// `fact … setting`: a decision, not behaviour.
  package var isSetting: Bool
  /// The `consent` line, where there is one.
  package var consent: AskedConsent?
  package var fields: [Field]
  /// Whether it is one of the records that the language brings along.
  package var isBuiltIn: Bool
  package var doc: String?
  package var span: Span

  package init(
    name: String, kind: RecordKind, isSetting: Bool = false, consent: AskedConsent? = nil,
    fields: [Field], isBuiltIn: Bool = false, doc: String? = nil, span: Span
  ) {
    self.name = name
    self.kind = kind
    self.isSetting = isSetting
    self.consent = consent
    self.fields = fields
    self.isBuiltIn = isBuiltIn
    self.doc = doc
    self.span = span
  }

  /// The name of the record as a subject: `readingPlan` for `ReadingPlan`.
  package var subjectName: String { name.prefix(1).lowercased() + name.dropFirst() }

  package func field(named name: String) -> Int? {
    fields.firstIndex { $0.name == name }
  }

  /// The field of type ID called `id`, by which entities are referred to and facts are ordered last.
  package var idField: Int? {
    fields.firstIndex { $0.name == "id" && $0.type == .id }
  }

  /// A fact's DayKey: its one field of that type that is neither computed nor a tombstone.
  package var dayKeyField: Int? {
    fields.firstIndex { $0.type == .dayKey && $0.computed == nil && !$0.isTombstone }
  }

  /// The first Instant that is not a tombstone: it orders facts within a day.
  package var orderField: Int? {
    fields.firstIndex { $0.type == .instant && !$0.isTombstone && $0.computed == nil }
  }

  /// The fields that make a record not live where they have a value.
  package var tombstones: [Int] {
    fields.indices.filter { fields[$0].isTombstone }
  }
}

/// A field of a record; they are ordered as they are declared.
package struct FieldReference: Hashable, Comparable, Sendable {
  package var record: RecordID
  package var field: Int

  package init(record: RecordID, field: Int) {
    self.record = record
    self.field = field
  }

  package static func < (left: FieldReference, right: FieldReference) -> Bool {
    (left.record, left.field) < (right.record, right.field)
  }
}
