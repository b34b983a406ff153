import MetricEvaluate
import MetricPlan
import MetricValues

/// The fields of a record of the app: each a single value.
final class RecordEncoder: Encoder {
  let record: String
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private(set) var fields: [String: Value] = [:]
  private var fault: SessionError?

  private init(record: String) { self.record = record }

  /// - Throws: where a field is no single value, or what the record itself throws.
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

  func unkeyedContainer() -> any UnkeyedEncodingContainer { refuse(nil, "a list") }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValue(take: { _ in _ = self.refuse(nil, "a single value") }, refuse: { self.refuse(nil, $0) })
  }

  /// Notes that a field is no single value; what it is made of is taken in and forgotten.
  fileprivate func refuse(_ field: String?, _ found: String) -> Ignored {
    let expected = field == nil ? "fields by name" : "a single value"
    fault =
      fault ?? .invalidRecord(record: record, field: field, reason: "expected \(expected), found \(found)")
    return Ignored()
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
      encoder.refuse(key.stringValue, "a list")
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
  let refuse: (String) -> Ignored
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(take: @escaping (Value) -> Void, refuse: @escaping (String) -> Ignored) {
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
  func unkeyedContainer() -> any UnkeyedEncodingContainer { refuse("a list") }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

/// Takes in what was refused.
private struct Ignored: Encoder, UnkeyedEncodingContainer {
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var count: Int { 0 }

  struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var codingPath: [any CodingKey] { [] }
    mutating func encodeNil(forKey key: Key) throws {}
    mutating func encode(_ value: some Encodable, forKey key: Key) throws {}
    mutating func nestedContainer<Nested>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { Ignored().container(keyedBy: type) }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Ignored() }
    mutating func superEncoder() -> any Encoder { Ignored() }
    mutating func superEncoder(forKey key: Key) -> any Encoder { Ignored() }
  }

  func encodeNil() throws {}
  func encode(_ value: some Encodable) throws {}
  func container<Key>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Fields<Key>())
  }
  func nestedContainer<Nested>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    container(keyedBy: type)
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { self }
  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleValue(take: { _ in }, refuse: { _ in self })
  }
}
