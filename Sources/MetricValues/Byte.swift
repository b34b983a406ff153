/// The bytes that the readers look for. They are computed so that other targets see constants.
///
/// `@inlinable` members of a `package` type are calls from other targets, whatever they say, until the type is
/// `@usableFromInline`: habit metrics from lines of JSON spent 8 % of their time in calls of these.
@usableFromInline package enum Byte {
  @inlinable package static var tab: UInt8 { UInt8(ascii: "\t") }
  @inlinable package static var newline: UInt8 { UInt8(ascii: "\n") }
  @inlinable package static var carriageReturn: UInt8 { UInt8(ascii: "\r") }
  @inlinable package static var blank: UInt8 { UInt8(ascii: " ") }
  @inlinable package static var quote: UInt8 { UInt8(ascii: "\"") }
  @inlinable package static var comma: UInt8 { UInt8(ascii: ",") }
  @inlinable package static var minus: UInt8 { UInt8(ascii: "-") }
  @inlinable package static var plus: UInt8 { UInt8(ascii: "+") }
  @inlinable package static var point: UInt8 { UInt8(ascii: ".") }
  @inlinable package static var colon: UInt8 { UInt8(ascii: ":") }
  @inlinable package static var zero: UInt8 { UInt8(ascii: "0") }
  @inlinable package static var backslash: UInt8 { UInt8(ascii: "\\") }
  @inlinable package static var openBracket: UInt8 { UInt8(ascii: "[") }
  @inlinable package static var closeBracket: UInt8 { UInt8(ascii: "]") }
  @inlinable package static var openBrace: UInt8 { UInt8(ascii: "{") }
  @inlinable package static var closeBrace: UInt8 { UInt8(ascii: "}") }

  /// The value of a decimal digit; more than 9 for any other byte.
  @inlinable @inline(__always)
  package static func digit(_ byte: UInt8) -> UInt8 { byte &- zero }
}
