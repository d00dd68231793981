import ArgumentParser
import CoreData
import WorldClock

/// Creates a clock.
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a clock.")

    @OptionGroup var options: DeviceOptions
    @OptionGroup var network: NetworkOptions

    @Argument(help: "The clock's label.")
    var label: String

    @Option(help: "The zone whose time it shows, such as Europe/Berlin.")
    var zone: String

    @Option(help: "Its folder, which is created if it does not exist.")
    var folder: String?

    @Option(help: "A note.")
    var note: String?

    @Option(help: "A file with the sound of its alarm.", completion: .file())
    var chime: String?

    func run() async throws {
        let device = try await options.open()
        let chime = try chime.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
        let (label, zone, folder, note) = (label, zone, folder, note)
        try await device.stack.perform { context in
            try context.addClock(label, zone: zone, folder: folder, note: note, chime: chime)
        }
        print("Added \(label).")
        try await network.synchronize(device)
    }
}

/// Edits a clock.
struct Edit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Edit a clock.")

    @OptionGroup var options: DeviceOptions
    @OptionGroup var network: NetworkOptions

    @Argument(help: "The clock's label.")
    var label: String

    @Option(help: "A new label.")
    var rename: String?

    @Option(help: "Another zone.")
    var zone: String?

    @Option(help: "A note; an empty one removes it.")
    var note: String?

    @Option(help: "A folder; an empty name takes the clock out of its folder.")
    var folder: String?

    func run() async throws {
        let device = try await options.open()
        let (label, rename, zone, note, folder) = (label, rename, zone, note, folder)
        try await device.stack.perform { context in
            let clock = try context.clock(labeled: label)
            if let rename { clock.label = rename }
            if let zone { clock.timeZone = try context.zone(named: zone) }
            if let note { clock.note = note.isEmpty ? nil : note }
            if let folder {
                clock.folder = folder.isEmpty ? nil : try context.folder(named: folder)
            }
        }
        print("Changed \(label).")
        try await network.synchronize(device)
    }
}

/// Deletes a clock.
struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Delete a clock.")

    @OptionGroup var options: DeviceOptions
    @OptionGroup var network: NetworkOptions

    @Argument(help: "The clock's label.")
    var label: String

    func run() async throws {
        let device = try await options.open()
        let label = label
        try await device.stack.perform { context in
            context.delete(try context.clock(labeled: label))
        }
        print("Deleted \(label).")
        try await network.synchronize(device)
    }
}
