extension Page {
  private static let checklist = Pages(PackageResources.check_pages_txt)

  /// The page of a rule of the checklist or of a warning.
  static func checklist(_ id: String) -> Page { checklist[id] }
}
