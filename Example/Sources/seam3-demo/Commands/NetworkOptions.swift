import ArgumentParser
import Seam3
import WorldClock

/// Whether a command that saves also syncs.
struct NetworkOptions: ParsableArguments {
    @Flag(help: "Do not sync: the change waits in the store.")
    var offline = false

    /// Syncs unless the user is offline.
    func synchronize(_ device: Device) async throws {
        if offline {
            print("Offline: \(try device.pendingChanges()) for the next sync.")
            return
        }
        print("Synced: \(Device.describe(try await device.stack.store.sync())).")
    }
}
