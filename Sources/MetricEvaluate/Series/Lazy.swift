import Dispatch

/// A value that is made when it is first asked for, once, whichever thread asks.
final class Lazy<Value>: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var known: Value?
  private let make: () -> Value

  init(_ make: @escaping () -> Value) {
    self.make = make
  }

  var value: Value {
    lock.wait()
    defer { lock.signal() }
    if let known { return known }
    let made = make()
    known = made
    return made
  }
}

/// The results of pieces of work, each kept at its number.
final class PieceList<Value>: @unchecked Sendable {
  private let lock = DispatchSemaphore(value: 1)
  private var found: [Value?]

  init(count: Int) {
    found = Array(repeating: nil, count: count)
  }

  func set(_ value: Value, at number: Int) {
    lock.wait()
    defer { lock.signal() }
    found[number] = value
  }

  var values: [Value] { found.compactMap { $0 } }
}
