import ArgumentParser
import Console
import CoreData
import Seam3
import WorldClock

/// Syncs once.
struct Sync: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Sync with the cloud.")

    @OptionGroup var options: DeviceOptions

    @Flag(help: "Fetch all records again, not only the changed ones.")
    var complete = false

    func run() async throws {
        let device = try await options.open()
        let summary = try await device.stack.store.sync(complete: complete)
        print("Synced: \(Device.describe(summary)).")
    }
}

/// Shows the clocks, and again whenever a push brings changes.
struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sync as pushes come in, until interrupted.")

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        let device = try await options.open(synchronizesAfterSaves: true)
        let pushes = PushQueue()
        let events = device.stack.store.events
        try await device.cloud.deliverPushes(to: device.container) { pushes.put($0) }
        let handling = Task {
            for await _ in pushes.arrivals {
                if let userInfo = pushes.take() { _ = await device.stack.handlePush(userInfo) }
            }
        }
        defer { handling.cancel() }
        Terminal.show("Watching. Press Control-C to end.")
        try await device.stack.store.sync()
        var isFirst = true
        // The first event is that of the sync above.
        for await event in events where event.kind == .sync && event.endDate != nil {
            if let error = event.error { Terminal.show("Not synced: \(Console.sentence(error))") }
            let changes = ChangeText.text(event.summary)
            if let changes { Terminal.show("Synced: \(changes).") }
            if isFirst || changes != nil { try await show(device) }
            isFirst = false
        }
    }

    private func show(_ device: Device) async throws {
        Terminal.show(try await device.stack.perform { try ClockTable.text($0, withTimes: true) })
    }
}

/// Shows the state of the sync.
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
