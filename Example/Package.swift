// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Example",
    platforms: [.iOS(.v15), .macOS(.v13)],
    products: [
        .library(name: "WorldClock", targets: ["WorldClock"])
    ],
    dependencies: [
        .package(name: "Seam3", path: "..")
    ],
    targets: [
        // The model layer, which the command and the app under `Apple` share. The plugin gives the model
        // classes their accessors on Linux, and does nothing elsewhere.
        .target(
            name: "WorldClock",
            dependencies: [.product(name: "Seam3", package: "Seam3")],
            resources: [.process("WorldClock.xcdatamodeld"), .process("Resources")],
            plugins: [.plugin(name: "ManagedObjectClasses", package: "Seam3")])
    ]
)

// The commands work on a LocalCloud, which exists on Linux only.
#if os(Linux)
package.products += [
    .executable(name: "seam3-demo", targets: ["seam3-demo"]),
    .executable(name: "seam3", targets: ["Inspector"]),
]
package.dependencies += [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
]
package.targets += [
    .target(
        name: "Console",
        dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    .executableTarget(
        name: "seam3-demo",
        dependencies: [
            "Console", "WorldClock",
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "CloudKit", package: "Seam3"),
            .product(name: "CloudKitWebServices", package: "Seam3"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ]),
    .systemLibrary(
        name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]),
    // The command `seam3`, under a name that no file system takes for the module's `Seam3`.
    .executableTarget(
        name: "Inspector",
        dependencies: [
            "Console", "CSQLite",
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "CloudKit", package: "Seam3"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Logging", package: "swift-log"),
        ]),
    .testTarget(
        name: "CommandTests",
        dependencies: [
            "seam3-demo", "Inspector", "CSQLite",
            .product(name: "CloudKit", package: "Seam3"),
        ]),
]
#endif
