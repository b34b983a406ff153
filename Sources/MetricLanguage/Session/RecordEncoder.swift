import MetricEvaluate

/// Takes in the fields of a record of the app: each a single value.
final class RecordFields {
  private let record: String
  fileprivate var values: [String: Value] = [:]
  private var fault: SessionError?

  private init(record: String) { self.record = record }

  /// - Throws: if a field is not a single value, or what the record itself throws.
  static func values(of value: some Encodable, record: String) throws(SessionError) -> [String: Value] {
    let fields = RecordFields(record: record)
    do { try value.encode(to: RecordEncoder(kind: .record, fields: fields)) } catch {
      throw error as? SessionError ?? .invalidRecord(record: record, field: nil, reason: "\(error)")
    }
    if let fault = fields.fault { throw fault }
    return fields.values
  }

  /// Notes that a field is not a single value; what it is made of is taken in and forgotten.
  @discardableResult
  fileprivate func refuse(_ field: String?, _ found: String, as kind: RecordEncoder.Kind = .record)
    -> RecordEncoder
  {
    let expected = field == nil ? "fields by name" : "a single value"
    fault =
      fault ?? .invalidRecord(record: record, field: field, reason: "expected \(expected), found \(found)")
    return RecordEncoder(kind: kind, fields: RecordFields(record: record))
  }
}

/// What a record, a single value or a list that was refused encodes itself into.
private struct RecordEncoder: Encoder, SingleValueEncodingContainer, UnkeyedEncodingContainer {
  enum Kind { case record, value, list }

  var kind: Kind
  /// The name of a value's field; nil for what is in place of a record.
  var field: String?
  let fields: RecordFields
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  func encodeNil() {}

  func encode(_ value: some Encodable) throws {
    guard kind != .list else { return }
    if let value = value as? any MetricConvertible {
      take(value.metricValue)
    } else if let number = value as? any BinaryInteger {
      take(Int64(exactly: number).map { .int($0) } ?? .text("\(number)"))
    } else if let number = value as? Float {
      // Its shortest notation says what was meant: 0.1, not 0.10000000149.
      take(Double("\(number)")?.metricValue ?? .text("\(number)"))
    } else {
      try value.encode(to: self)
    }
  }

  private func take(_ value: Value) {
    if let field { fields.values[field] = value } else { fields.refuse(nil, "a single value") }
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    kind == .value
      ? fields.refuse(field, "fields of its own").container(keyedBy: type)
      : KeyedEncodingContainer(Keyed<Key>(fields: fields))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { fields.refuse(field, "a list", as: .list) }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    RecordEncoder(kind: .value, field: field, fields: fields)
  }
  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RecordEncoder(kind: .record, fields: fields) }

  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let fields: RecordFields
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { fields.values[key.stringValue] = Value.none }
    func encode(_ value: some Encodable, forKey key: Key) throws {
      try RecordEncoder(kind: .value, field: key.stringValue, fields: fields).encode(value)
    }
    func nestedContainer<Nested>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      fields.refuse(key.stringValue, "fields of its own").container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      fields.refuse(key.stringValue, "a list", as: .list)
    }
    func superEncoder() -> any Encoder { RecordEncoder(kind: .record, fields: fields) }
    func superEncoder(forKey key: Key) -> any Encoder {
      RecordEncoder(kind: .value, field: key.stringValue, fields: fields)
    }
  }
}
