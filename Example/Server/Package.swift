// swift-tools-version: 6.0

import PackageDescription

// A package of its own, because it takes minutes to build.
let package = Package(
    name: "Server",
    platforms: [.macOS(.v14)],
    products: [.executable(name: "seam3-server", targets: ["seam3-server"])],
    dependencies: [
        .package(name: "Seam3", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    ],
    targets: [
        .target(
            name: "CloudServer",
            dependencies: [
                .product(name: "CloudKit", package: "Seam3"),
                .product(name: "CloudKitWebServices", package: "Seam3"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ]),
        .executableTarget(
            name: "seam3-server",
            dependencies: [
                "CloudServer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .testTarget(
            name: "CloudServerTests",
            dependencies: ["CloudServer", .product(name: "CloudKit", package: "Seam3")]),
    ]
)
