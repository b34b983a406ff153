// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same rules: Swift 6, and a warning stops the build.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "metricc",
  products: [
    .library(name: "MetricLanguage", targets: ["MetricLanguage"]),
    .executable(name: "metricc", targets: ["metricc"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.0.0"),
  ],
  targets: [
    .target(name: "MetricDiagnostics", swiftSettings: strict),
    .target(name: "MetricSyntax", dependencies: ["MetricDiagnostics"], swiftSettings: strict),
    .target(name: "MetricFormat", dependencies: ["MetricSyntax"], swiftSettings: strict),
    .target(name: "MetricData", dependencies: ["MetricDiagnostics"], swiftSettings: strict),
    .target(
      name: "MetricPlan", dependencies: ["MetricDiagnostics", "MetricData"], swiftSettings: strict),
    .target(
      name: "MetricResolve", dependencies: ["MetricSyntax", "MetricPlan"], swiftSettings: strict),
    .target(name: "MetricCheck", dependencies: ["MetricPlan"], swiftSettings: strict),
    .target(name: "MetricEvaluate", dependencies: ["MetricPlan"], swiftSettings: strict),
    .target(
      name: "MetricLanguage",
      dependencies: [
        "MetricSyntax", "MetricFormat", "MetricResolve", "MetricCheck", "MetricEvaluate",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "metricc",
      dependencies: [
        "MetricLanguage",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Crypto", package: "swift-crypto"),
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "metricc-fuzz", dependencies: ["MetricLanguage", "MetricEvaluate"], swiftSettings: strict),

    .target(
      name: "MetricTestSupport",
      dependencies: ["MetricLanguage", "MetricSyntax", "MetricData", "MetricPlan"],
      path: "Tests/MetricTestSupport", swiftSettings: strict),
  ]
    + [
      "MetricDiagnostics", "MetricSyntax", "MetricFormat", "MetricData", "MetricPlan",
      "MetricResolve", "MetricCheck", "MetricEvaluate", "MetricLanguage",
    ].map { name in
      .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "MetricTestSupport"],
        swiftSettings: strict)
    } + [
      .testTarget(
        name: "metricc-fuzzTests", dependencies: ["metricc-fuzz", "MetricTestSupport"],
        swiftSettings: strict),
      .testTarget(name: "RepositoryTests", dependencies: ["MetricTestSupport"], swiftSettings: strict),
      .testTarget(
        name: "metriccTests", dependencies: ["metricc", "MetricTestSupport"],
        swiftSettings: strict),
    ],
  swiftLanguageModes: [.v6]
)
