/// The files that `metricc init` writes. A test checks, formats, tests and evaluates them.
enum StarterLibrary {
  static let files: [(name: String, text: String)] = [
    ("reading.metric", PackageResources.reading_metric),
    ("reading_tests.metric", PackageResources.reading_tests_metric),
    ("sample/Book.csv", PackageResources.Book_csv),
    ("sample/ReadingSession.csv", PackageResources.ReadingSession_csv),
  ].map { ($0, String(decoding: $1, as: UTF8.self)) }
}
