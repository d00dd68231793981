// swift-tools-version: 6.0

import PackageDescription

// A package like that of an app, and the one of the README. `run` copies it out of this repository and passes the repository's
// path.
let seam3 = Context.environment["SEAM3_PATH"] ?? "../.."

let package = Package(
    name: "Reading",
    platforms: [.iOS(.v15), .macOS(.v12)],
    dependencies: [.package(name: "Seam3", path: seam3)],
    targets: [
        .executableTarget(
            name: "Reading",
            dependencies: [.product(name: "Seam3", package: "Seam3")],
            resources: [.process("Reading.xcdatamodeld")],
            plugins: [.plugin(name: "ManagedObjectClasses", package: "Seam3")]),
        .testTarget(
            name: "ReadingTests",
            dependencies: ["Reading", .product(name: "Seam3Testing", package: "Seam3")],
            resources: [.process("Marks.xcdatamodeld")],
            plugins: [.plugin(name: "ManagedObjectClasses", package: "Seam3")]),
        .target(
            name: "WorldClock",
            dependencies: [.product(name: "Seam3", package: "Seam3")],
            resources: [.process("WorldClock.xcdatamodeld")],
            plugins: [.plugin(name: "ManagedObjectClasses", package: "Seam3")]),
        .testTarget(
            name: "WorldClockTests",
            dependencies: ["WorldClock", .product(name: "Seam3Testing", package: "Seam3")]),
    ]
)
