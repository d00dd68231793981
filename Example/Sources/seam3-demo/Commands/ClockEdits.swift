import ArgumentParser
import CoreData

/// Makes a clock.
struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Add a clock.")

    @OptionGroup var options: DeviceOptions
    @OptionGroup var network: NetworkOptions

    @Argument(help: "What the clock is called.")
    var label: String

    @Option(help: "The zone whose time it shows, such as Europe/Berlin.")
    var zone: String

    @Option(help: "The folder it is in, which is made if there is none.")
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

/// Changes a clock.
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
            let clock = try context.clock(labelled: label)
            if let rename { clock.label = rename }
            if let zone { clock.zone = try context.zone(named: zone) }
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
            context.delete(try context.clock(labelled: label))
        }
        print("Deleted \(label).")
        try await network.synchronize(device)
    }
}

// MARK: - Finding and making objects

extension NSManagedObjectContext {
    /// Makes a clock behind all others.
    func addClock(
        _ label: String, zone: String, folder: String? = nil, note: String? = nil,
        chime: Data? = nil
    ) throws {
        let last = try objects(Clock.self, sortedBy: "position").last?.position ?? 0
        let clock = insert(Clock.self)
        clock.label = label
        clock.note = note
        clock.chime = chime
        clock.position = last + 1
        clock.zone = try self.zone(named: zone)
        clock.folder = try folder.map(self.folder(named:))
    }

    /// The zone with a name.
    func zone(named name: String) throws -> Zone {
        let found = try objects(Zone.self, where: NSPredicate(format: "name == %@", name))
        guard let zone = found.first else {
            throw AppError("There is no zone \(name). Has the device imported or synchronised?")
        }
        return zone
    }

    /// The folder with a name, made if there is none.
    func folder(named name: String) throws -> Folder {
        let found = try objects(Folder.self, where: NSPredicate(format: "name == %@", name))
        if let folder = found.first { return folder }
        let folder = insert(Folder.self)
        folder.name = name
        return folder
    }

    /// The clock with a label.
    func clock(labelled label: String) throws -> Clock {
        let found = try objects(Clock.self, where: NSPredicate(format: "label == %@", label))
        guard let clock = found.first else { throw AppError("There is no clock \(label).") }
        return clock
    }
}
