#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keyed pseudonyms in place of subjects' ids.
///
/// A pseudonym is the HMAC-SHA256 (RFC 2104, FIPS 180-4) of the id's UTF-8 bytes under the key, as 64
/// lower-case hexadecimal digits. Whoever has the key can tell which id a pseudonym stands for by
/// trying; nobody else can, and the same key gives the same pseudonyms in every run.
final class Pseudonyms {
  private let hash: KeyedHash
  private var known: [String: String] = [:]

  /// Fewer bytes than this could be guessed: 128 bits.
  static let fewestKeyBytes = 16

  /// A larger file cannot be a key.
  private static let mostKeyBytes = 1 << 16

  /// - Parameter bytes: The key, of `fewestKeyBytes` or more.
  init(key bytes: [UInt8]) throws(CommandFailure) { hash = try KeyedHash(key: bytes) }

  /// Takes the whole file as the key, but for one line end at its end.
  convenience init(keyFile path: String) throws(CommandFailure) {
    var bytes = try InputFile(path: path, most: Pseudonyms.mostKeyBytes).bytes()
    if bytes.last == UInt8(ascii: "\n") {
      bytes.removeLast()
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    }
    guard !bytes.isEmpty else { throw .unreadable("the key file \(path.quoted) is empty") }
    guard bytes.count >= Pseudonyms.fewestKeyBytes else {
      throw .unreadable(
        "the key in \(path.quoted) is too short: it has \(Counting.of(bytes.count, "byte")), "
          + "and needs \(Pseudonyms.fewestKeyBytes); `openssl rand -hex 32` makes a good one")
    }
    try self.init(key: bytes)
  }

  func of(_ id: String) -> String {
    guard !id.isEmpty else { return "" }
    if let known = known[id] { return known }
    let digits = hash.code(of: Array(id.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    let pseudonym = digits.joined()
    known[id] = pseudonym
    return pseudonym
  }

  /// The rows with pseudonyms for subjects, and for ids of users in groups and values, sorted by these, so that the
  /// order reveals nothing; within them they keep their order.
  func replacingIDs(in rows: [ResultRow], _ library: MetricLibrary) -> [ResultRow] {
    let users = library.userIDs
    return replacingSubjects(in: users.replacing(in: rows, of), groups: users.groups)
  }

  /// The rows with pseudonyms for subjects alone; `groups` are metrics whose groups are such, and are sorted too.
  func replacingSubjects(in rows: [ResultRow], groups: Set<String> = []) -> [ResultRow] {
    var replaced = rows
    for index in replaced.indices { replaced[index].subject = of(rows[index].subject) }
    return replaced.enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.metric != b.metric { return Folder.bytesPrecede(a.metric, b.metric) }
      if a.subject != b.subject { return Folder.bytesPrecede(a.subject, b.subject) }
      if a.group != b.group, groups.contains(a.metric) { return a.group < b.group }
      return left.offset < right.offset
    }.map(\.element)
  }

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

/// HMAC-SHA256 (RFC 2104, FIPS 180-4) of the system's own cryptography: CryptoKit on Apple's systems, OpenSSL's
/// libcrypto elsewhere, which is opened at run time. Linking a library for it took a third of every first build, for a
/// single option.
struct KeyedHash {
  private let key: [UInt8]

  #if canImport(CryptoKit)
    init(key: [UInt8]) throws(CommandFailure) { self.key = key }

    /// The 32 bytes of the code.
    func code(of message: [UInt8]) -> [UInt8] {
      Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
    }
  #else
    /// `HMAC` of OpenSSL: digest, key and its length, message and its length, output and its length.
    private typealias Function =
      @convention(c) (
        OpaquePointer?, UnsafePointer<UInt8>?, Int32, UnsafePointer<UInt8>?, Int,
        UnsafeMutablePointer<UInt8>?,
        UnsafeMutablePointer<UInt32>?
      ) -> UnsafeMutablePointer<UInt8>?
    private typealias Digest = @convention(c) () -> OpaquePointer?

    private let function: Function
    private let digest: OpaquePointer?

    private static let libraries = ["libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"]

    /// - Throws: if the machine has no libcrypto.
    init(key: [UInt8]) throws(CommandFailure) {
      let library = KeyedHash.libraries.lazy.compactMap { dlopen($0, RTLD_NOW) }.first
      guard let library, let function = dlsym(library, "HMAC"), let digest = dlsym(library, "EVP_sha256")
      else {
        throw .unreadable(
          "--pseudonymize needs OpenSSL's libcrypto, which was not found on this machine; "
            + "install it with `apt-get install libssl3` or the like")
      }
      self.key = key
      self.function = unsafeBitCast(function, to: Function.self)
      self.digest = unsafeBitCast(digest, to: Digest.self)()
    }

    /// The 32 bytes of the code.
    func code(of message: [UInt8]) -> [UInt8] {
      var code = [UInt8](repeating: 0, count: 32)
      _ = function(digest, key, Int32(key.count), message, message.count, &code, nil)
      return code
    }
  #endif
}
