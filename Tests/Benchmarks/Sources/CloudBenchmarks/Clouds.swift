import CloudKit
import Foundation
import LocalCloud

/// The filled zones of both sides by size. They are made once: filling them takes longer than all
/// that is measured.
///
/// Each size has as many zones as make up the largest, and every run takes any of them. Otherwise
/// both sides would find a small zone in their caches, and the figures would tell of these.
final class Clouds {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("CloudBenchmarks-\(UUID().uuidString)", isDirectory: true)
    private let largestSize: Int
    private var zones: [Int: [Zone]] = [:]
    private var plainZones: [Int: PlainZones] = [:]

    init(largestSize: Int) {
        self.largestSize = largestSize
    }

    struct NoZone: Error {}

    /// A zone of a local cloud with so many records.
    func zone(_ size: Int) async throws -> Zone {
        if zones[size] == nil {
            let folder = directory.appendingPathComponent("cloud-\(size)", isDirectory: true)
            let container = CKContainer(
                identifier: "iCloud.benchmark", service: LocalCloud(directory: folder))
            var made: [Zone] = []
            for number in 0..<max(1, largestSize / size) {
                made.append(try await Zone(named: "Notes\(number)", in: container, size: size))
            }
            zones[size] = made
        }
        guard let zone = zones[size]?.randomElement() else { throw NoZone() }
        return zone
    }

    /// The same in a file of our own.
    func plainZones(_ size: Int) throws -> PlainZones {
        if let zones = plainZones[size] { return zones }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let zones = try PlainZones(
            path: directory.appendingPathComponent("plain-\(size).sqlite").path, size: size,
            count: max(1, largestSize / size))
        plainZones[size] = zones
        return zones
    }

    /// Removes all files.
    func remove() {
        zones = [:]
        plainZones = [:]
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            print("\(directory.path) is left: \(error)")
        }
    }
}
