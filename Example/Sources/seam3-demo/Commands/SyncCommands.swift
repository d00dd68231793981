import ArgumentParser
import CoreData
import Seam3
import WorldClock

/// Syncs once.
struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sync with the cloud.")

    @OptionGroup var options: DeviceOptions

    @Flag(help: "Fetch all records again, and not only what has changed.")
    var complete = false

    func run() async throws {
        let device = try await options.open()
        let summary = try await device.stack.store.sync(complete: complete)
        print("Synced: \(Device.describe(summary)).")
    }
}

/// Shows the clocks, and shows them again whenever a push brings changes.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sync as pushes come in, until interrupted.")

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        let device = try await options.open(synchronizesAfterSaves: true)
        let pushes = PushQueue()
        try await device.cloud.deliverPushes(to: device.container) { pushes.put($0) }
        Terminal.show("Synced: \(Device.describe(try await device.stack.store.sync())).")
        try await show(device)
        Terminal.show("Watching. Press Control-C to end.")
        for await _ in pushes.arrivals {
            guard let userInfo = pushes.take() else { continue }
            let result = await device.stack.handlePush(userInfo)
            Terminal.show("A push came: \(result).")
            if result == .newData { try await show(device) }
        }
    }

    private func show(_ device: Device) async throws {
        Terminal.show(try await device.stack.perform { try ClockTable.text($0, withTimes: true) })
    }
}

/// Shows where the sync stands.
struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show pending changes, the last sync and its error.")

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        let device = try await options.open()
        let status = try device.stack.store.syncStatus()
        let counts = try await device.stack.perform { context in
            try ["Country", "Zone", "Folder", "Clock"].map { entity in
                (entity, try context.count(for: NSFetchRequest<NSNumber>(entityName: entity)))
            }
        }
        print("Device:          \(options.device)")
        print("Objects:         " + counts.map { "\($0.1) \($0.0)" }.joined(separator: ", "))
        print("Pending changes: \(status.pendingChangeCount)")
        print("Last sync:       \(status.lastSuccess.map { "\($0)" } ?? "never")")
        print("Last error:      \(status.lastError ?? "none")")
    }
}
