import Foundation

enum Terminal {
  enum Stream: Int32 {
    case output = 1
    case error = 2
  }

  /// Whether a person looks at the stream.
  static func isInteractive(_ stream: Stream) -> Bool { isatty(stream.rawValue) == 1 }

  /// Colour is for terminals only, and for nobody who sets `NO_COLOR` (<https://no-color.org>).
  static func isColored(_ stream: Stream) -> Bool {
    isInteractive(stream) && variable("NO_COLOR") == nil && variable("TERM") != "dumb"
  }

  /// How many columns results may take: `COLUMNS`, else the terminal's own width, else 100.
  static var width: Int {
    if let columns = variable("COLUMNS").flatMap({ Int($0) }), columns > 0 { return max(columns, 20) }
    return max(columns(of: .output), 20)
  }

  /// How many columns the terminal of a stream has; 100 where it does not say.
  static func columns(of stream: Stream) -> Int {
    var size = winsize()
    return ioctl(stream.rawValue, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 1 ? Int(size.ws_col) : 100
  }

  /// An environment variable that is set to something.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
