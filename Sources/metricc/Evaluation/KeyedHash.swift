#if canImport(CryptoKit)
  import CryptoKit
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// HMAC-SHA256 (RFC 2104, FIPS 180-4) of the system's own cryptography: CryptoKit on Apple's systems,
/// OpenSSL's libcrypto elsewhere, which is opened at run time. Linking a library of our own took a third
/// of every first build for the one command-line option that needs it.
struct KeyedHash {
  private let key: [UInt8]

  #if canImport(CryptoKit)
    init(key: [UInt8]) throws(CommandFailure) {
      self.key = key
    }

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

    /// - Throws: where the machine has no libcrypto.
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
