// swift-tools-version: 6.0

import PackageDescription

// A package of its own, because it takes minutes to build.
let package = Package(name: "Server", platforms: [.macOS(.v14)])

// The modules CloudKit and CloudKitWebServices of Seam3 exist on Linux only.
#if os(Linux)
package.products = [.executable(name: "seam3-server", targets: ["seam3-server"])]
package.dependencies = [
    .package(name: "Seam3", path: "../.."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
]
package.targets = [
    .target(
        name: "CloudServer",
        dependencies: [
            .product(name: "CloudKit", package: "Seam3"),
            .product(name: "CloudKitWebServices", package: "Seam3"),
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "Hummingbird", package: "hummingbird"),
            .product(name: "HummingbirdCore", package: "hummingbird"),
            .product(name: "HummingbirdTLS", package: "hummingbird"),
            .product(name: "Logging", package: "swift-log"),
            .product(name: "Mustache", package: "swift-mustache"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ],
        resources: [.copy("Pages")]),
    .executableTarget(
        name: "seam3-server",
        dependencies: [
            "CloudServer",
            .product(name: "CloudKitWebServices", package: "Seam3"),
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "Logging", package: "swift-log"),
        ]),
    .testTarget(
        name: "CloudServerTests",
        dependencies: [
            "CloudServer", "seam3-server",
            .product(name: "CloudKit", package: "Seam3"),
            .product(name: "CloudKitWebServices", package: "Seam3"),
            .product(name: "Crypto", package: "swift-crypto"),
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"),
            .product(name: "NIOSSL", package: "swift-nio-ssl"),
            .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        ]),
]
#endif
