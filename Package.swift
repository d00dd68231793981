// swift-tools-version: 6.0

import PackageDescription

// The shared targets compile on Apple's systems against the system's CoreData, CloudKit and
// SQLite3, and on Linux against the targets of the same names that this package appends below.
let shared: [SwiftSetting] = [.swiftLanguageMode(.v5)]

// What tests only Linux's modules, or asks them for what Apple's have not, lies in the folder
// `Linux` of its target.
#if os(Linux)
let database: [Target.Dependency] = ["SQLite3"]
let frameworks: [Target.Dependency] = ["CoreData", "CloudKit"]
let seam3Product = ["Seam3", "CoreData", "CloudKit"]
let testingProduct = ["Seam3Testing", "CloudKit"]
let cloudKit: [Target.Dependency] = ["CloudKit", "CoreLocation"]
let nestedProduct = ["NestedCloudKitCodable", "CloudKit"]
let webServer: [Target.Dependency] = ["LoopbackServer"]
let classGenerator: [Target.Dependency] = ["ManagedObjectClassesTool"]
let privacyManifest: [Resource] = []
let onlyApple = ["PrivacyInfo.xcprivacy"]
let onlyLinux: [String] = []
let coreDataResources: [Resource] = [.copy("Linux/Migration/Gallery.xcdatamodeld")]
let storeResources: [Resource] = [
    .process("Linux/Atlas/Atlas.xcdatamodeld"),
    .process("Linux/Atlas/Atlas to Atlas 2.xcmappingmodel"),
]
let frameworkTests: [SwiftSetting] = []
#else
let database: [Target.Dependency] = []
let frameworks: [Target.Dependency] = []
let seam3Product = ["Seam3"]
let testingProduct = ["Seam3Testing"]
let cloudKit: [Target.Dependency] = []
let nestedProduct = ["NestedCloudKitCodable"]
let webServer: [Target.Dependency] = []
let classGenerator: [Target.Dependency] = []
let privacyManifest: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
let onlyApple: [String] = []
let onlyLinux = ["Linux"]
let coreDataResources: [Resource] = []
let storeResources: [Resource] = []
// Whether a class of the frameworks can be sent is for each SDK to say.
let frameworkTests = shared
#endif

let package = Package(
    name: "Seam3",
    platforms: [.iOS(.v15), .macOS(.v12), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [
        .library(name: "Seam3", targets: seam3Product),
        .library(name: "Seam3Testing", targets: testingProduct),
        .library(name: "NestedCloudKitCodable", targets: nestedProduct),
        .plugin(name: "ManagedObjectClasses", targets: ["ManagedObjectClasses"]),
        .plugin(name: "PortTests", targets: ["PortTests"]),
    ],
    targets: [
        .target(
            name: "SeamSQLite",
            dependencies: database,
            exclude: ["README.md"],
            swiftSettings: shared),
        .target(name: "ModelMatching", exclude: ["README.md"], swiftSettings: shared),
        .target(name: "NumberTables", exclude: ["README.md"], swiftSettings: shared),
        .target(name: "PrivateFiles", exclude: ["README.md"], swiftSettings: shared),
        .target(
            name: "Seam3",
            dependencies: ["SeamSQLite", "ModelMatching", "NumberTables", "PrivateFiles"]
                + frameworks,
            exclude: ["README.md"] + onlyApple,
            resources: privacyManifest,
            swiftSettings: shared),
        .target(
            name: "NestedCloudKitCodable",
            dependencies: ["PrivateFiles"] + cloudKit,
            exclude: ["README.md"],
            swiftSettings: shared),
        .target(
            name: "CloudKitService", dependencies: ["PrivateFiles"],
            path: "Sources/Linux/CloudKitService", exclude: ["README.md"]),
        .target(
            name: "LocalCloud",
            dependencies: ["CloudKitService", "PrivateFiles", "SeamSQLite"],
            path: "Sources/Linux/LocalCloud", exclude: ["README.md"]),
        .target(
            name: "Seam3Testing",
            dependencies: ["Seam3", "CloudKitService", "LocalCloud", "PrivateFiles"] + cloudKit,
            exclude: ["README.md"],
            swiftSettings: shared),
        .plugin(
            name: "ManagedObjectClasses",
            capability: .buildTool(),
            dependencies: classGenerator,
            path: "Sources/Linux/ManagedObjectClasses/Plugin"),
        .target(name: "SourcePorting", path: "Sources/Linux/PortTests/Porting"),
        .executableTarget(
            name: "PortTestsTool",
            dependencies: ["SourcePorting"],
            path: "Sources/Linux/PortTests/Tool"),
        .plugin(
            name: "PortTests",
            capability: .command(
                intent: .custom(
                    verb: "port-tests",
                    description:
                        "Rewrites Swift files for Apple's systems to compile on Linux, too."),
                permissions: [
                    .writeToPackageDirectory(reason: "It rewrites the Swift files of a folder.")
                ]),
            dependencies: ["PortTestsTool"],
            path: "Sources/Linux/PortTests/Plugin"),
        .target(name: "SeededRandom", path: "Tests/SeededRandom"),
        .target(
            name: "NotificationStreams", path: "Tests/NotificationStreams",
            swiftSettings: frameworkTests),
        .target(
            name: "CoreDataFiles", dependencies: ["SeamSQLite"] + frameworks,
            path: "Tests/CoreDataFiles",
            swiftSettings: frameworkTests),
        .target(
            name: "Judge",
            dependencies: [
                "SeededRandom", "Seam3", "Seam3Testing", "CloudKitService", "LocalCloud",
            ] + database + frameworks + webServer,
            path: "Tests/Simulator/Judge",
            swiftSettings: shared),
        .executableTarget(
            name: "seam3-simulate",
            dependencies: ["Judge", "Seam3"],
            path: "Tests/Simulator/Command",
            swiftSettings: shared),
        .testTarget(
            name: "AppleFacts", dependencies: frameworks, path: "Tests/AppleFacts",
            swiftSettings: shared),
        .testTarget(name: "SeamSQLiteTests", dependencies: ["SeamSQLite"]),
        .testTarget(name: "SourcePortingTests", dependencies: ["SourcePorting"]),
        .testTarget(
            name: "LocalCloudTests",
            dependencies: [
                "CloudKitService", "LocalCloud", "PrivateFiles", "SeamSQLite", "SeededRandom",
            ]),
        .testTarget(
            name: "CoreDataTests",
            dependencies: [
                "CoreDataFiles", "ModelMatching", "NotificationStreams", "NumberTables",
                "SeededRandom",
            ] + frameworks,
            exclude: onlyLinux,
            resources: coreDataResources,
            swiftSettings: frameworkTests),
        .testTarget(
            name: "Seam3Tests",
            dependencies: [
                "Seam3", "Seam3Testing", "CoreDataFiles", "CloudKitService", "LocalCloud",
                "NotificationStreams", "SeamSQLite", "SeededRandom",
            ] + frameworks + webServer,
            exclude: onlyLinux,
            resources: storeResources,
            swiftSettings: shared),
        .testTarget(
            name: "NestedCloudKitCodableTests",
            dependencies: ["NestedCloudKitCodable", "Seam3", "Seam3Testing", "LocalCloud"]
                + cloudKit,
            exclude: onlyLinux,
            swiftSettings: shared),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Judge", "Seam3", "CloudKitService", "LocalCloud"] + frameworks,
            exclude: onlyLinux,
            swiftSettings: shared),
        .testTarget(
            name: "RenamingScheduleTests",
            dependencies: [
                "Seam3", "Seam3Testing", "CloudKitService", "LocalCloud", "SeededRandom",
            ] + frameworks,
            exclude: ["README.md"],
            swiftSettings: shared),
    ]
)

#if os(Linux)
package.products += [
    .library(name: "CoreData", targets: ["CoreData"]),
    .library(name: "CloudKit", targets: ["CloudKit", "LocalCloud"]),
    .library(
        name: "CloudKitWebServices", targets: ["CloudKitWebServices", "CloudKitService"]),
]
package.targets += [
    .systemLibrary(
        name: "SQLite3", path: "Sources/Linux/SQLite3",
        providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
    .target(
        name: "FoundationGaps", path: "Sources/Linux/FoundationGaps", exclude: ["README.md"]),
    .target(
        name: "CoreLocation", dependencies: ["FoundationGaps"],
        path: "Sources/Linux/CoreLocation", exclude: ["README.md"]),
    .systemLibrary(name: "SwiftRuntime", path: "Sources/Linux/SwiftRuntime"),
    .target(
        name: "CoreData",
        dependencies: ["FoundationGaps", "ModelMatching", "NumberTables", "SwiftRuntime"],
        path: "Sources/Linux/CoreData", exclude: ["README.md"]),
    .target(name: "CloudKitLoading", path: "Sources/Linux/CloudKitLoading"),
    .target(
        name: "CloudKit",
        dependencies: [
            "CloudKitLoading", "FoundationGaps", "CoreLocation", "CloudKitService", "LocalCloud",
            "PrivateFiles",
        ],
        path: "Sources/Linux/CloudKit", exclude: ["README.md"]),
    .target(
        name: "CloudKitWebServices",
        dependencies: ["FoundationGaps", "CloudKitService", "PrivateFiles"],
        path: "Sources/Linux/CloudKitWebServices", exclude: ["README.md"]),
    .target(
        name: "ManagedObjectClassGenerator", path: "Sources/Linux/ManagedObjectClasses/Generator"),
    .executableTarget(
        name: "ManagedObjectClassesTool",
        dependencies: ["ManagedObjectClassGenerator"],
        path: "Sources/Linux/ManagedObjectClasses/Tool"),
    .testTarget(
        name: "FoundationGapsTests", dependencies: ["FoundationGaps", "SeededRandom"]),
    .testTarget(
        name: "ManagedObjectClassGeneratorTests", dependencies: ["ManagedObjectClassGenerator"]),
    .testTarget(
        name: "ManagedObjectClassesTests",
        dependencies: ["CoreData"],
        resources: [.process("Garden.xcdatamodeld")],
        plugins: ["ManagedObjectClasses"]),
    .testTarget(
        name: "CloudKitTests",
        dependencies: ["CloudKit", "CloudKitService", "LocalCloud"] + webServer),
    .testTarget(
        name: "CloudKitWebServicesTests",
        dependencies: [
            "CloudKitWebServices", "CloudKitService", "LocalCloud", "LoopbackServer", "CoreData",
            "CloudKit", "Seam3",
        ]),
    .target(
        name: "LoopbackServer", dependencies: ["CloudKitWebServices"],
        path: "Tests/LoopbackServer"),
    .testTarget(name: "AppleAPITests", dependencies: ["CoreData", "CloudKit"]),
    .testTarget(
        name: "ManualTests",
        dependencies: [
            "Seam3", "Seam3Testing", "CoreData", "CloudKit", "CloudKitService", "LocalCloud",
            "NestedCloudKitCodable",
        ]),
    // The manual's samples again, in the older mode of the language.
    .testTarget(
        name: "ManualTestsInSwift5",
        dependencies: ["Seam3", "Seam3Testing", "CoreData", "CloudKit", "NestedCloudKitCodable"],
        swiftSettings: shared),
]
#endif

// `SEAM_SUITES=facts` leaves the facts alone of all tests, so that no other can keep them from being
// found out on a new system.
if Context.environment["SEAM_SUITES"] == "facts" {
    package.targets.removeAll { target in
        let isOfTests = target.type == .test || target.path?.hasPrefix("Tests/") == true
        return isOfTests && target.name != "AppleFacts"
    }
}
