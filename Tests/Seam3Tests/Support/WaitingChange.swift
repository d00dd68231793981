import LocalCloud
import Seam3

/// What waits to be sent of an object that another device has, while the model changes.
enum WaitingChange: String, CaseIterable {
    case update, insertionWithoutAnswer, allAfterReset

    /// Sends a device's new object, so that another device has it, and the first one knows that or not.
    func share(from device: Device, with other: Device, on cloud: LocalCloud) async throws {
        guard self == .insertionWithoutAnswer else {
            return try await Device.settle(device, other)
        }
        try await device.syncLosingAnswer(on: cloud)
        try await other.store.sync()
    }
}
