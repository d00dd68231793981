import LocalCloud

@testable import Seam3

extension Device {
    /// A device that has synced once and then syncs automatically, with a clock that the test
    /// advances.
    static func automatic(on cloud: LocalCloud) async throws -> (device: Device, clock: ManualClock)
    {
        let device = try Device(on: cloud)
        let clock = ManualClock()
        await device.store.engine?.use(clock.clock)
        try await device.store.sync()
        device.store.syncAutomatically = true
        return (device, clock)
    }
}
