/// Templates of dbt: names and constants of the definitions cannot become template code.
enum Jinja {
  /// Text that the template gives back as it is.
  static func escaped(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars)
    var escaped = ""
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : " "
      if scalar == "{", ["{", "%", "#"].contains(next) {
        escaped += "{{ '{' }}"
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
