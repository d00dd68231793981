import CoreData

/// A country of ISO 3166.
public final class Country: NSManagedObject {
    /// The code of two letters.
    public var code: String {
        get { value(forKey: "code") as? String ?? "" }
        set { setValue(newValue, forKey: "code") }
    }

    /// The usual English name.
    public var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }
}

/// A zone of the IANA time zone database.
public final class Zone: NSManagedObject {
    /// The name, such as `Europe/Berlin`.
    public var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }

    /// The latitude of its principal place, in degrees.
    public var latitude: Double {
        get { value(forKey: "latitude") as? Double ?? 0 }
        set { setValue(newValue, forKey: "latitude") }
    }

    /// The longitude of its principal place, in degrees.
    public var longitude: Double {
        get { value(forKey: "longitude") as? Double ?? 0 }
        set { setValue(newValue, forKey: "longitude") }
    }

    /// Which part of a country it is for.
    public var comment: String? {
        get { value(forKey: "comment") as? String }
        set { setValue(newValue, forKey: "comment") }
    }

    /// The country of its principal place.
    public var country: Country? {
        get { value(forKey: "country") as? Country }
        set { setValue(newValue, forKey: "country") }
    }

    /// The countries whose time it is, that of its principal place among them.
    public var servedCountries: Set<Country> {
        get { value(forKey: "servedCountries") as? Set<Country> ?? [] }
        set { setValue(newValue, forKey: "servedCountries") }
    }
}

/// A clock that the user has made.
public final class Clock: NSManagedObject {
    /// Tells the clock from others with the same label.
    public var identifier: UUID? {
        get { value(forKey: "identifier") as? UUID }
        set { setValue(newValue, forKey: "identifier") }
    }

    /// What the user calls it.
    public var label: String {
        get { value(forKey: "label") as? String ?? "" }
        set { setValue(newValue, forKey: "label") }
    }

    /// What the user notes about it.
    public var note: String? {
        get { value(forKey: "note") as? String }
        set { setValue(newValue, forKey: "note") }
    }

    /// When it was made.
    public var created: Date? {
        get { value(forKey: "created") as? Date }
        set { setValue(newValue, forKey: "created") }
    }

    /// Its place in the list.
    public var position: Int {
        get { value(forKey: "position") as? Int ?? 0 }
        set { setValue(newValue, forKey: "position") }
    }

    /// The sound of its alarm.
    public var chime: Data? {
        get { value(forKey: "chime") as? Data }
        set { setValue(newValue, forKey: "chime") }
    }

    /// The zone whose time it shows.
    public var timeZone: Zone? {
        get { value(forKey: "timeZone") as? Zone }
        set { setValue(newValue, forKey: "timeZone") }
    }

    /// The folder it is in.
    public var folder: Folder? {
        get { value(forKey: "folder") as? Folder }
        set { setValue(newValue, forKey: "folder") }
    }

    public override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue(UUID(), forKey: "identifier")
        setPrimitiveValue(Date(), forKey: "created")
    }
}

/// A folder of clocks.
public final class Folder: NSManagedObject {
    /// What the user calls it.
    public var name: String {
        get { value(forKey: "name") as? String ?? "" }
        set { setValue(newValue, forKey: "name") }
    }
}

extension NSManagedObjectContext {
    /// Makes a new object of a class whose entity has the same name.
    public func insert<Object: NSManagedObject>(_ type: Object.Type) -> Object {
        let name = "\(type)"
        let object = NSEntityDescription.insertNewObject(forEntityName: name, into: self)
        guard let typed = object as? Object else {
            fatalError("The model's entity \(name) has another class.")
        }
        return typed
    }

    /// The objects of a class that meet a predicate, sorted by a key path.
    public func objects<Object: NSManagedObject>(
        _ type: Object.Type, sortedBy keys: String..., where predicate: NSPredicate? = nil
    ) throws -> [Object] {
        let request = NSFetchRequest<Object>(entityName: "\(type)")
        request.predicate = predicate
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return try fetch(request)
    }
}
