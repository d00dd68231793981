import FoundationGaps

/// Finds the key for a Swift key path into a managed object class.
///
/// On Apple's systems a key path to an Objective-C property carries the property's name. Here a
/// probe, an object of the class without a context, is read through the key path, and records the
/// key that its accessor asks for. The values of a probe are samples; if another value comes back,
/// it was computed from the property, and the key path has no key.
///
/// Before a model with the class is in use, the properties are unknown: then the samples have the types
/// that the accessors declare.
enum KeyPathProbe {
    /// The keys of one reading.
    private struct Reading {
        var keys: [String] = []
        var probes: [NSManagedObject] = []
        /// The last value that was returned.
        var sample: Any?
        /// The type of the key path's value; nil if the probes have a model.
        var valueType: Any.Type?
    }

    /// Allows one reading at a time. The keys found are cached, so there are few readings.
    private static let lock = NSRecursiveLock()
    // Used only with the lock held.
    nonisolated(unsafe) private static var reading: Reading?
    nonisolated(unsafe) private static var found: [AnyKeyPath: String?] = [:]

    /// The key, or the path of keys if it follows relationships; nil if there is none.
    ///
    /// - Parameter entity: The entity of the class; nil if no model with it is in use.
    static func key(
        for keyPath: AnyKeyPath, in type: NSManagedObject.Type, _ entity: NSEntityDescription?
    ) -> String? {
        lock.lock()
        defer { lock.unlock() }
        if let known = found[keyPath] { return known }
        let outer = reading
        reading = Reading()
        if entity == nil { reading?.valueType = Swift.type(of: keyPath).valueType }
        defer { reading = outer }
        let value = makeProbe(type, entity ?? unmodeledEntity(of: type))[keyPath: keyPath]
        let key: String?
        if let reading, reading.keys.count == components(of: keyPath),
            isSample(value, reading.sample)
        {
            key = reading.keys.joined(separator: ".")
        } else {
            key = nil
        }
        // A model that comes into use later may tell more.
        if entity != nil || key != nil { found[keyPath] = .some(key) }
        return key
    }

    /// An entity without properties for the probes of a class.
    private static func unmodeledEntity(of type: NSManagedObject.Type) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = "\(type)"
        return entity
    }

    private static func makeProbe(
        _ type: NSManagedObject.Type, _ entity: NSEntityDescription
    ) -> NSManagedObject {
        let probe = type.init(_entity: entity)
        probe.state.insert(.probe)
        reading?.probes.append(probe)
        return probe
    }

    /// The sample value of a probe for a key.
    ///
    /// - Parameter type: The type of the accessor, if it is known.
    static func sample(
        of probe: NSManagedObject, forKey key: String, as type: Any.Type? = nil
    ) -> Any? {
        lock.lock()
        defer { lock.unlock() }
        // Only the key path reads the probe, one property after the other.
        if reading?.probes.last === probe, let valueType = reading?.valueType {
            return unmodeledSample(forKey: key, as: type ?? valueType)
        }
        guard reading?.probes.last === probe, let property = probe.entity.propertiesByName[key]
        else {
            reading?.keys = []
            return nil
        }
        reading?.keys.append(key)
        let sample: Any?
        switch property {
        case let relationship as NSRelationshipDescription:
            sample = destination(of: relationship)
        case let attribute as NSAttributeDescription: sample = value(of: attribute.attributeType)
        default: sample = [Any]()
        }
        reading?.sample = sample
        return sample
    }

    private static func unmodeledSample(forKey key: String, as type: Any.Type) -> Any? {
        reading?.keys.append(key)
        let sample =
            KeyPathSample.objectClass(of: type).map { type in
                makeProbe(type, unmodeledEntity(of: type))
            } ?? KeyPathSample.value(of: type)
        reading?.sample = sample
        return sample
    }

    private static func destination(of relationship: NSRelationshipDescription) -> Any? {
        if relationship.isToMany {
            return relationship.isOrdered ? NSOrderedSet() : NSSet()
        }
        return relationship.destinationEntity.map { entity in
            makeProbe(entity.layout.objectClass(of: entity), entity)
        }
    }

    private static func value(of type: NSAttributeType) -> Any? {
        switch type {
        case .stringAttributeType: "Sample"
        case .booleanAttributeType: NSNumber(value: true)
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            NSNumber(value: 1)
        case .doubleAttributeType, .floatAttributeType: NSNumber(value: 0.5)
        case .decimalAttributeType: NSDecimalNumber(value: 0.5)
        case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 1)
        case .binaryDataAttributeType: Data([1])
        case .UUIDAttributeType: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        case .URIAttributeType: URL(string: "sample:")
        case .transformableAttributeType: NSArray()
        case .compositeAttributeType: NSDictionary()
        default: nil
        }
    }

    /// Whether a value is the sample that was returned, in whatever type.
    private static func isSample(_ value: Any?, _ sample: Any?) -> Bool {
        guard let sample, let value = value.flatMap(unwrapped) else { return sample == nil }
        switch sample {
        case let probe as NSManagedObject: return (value as? NSManagedObject) === probe
        case is NSSet, is NSOrderedSet, is NSArray, is NSDictionary: return true
        case let number as NSNumber:
            // An enumeration created from the number, or a date created from seconds.
            guard let other = value as? NSNumber else { return true }
            return number == other
        case let sample as AnyHashable: return (value as? AnyHashable) == sample
        default: return true
        }
    }

    private static func unwrapped(_ value: Any) -> Any? {
        let mirror = Mirror(reflecting: value)
        guard mirror.displayStyle == .optional else { return value }
        return mirror.children.first.flatMap { unwrapped($0.value) }
    }

    /// The number of properties in a key path: its description has a dot before each.
    private static func components(of keyPath: AnyKeyPath) -> Int {
        var depth = 0
        var count = 0
        for character in "\(keyPath)" {
            switch character {
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            case "." where depth == 0: count += 1
            default: break
            }
        }
        return count
    }
}
