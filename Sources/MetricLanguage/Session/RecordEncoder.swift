import MetricEvaluate

/// The fields of a record of the app: each a single value.
final class RecordEncoder: Encoder {
  let record: String
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private(set) var fields: [String: Value] = [:]
  private var fault: SessionError?

  private init(record: String) { self.record = record }

  /// - Throws: if a field is not a single value, or what the record itself throws.
  static func fields(of value: some Encodable, record: String) throws(SessionError) -> [String: Value] {
    let encoder = RecordEncoder(record: record)
    do { try value.encode(to: encoder) } catch {
      throw error as? SessionError ?? .invalidRecord(record: record, field: nil, reason: "\(error)")
    }
    if let fault = encoder.fault { throw fault }
    return encoder.fields
  }

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Fields<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { IgnoredList(refuse(nil, "a list")) }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValue(take: { _ in self.refuse(nil, "a single value") }, refuse: { self.refuse(nil, $0) })
  }

  /// Notes that a field is not a single value; what it is made of is taken in and forgotten.
  @discardableResult
  fileprivate func refuse(_ field: String?, _ found: String) -> RecordEncoder {
    let expected = field == nil ? "fields by name" : "a single value"
    fault =
      fault ?? .invalidRecord(record: record, field: field, reason: "expected \(expected), found \(found)")
    return RecordEncoder(record: record)
  }

  fileprivate func set(_ field: String, _ value: Value) { fields[field] = value }

  fileprivate struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: RecordEncoder
    var codingPath: [any CodingKey] { [] }

    mutating func encodeNil(forKey key: Key) throws { encoder.set(key.stringValue, .none) }
    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
      try SingleValue(field: key.stringValue, encoder).encode(value)
    }
    mutating func nestedContainer<Nested>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      encoder.refuse(key.stringValue, "fields of its own").container(keyedBy: type)
    }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      IgnoredList(encoder.refuse(key.stringValue, "a list"))
    }
    mutating func superEncoder() -> any Encoder { encoder }
    mutating func superEncoder(forKey key: Key) -> any Encoder {
      SingleValue(field: key.stringValue, encoder)
    }
  }
}

/// What a field encodes itself into.
private struct SingleValue: Encoder, SingleValueEncodingContainer {
  let take: (Value) -> Void
  let refuse: (String) -> RecordEncoder
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(take: @escaping (Value) -> Void, refuse: @escaping (String) -> RecordEncoder) {
    (self.take, self.refuse) = (take, refuse)
  }

  init(field: String, _ encoder: RecordEncoder) {
    self.init(take: { encoder.set(field, $0) }, refuse: { encoder.refuse(field, $0) })
  }

  func encodeNil() throws {}

  func encode(_ value: some Encodable) throws {
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

  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    refuse("fields of its own").container(keyedBy: type)
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { IgnoredList(refuse("a list")) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// Takes in the elements of a list that was refused.
private struct IgnoredList: UnkeyedEncodingContainer {
  private let encoder: RecordEncoder
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  init(_ encoder: RecordEncoder) { self.encoder = encoder }

  func encodeNil() throws {}
  func encode(_ value: some Encodable) throws {}
  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder.container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { encoder }
}
