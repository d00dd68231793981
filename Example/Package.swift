// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Example",
    platforms: [.iOS(.v15), .macOS(.v13)],
    products: [
        .executable(name: "seam3-demo", targets: ["seam3-demo"]),
        .library(name: "WorldClock", targets: ["WorldClock"]),
    ],
    dependencies: [
        .package(name: "Seam3", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        // The model layer, which the command and the app under `Apple` share.
        .target(
            name: "WorldClock",
            dependencies: [.product(name: "Seam3", package: "Seam3")],
            resources: [.process("WorldClock.xcdatamodeld"), .process("Resources")]),
        .executableTarget(
            name: "seam3-demo",
            dependencies: [
                "WorldClock",
                .product(name: "Seam3", package: "Seam3"),
                .product(name: "CloudKit", package: "Seam3", condition: .when(platforms: [.linux])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
    ]
)
