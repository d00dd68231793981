// swift-tools-version: 6.0

import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    ],
    targets: [
        .target(name: "CAllocator"),
        .target(
            name: "Measurement",
            dependencies: [
                "CAllocator", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    ]
)

// The measured code needs the modules for Linux.
#if os(Linux)
package.dependencies += [
    .package(name: "Seam3", path: "../.."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
]
package.targets += [
    .executableTarget(
        name: "CloudBenchmarks",
        dependencies: [
            "Measurement", "CSQLite",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "CloudKit", package: "Seam3"),
        ]),
    .executableTarget(
        name: "StoreBenchmarks",
        dependencies: [
            "Measurement", "CSQLite",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "GRDB", package: "GRDB.swift"),
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "CloudKit", package: "Seam3"),
        ]),
    .target(
        name: "SyncedNotes",
        dependencies: [
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "CloudKit", package: "Seam3"),
            .product(name: "CloudKitWebServices", package: "Seam3"),
        ]),
    .executableTarget(
        name: "SyncBenchmarks",
        dependencies: [
            "Measurement", "SyncedNotes", "CSQLite",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "CloudKit", package: "Seam3"),
        ]),
    .executableTarget(
        name: "ServerBenchmarks",
        dependencies: [
            "Measurement", "SyncedNotes",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
            .product(name: "Seam3", package: "Seam3"),
            .product(name: "CloudKit", package: "Seam3"),
            .product(name: "CloudKitWebServices", package: "Seam3"),
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
#endif
