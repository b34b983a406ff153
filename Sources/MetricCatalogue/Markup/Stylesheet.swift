/// How the pages look. Every pair of text and ground has a contrast of 4.5 to 1 or more, which a test
/// computes; lines and bars that carry meaning have 3 to 1.
enum Stylesheet {
  /// The SHA-256 of the text in Base64, which the pages' policy names. A test computes it.
  static let hash = "mpNqEsEsgLPgyE2of8UCC/cAFWj0pZ1VJui5HhA6owo="

  /// A colour by its name, for light and for dark pages.
  static let colors: [(name: String, light: String, dark: String)] = [
    ("ground", "#ffffff", "#14171c"), ("raised", "#f5f6f8", "#1d2128"), ("line", "#d5d9e0", "#363d48"),
    ("text", "#1b2028", "#e6e9ee"), ("dim", "#566070", "#a3adbb"), ("link", "#1457b0", "#8ab8ff"),
    ("accent", "#1f6f8b", "#5cb8d6"), ("band", "#cfe5ec", "#24424e"), ("track", "#e6e9ee", "#2a303a"),
    ("good", "#17693a", "#6fcf97"), ("bad", "#a3211a", "#ff9d94"), ("notice", "#fff4d6", "#3a3018"),
    ("keyword", "#8a2f7a", "#e39bd6"), ("string", "#17693a", "#8fd6a8"), ("number", "#9a4a00", "#f0b070"),
    ("h0", "#e6e9ee", "#2a303a"), ("h1", "#c3e0e9", "#1d4756"), ("h2", "#86bfd0", "#2a6e86"),
    ("h3", "#2f7f9b", "#4aa3c0"), ("h4", "#124b61", "#a6e0f2"),
    ("on0", "#1b2028", "#e6e9ee"), ("on1", "#1b2028", "#e6e9ee"), ("on2", "#10242c", "#ffffff"),
    ("on3", "#ffffff", "#08171d"), ("on4", "#ffffff", "#08171d"),
    ("user", "#e3f1ec", "#17352b"), ("userline", "#1f7a5c", "#4fb592"),
    ("team", "#e9e9fb", "#25264a"), ("teamline", "#4b4fb8", "#9497f0"),
  ]

  private static func variables(_ value: ((name: String, light: String, dark: String)) -> String) -> String {
    colors.map { "--\($0.name):\(value($0))" }.joined(separator: ";")
  }

  static let text: String = {
    let light = "color-scheme:light;" + variables { $0.light }
    let dark = "color-scheme:dark;" + variables { $0.dark }
    return """
      :root{\(light)}
      @media (prefers-color-scheme:dark){:root:not([data-theme=light]){\(dark)}}
      :root[data-theme=dark]{\(dark)}
      @media print{:root,:root:not([data-theme=light]),:root[data-theme=dark]{\(light)}}
      \(String(decoding: PackageResources.style_css, as: UTF8.self))
      """
  }()
}
