/// Templates of dbt: names and constants of the definitions cannot become template code.
enum Jinja {
  /// Text that the template gives back as it is.
  static func escaped(_ text: String) -> String {
    let scalars = text.unicodeScalars
    return zip(scalars, scalars.dropFirst() + [" "]).map { scalar, next in
      scalar == "{" && ["{", "%", "#"].contains(next) ? "{{ '{' }}" : String(scalar)
    }.joined()
  }
}
