import CoreData

extension NSManagedObjectContext {
    /// Creates a clock after all others.
    public func addClock(
        _ label: String, zone: String, folder: String? = nil, note: String? = nil,
        chime: Data? = nil
    ) throws {
        let last = try objects(Clock.self, sortedBy: "position").last?.position ?? 0
        let clock = insert(Clock.self)
        clock.label = label
        clock.note = note
        clock.chime = chime
        clock.position = last + 1
        clock.timeZone = try self.zone(named: zone)
        clock.folder = try folder.map(self.folder(named:))
    }

    /// The zone with a name.
    public func zone(named name: String) throws -> Zone {
        let found = try objects(Zone.self, where: NSPredicate(format: "name == %@", name))
        guard let zone = found.first else {
            throw AppError("There is no zone \(name). Has the device imported or synced?")
        }
        return zone
    }

    /// The folder with a name, created if it does not exist.
    public func folder(named name: String) throws -> Folder {
        let found = try objects(Folder.self, where: NSPredicate(format: "name == %@", name))
        if let folder = found.first { return folder }
        let folder = insert(Folder.self)
        folder.name = name
        return folder
    }

    /// The clock with a label.
    public func clock(labeled label: String) throws -> Clock {
        let found = try objects(Clock.self, where: NSPredicate(format: "label == %@", label))
        guard let clock = found.first else { throw AppError("There is no clock \(label).") }
        return clock
    }
}
