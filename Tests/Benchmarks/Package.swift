// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(name: "Seam3", path: "../.."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .target(name: "CAllocator"),
        .target(
            name: "Measurement",
            dependencies: [
                "CAllocator", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .executableTarget(
            name: "CoreDataBenchmarks",
            dependencies: [
                "Measurement",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CoreData", package: "Seam3"),
            ],
            resources: [.process("Staff.xcdatamodeld")],
            plugins: [.plugin(name: "ManagedObjectClasses", package: "Seam3")]),
    ]
)
