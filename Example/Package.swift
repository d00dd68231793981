// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Example",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "seam3-demo", targets: ["seam3-demo"])],
    dependencies: [
        .package(name: "Seam3", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "seam3-demo",
            dependencies: [
                .product(name: "Seam3", package: "Seam3"),
                .product(name: "CloudKit", package: "Seam3", condition: .when(platforms: [.linux])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            resources: [.process("WorldClock.xcdatamodeld"), .process("Resources")])
    ]
)
