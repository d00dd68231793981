import ArgumentParser
import CloudKit
import Console
import CoreData
import Seam3
import WorldClock

/// Which device a command acts as, and on which cloud.
struct DeviceOptions: ParsableArguments {
    @Option(help: "The name of the device; each has a store of its own.")
    var device = "phone"

    @Option(
        help: "The directory of the cloud and of the devices' stores.",
        completion: .directory)
    var cloud: String?

    @Flag(help: "Create the device if it does not exist.")
    var create = false

    /// Opens the device's store.
    ///
    /// - Parameter synchronizesAfterSaves: Whether each save starts a sync by itself. A command
    ///   that ends after its save starts a sync itself instead, and waits for it.
    func open(synchronizesAfterSaves: Bool = false) async throws -> Device {
        let directory =
            cloud.map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? NSPersistentContainer.defaultDirectoryURL()
            .appendingPathComponent("seam3-demo", isDirectory: true)
        if !create { try checkDevice(in: directory) }
        let device = try await Device(
            device, in: directory,
            cloud: Cloud(directory: directory.appendingPathComponent("cloud", isDirectory: true)))
        device.stack.store.syncAutomatically = synchronizesAfterSaves
        return device
    }

    /// Refuses a device that does not exist: its name is more often a misspelling than a new
    /// device.
    private func checkDevice(in directory: URL) throws {
        let names = Device.names(in: directory)
        guard !names.contains(device) else { return }
        let known =
            names.isEmpty
            ? "There are none yet." : "Known devices: \(names.joined(separator: ", "))."
        throw AppError(
            "There is no device \(device).\(NearestName.question(device, among: names)) \(known)"
                + " With --create it is made.")
    }
}

/// A simulated device: a Core Data stack and its view of the cloud.
struct Device: Sendable {
    let name: String
    let stack: CoreDataStack
    let container: CKContainer
    let cloud: Cloud

    /// Creates or opens a device's store.
    ///
    /// - Parameters:
    ///   - name: The name, which is a part of the file's path.
    ///   - directory: The directory of all devices' stores.
    ///   - cloud: The cloud they share.
    ///   - policy: What happens to an object that two devices edited.
    init(
        _ name: String, in directory: URL, cloud: Cloud,
        policy: SMSyncConflictResolutionPolicy = .serverRecordWins
    ) async throws {
        guard !name.isEmpty, !name.contains("/"), name != ".." else {
            throw ValidationError("\"\(name)\" cannot be the name of a device.")
        }
        let folder = Self.folder(in: directory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.name = name
        self.cloud = cloud
        container = cloud.container(for: name)
        stack = try await CoreDataStack(
            url: folder.appendingPathComponent("\(name).sqlite"), cloud: container, policy: policy)
    }

    private static func folder(in directory: URL) -> URL {
        directory.appendingPathComponent("devices", isDirectory: true)
    }

    /// The devices that have a store.
    static func names(in directory: URL) -> [String] {
        // Without the folder there is no device.
        let files = try? FileManager.default.contentsOfDirectory(
            at: folder(in: directory), includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "sqlite" }
            .map { $0.deletingPathExtension().lastPathComponent }.sorted()
    }

    /// A sync's result as text for the user.
    static func describe(_ summary: SMSyncSummary) -> String {
        let parts = [
            (summary.savedRecordCount, "sent"), (summary.deletedRecordCount, "sent as deleted"),
            (summary.insertedObjectIDs.count, "new here"),
            (summary.updatedObjectIDs.count, "changed here"),
            (summary.deletedObjectIDs.count, "deleted here"),
            (summary.conflictCount, summary.conflictCount == 1 ? "conflict" : "conflicts"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let text = parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
        return "\(text) (\(seconds(summary.duration)))"
    }

    /// The number of changes that wait for the cloud, as text for the user.
    func pendingChanges() throws -> String {
        let count = try stack.store.syncStatus().pendingChangeCount
        return count == 1 ? "1 change waits" : "\(count) changes wait"
    }

    /// A duration in seconds, as text for the user.
    static func seconds(_ duration: TimeInterval) -> String {
        String(format: "%.3f s", duration)
    }
}
