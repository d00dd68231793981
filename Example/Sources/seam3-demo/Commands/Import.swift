import ArgumentParser
import CoreData
import WorldClock

/// Fills the store with the countries and zones that come with the app.
struct Import: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import the countries and time zones, and sync.")

    @OptionGroup var options: DeviceOptions
    @OptionGroup var network: NetworkOptions

    func run() async throws {
        let device = try await options.open()
        let made = try await device.stack.importTimeZones(TimeZoneData()) { done, total in
            Terminal.showProgress(done, of: total)
        }
        print("Imported \(made) objects.")
        try await network.synchronize(device)
    }
}
