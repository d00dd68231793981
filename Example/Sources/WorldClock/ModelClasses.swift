import CoreData

// Written by hand: Xcode generates optional properties, and `swift build` on a Mac generates none at all.

/// A country of ISO 3166.
public final class Country: NSManagedObject {
    /// The two-letter code.
    @NSManaged public var code: String
    /// The usual English name.
    @NSManaged public var name: String
}

/// A zone of the IANA time zone database.
public final class Zone: NSManagedObject {
    /// The name, such as `Europe/Berlin`.
    @NSManaged public var name: String
    /// The latitude of its principal place, in degrees.
    @NSManaged public var latitude: Double
    /// The longitude of its principal place, in degrees.
    @NSManaged public var longitude: Double
    /// The part of a country that it covers.
    @NSManaged public var comment: String?
    /// The country of its principal place.
    @NSManaged public var country: Country?
    /// The countries that use its time, including that of its principal place.
    @NSManaged public var servedCountries: Set<Country>
}

/// A clock that the user has created.
public final class Clock: NSManagedObject {
    /// Distinguishes the clock from others with the same label.
    @NSManaged public var identifier: UUID?
    /// What the user calls it.
    @NSManaged public var label: String
    /// The user's note about it.
    @NSManaged public var note: String?
    /// When it was created.
    @NSManaged public var created: Date?
    /// Its place in the list.
    @NSManaged public var position: Int32
    /// The sound of its alarm.
    @NSManaged public var chime: Data?
    /// The zone whose time it shows.
    @NSManaged public var timeZone: Zone?
    /// The folder it is in.
    @NSManaged public var folder: Folder?

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: "identifier")
        setPrimitiveValue(Date(), forKey: "created")
    }
}

/// A folder of clocks.
public final class Folder: NSManagedObject {
    /// What the user calls it.
    @NSManaged public var name: String
}
