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

// The command simulates devices on a LocalCloud, which exists on Linux only.
#if os(Linux)
package.products += [
    .executable(name: "seam3-demo", targets: ["seam3-demo"])
]
package.dependencies += [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
]
package.targets += [
    .executableTarget(
        name: "seam3-demo",
        dependencies: [
            "WorldClock",
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "CloudKit", package: "Seam3"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ])
]
#endif
