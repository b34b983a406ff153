import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

/// Keyed pseudonyms in place of subjects' ids.
///
/// A pseudonym is the HMAC-SHA256 (RFC 2104, FIPS 180-4) of the id's UTF-8 bytes under the key, as 64
/// lower-case hexadecimal digits. Whoever has the key can tell which id a pseudonym stands for by
/// trying; nobody else can, and the same key gives the same pseudonyms in every run.
struct Pseudonyms {
  private let hash: KeyedHash

  /// Fewer bytes than this could be guessed: 128 bits.
  static let fewestKeyBytes = 16

  /// A larger file is no key.
  private static let mostKeyBytes = 1 << 16

  /// - Parameter bytes: The key, of `fewestKeyBytes` or more.
  init(key bytes: [UInt8]) throws(CommandFailure) {
    hash = try KeyedHash(key: bytes)
  }

  /// Takes the whole file as the key, but for one line end at its end.
  init(keyFile path: String) throws(CommandFailure) {
    var bytes = try InputFile(path: path, most: Pseudonyms.mostKeyBytes).bytes()
    if bytes.last == UInt8(ascii: "\n") {
      bytes.removeLast()
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    }
    guard !bytes.isEmpty else { throw .unreadable("the key file \(Quoting.quoted(path)) is empty") }
    guard bytes.count >= Pseudonyms.fewestKeyBytes else {
      throw .unreadable(
        "the key in \(Quoting.quoted(path)) is too short: it has \(Counting.of(bytes.count, "byte")), "
          + "and needs \(Pseudonyms.fewestKeyBytes); `openssl rand -hex 32` makes a good one")
    }
    try self.init(key: bytes)
  }

  /// The pseudonym of an id; no id stays none.
  func of(_ id: String) -> String {
    guard !id.isEmpty else { return "" }
    var digits: [UInt8] = []
    digits.reserveCapacity(64)
    for byte in hash.code(of: Array(id.utf8)) {
      digits.append(Pseudonyms.digits[Int(byte >> 4)])
      digits.append(Pseudonyms.digits[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static let digits = Array("0123456789abcdef".utf8)

  /// The rows with pseudonyms for subjects, and for ids of users in groups and values, sorted by these, so that their
  /// order tells nothing; within them they keep their order.
  func replacingIDs(in rows: [ResultRow], _ library: MetricLibrary) -> [ResultRow] {
    var known: [String: String] = [:]
    func pseudonym(_ id: String) -> String {
      let pseudonym = known[id] ?? of(id)
      known[id] = pseudonym
      return pseudonym
    }
    let users = library.userIDs
    return replacingSubjects(in: users.replacing(in: rows, pseudonym), groups: users.groups)
  }

  /// The rows with pseudonyms for subjects alone.
  ///
  /// - Parameter groups: metrics whose groups are pseudonyms, and are sorted too.
  func replacingSubjects(in rows: [ResultRow], groups: Set<String> = []) -> [ResultRow] {
    var known: [String: String] = [:]
    var replaced = rows
    for index in replaced.indices {
      let id = rows[index].subject
      let pseudonym = known[id] ?? of(id)
      known[id] = pseudonym
      replaced[index].subject = pseudonym
    }
    return replaced.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.metric != b.metric { return Folder.bytesPrecede(a.metric, b.metric) }
      if a.subject != b.subject { return Folder.bytesPrecede(a.subject, b.subject) }
      if a.group != b.group, groups.contains(a.metric) { return Folder.bytesPrecede(a.group, b.group) }
      return left.offset < right.offset
    }.map(\.element)
  }

  /// The error with a pseudonym in place of its subject.
  func replacingSubject(in error: EvaluationError) -> EvaluationError {
    switch error {
    case .overflow(let metric, let subject, let day):
      .overflow(metric: metric, subject: of(subject), day: day)
    case .identityCycle(let ids): .identityCycle(ids.map(of))
    case .identityTargets(let id, let targets): .identityTargets(of(id), targets.map(of))
    case .bundleCycle, .bundleTooDeep, .unitMismatch: error
    }
  }
}
