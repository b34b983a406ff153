// swift-tools-version: 6.2
import PackageDescription

/// Every target is held to the same rules: Swift 6, and a warning stops the build.
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

/// What a package that depends on this one may use. A plugin's tool is built a second time, for the
/// machine that builds; at home that would be half of every build, so the plugins are there only in the
/// checkout of a dependency, and where `METRICC_PLUGINS` is set.
let hasPlugins =
  Context.packageDirectory.contains("/checkouts/") || Context.environment["METRICC_PLUGINS"] != nil

/// An artifact bundle in this folder with a `metricc` for the plugins, which then is not built for them;
/// `Tests/Integration/plugin-sample.sh` makes one.
let pluginTool = Context.environment["METRICC_PLUGIN_TOOL"]

let toolOfPlugins: Target.Dependency = pluginTool == nil ? "metricc" : "metricc-prebuilt"

let plugins: (products: [Product], targets: [Target]) =
  !hasPlugins
  ? ([], [])
  : (
    products: [
      .plugin(name: "CheckMetrics", targets: ["CheckMetrics"]),
      .plugin(name: "GenerateMetrics", targets: ["GenerateMetrics"]),
      .plugin(name: "CheckMetricsCommand", targets: ["CheckMetricsCommand"]),
    ],
    targets: [
      .plugin(name: "CheckMetrics", capability: .buildTool(), dependencies: [toolOfPlugins]),
      .plugin(name: "GenerateMetrics", capability: .buildTool(), dependencies: [toolOfPlugins]),
      .plugin(
        name: "CheckMetricsCommand",
        capability: .command(
          intent: .custom(
            verb: "check-metrics", description: "Checks and tests the .metric files of each target.")),
        dependencies: [toolOfPlugins]),
    ] + (pluginTool.map { [.binaryTarget(name: "metricc-prebuilt", path: $0)] } ?? [])
  )

/// The pages of a target's codes. Texts are in files of their own, which SwiftPM writes into the code, so that a
/// program is one file.
let pages = Resource.embedInCode("Resources/pages.txt")

let package = Package(
  name: "metricc",
  // The first systems with `Int128`, `Mutex` and `String(validating:)`.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "MetricLanguage", targets: ["MetricLanguage"]),
    .library(name: "MetricFoundation", targets: ["MetricFoundation"]),
    .library(name: "MetricTimeline", targets: ["MetricTimeline"]),
    .executable(name: "metricc", targets: ["metricc"]),
  ] + plugins.products,
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ]
    // `.ci/documentation`
    + (Context.environment["METRICC_DOCS"] == nil
      ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")]),
  targets: [
    .target(
      name: "MetricDiagnostics", resources: [.embedInCode("Resources/familiar.txt")], swiftSettings: strict),
    .target(
      name: "MetricSyntax", dependencies: ["MetricDiagnostics"], resources: [pages], swiftSettings: strict),
    .target(name: "MetricValues", swiftSettings: strict),
    .target(name: "MetricIntrinsics"),
    .target(
      name: "MetricData", dependencies: ["MetricDiagnostics", "MetricValues", "MetricIntrinsics"],
      resources: [pages], swiftSettings: strict),
    .target(
      name: "MetricPlan", dependencies: ["MetricSyntax", "MetricValues"],
      resources: [
        .embedInCode("Resources/builtin.metric"), .embedInCode("Resources/check_pages.txt"),
        .embedInCode("Resources/resolve_pages.txt"),
      ],
      swiftSettings: strict),
    .target(
      name: "MetricEvaluate", dependencies: ["MetricPlan", "MetricData", "MetricIntrinsics"],
      swiftSettings: strict),
    .target(name: "MetricSQL", dependencies: ["MetricPlan"], swiftSettings: strict),
    .target(name: "MetricTimeline", swiftSettings: strict),
    .target(
      name: "MetricLanguage",
      dependencies: [
        "MetricDiagnostics", "MetricValues", "MetricData", "MetricSyntax", "MetricPlan", "MetricEvaluate",
        "MetricSQL", "MetricTimeline",
      ],
      resources: [pages], swiftSettings: strict),
    .target(name: "MetricFoundation", dependencies: ["MetricLanguage"], swiftSettings: strict),
    .target(
      name: "MetricLanguageServer",
      dependencies: ["MetricLanguage", "MetricSyntax", "MetricPlan"], swiftSettings: strict),
    .target(
      name: "MetricImport", dependencies: ["MetricDiagnostics", "MetricData"], swiftSettings: strict),
    .target(
      name: "MetricCatalogue", dependencies: ["MetricLanguage"],
      resources: [.embedInCode("Resources/style.css"), .embedInCode("Resources/script.js")],
      swiftSettings: strict),
    .executableTarget(
      name: "metricc",
      dependencies: [
        "MetricLanguage", "MetricLanguageServer", "MetricImport", "MetricCatalogue",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: [.embedInCode("Resources/Starter"), .embedInCode("Resources/driver.py")],
      swiftSettings: strict),

    .executableTarget(
      name: "metricc-fuzz",
      dependencies: ["MetricLanguage", "MetricEvaluate", "MetricImport", "MetricLanguageServer"],
      path: "Tests/Fuzzing", swiftSettings: strict),

    .target(
      name: "MetricTestSupport",
      dependencies: ["MetricLanguage", "MetricSyntax", "MetricData", "MetricPlan"],
      path: "Tests/MetricTestSupport", swiftSettings: strict),
  ]
    + [
      "MetricDiagnostics", "MetricSyntax", "MetricValues", "MetricData", "MetricPlan", "MetricEvaluate",
      "MetricSQL", "MetricLanguage", "MetricLanguageServer", "MetricImport", "MetricCatalogue",
      "MetricFoundation", "MetricTimeline",
    ].map { name in
      .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "MetricTestSupport"],
        exclude: name == "MetricSQL"
          ? [
            "Engines/engine.py", "Engines/forgiveness.py", "Engines/incremental.py", "Engines/samples.py",
            "Engines/postgres.sh", "Engines/spark.sh",
          ] : [],
        swiftSettings: strict)
    } + [
      .testTarget(
        name: "metricc-fuzzTests", dependencies: ["metricc-fuzz", "MetricLanguage", "MetricTestSupport"],
        swiftSettings: strict),
      .testTarget(name: "RepositoryTests", dependencies: ["MetricTestSupport"], swiftSettings: strict),
      .testTarget(
        name: "metriccTests", dependencies: ["metricc", "MetricTestSupport"],
        swiftSettings: strict),
    ] + plugins.targets
    // Microbenchmarks: `METRICC_MICRO=1 swift run -c release metricc-micro`
    + (Context.environment["METRICC_MICRO"] == nil
      ? []
      : [
        .executableTarget(
          name: "metricc-micro",
          dependencies: ["MetricLanguage", "MetricData", "MetricDiagnostics", "MetricEvaluate"],
          path: "Benchmarks/Micro", swiftSettings: strict)
      ])
    // Random expressions for the proved model: `.ci/proofs`
    + (Context.environment["METRICC_PROOFS"] == nil
      ? []
      : [
        .executableTarget(
          name: "metricc-bridge",
          dependencies: ["MetricDiagnostics", "MetricPlan", "MetricValues"],
          path: "Tests/Proofs/Bridge", exclude: ["compare.ml"], swiftSettings: strict)
      ]),
  swiftLanguageModes: [.v6]
)
