import Foundation

/// The filled zones of both sides by size. They are made once: filling one takes longer than all that
/// is measured.
final class Clouds {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("CloudBenchmarks-\(UUID().uuidString)", isDirectory: true)
    private var zones: [Int: Zone] = [:]
    private var plainZones: [Int: PlainZone] = [:]

    /// The zone of a local cloud with so many records.
    func zone(_ size: Int) async throws -> Zone {
        if let zone = zones[size] { return zone }
        let zone = try await Zone(
            directory: directory.appendingPathComponent("cloud-\(size)", isDirectory: true),
            size: size)
        zones[size] = zone
        return zone
    }

    /// The same in a file of our own.
    func plainZone(_ size: Int) async throws -> PlainZone {
        if let zone = plainZones[size] { return zone }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let zone = try PlainZone(
            path: directory.appendingPathComponent("plain-\(size).sqlite").path, size: size)
        plainZones[size] = zone
        return zone
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
