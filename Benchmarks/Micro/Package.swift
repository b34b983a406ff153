// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that the one at the root stays free of what only measures it. The folder of the
// repository gives the root package its identity.
let package = Package(
  name: "metricc-micro",
  dependencies: [.package(name: "metricc", path: "../..")],
  targets: [
    .executableTarget(
      name: "metricc-micro",
      dependencies: [.product(name: "MetricLanguage", package: "metricc")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
