import CloudKit
import Foundation
import LocalCloud

/// The filled zones of both sides by size. They are created once, because filling them takes longer
/// than all measurements.
///
/// For each size there are as many zones as are needed for the total of the largest size, and every
/// run uses a random one. Otherwise a small zone would be in the caches of both sides, and the
/// results would depend on these.
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

    /// A zone of a local cloud with a number of records.
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

    /// The same in a plain SQLite file.
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
