import CoreData

/// The properties of two entities that share a record type, matched by their fields: the field is
/// what stays, whatever the models call the property.
struct FieldTranslation {
    let source: RecordMapping
    let destination: RecordMapping
    /// New property → old property.
    private(set) var oldNames: [String: String] = [:]
    private var newNames: [String: String] = [:]
    private var conversions: [String: AttributeConversion] = [:]

    /// Matches the properties.
    ///
    /// - Parameters:
    ///   - source: The old mapping.
    ///   - destination: The new one.
    ///   - mayBeOnServer: Whether records of the old one may be on the server, where no field becomes an
    ///     encrypted one or the reverse.
    /// - Throws: 134110 of the domain `NSCocoaErrorDomain` if a field would have to change its type.
    init(
        from source: RecordMapping, to destination: RecordMapping, mayBeOnServer: Bool
    ) throws {
        self.source = source
        self.destination = destination
        let attributes = Dictionary(
            source.attributes.filter { !$0.column.isDerived }.map { ($0.field, $0) }
        ) { first, _ in first }
        let references = Dictionary(source.references.map { ($0.field, $0) }) { first, _ in first }
        for new in destination.attributes {
            if references[new.field] != nil { throw refusal(new.column.name, new.field) }
            guard let old = attributes[new.field] else { continue }
            if old.isEncrypted != new.isEncrypted {
                if mayBeOnServer { throw refusal(new.column.name, new.field) }
                continue
            }
            let conversion = AttributeConversion(from: old.column.kind, to: new.column.kind)
            guard conversion?.keepsField == true else {
                throw refusal(new.column.name, new.field)
            }
            conversions[new.column.name] = conversion
            match(old.column.name, new.column.name)
        }
        for new in destination.references {
            if attributes[new.field] != nil { throw refusal(new.column.name, new.field) }
            guard let old = references[new.field] else { continue }
            match(old.column.name, new.column.name)
            if old.isOrdered, new.isOrdered {
                match(old.column.orderName, new.column.orderName)
            }
        }
    }

    private mutating func match(_ old: String, _ new: String) {
        oldNames[new] = old
        newNames[old] = new
    }

    private func refusal(_ property: String, _ field: String) -> any Error {
        let path = "\(destination.entity.name).\(property)"
        return CocoaError(
            .migration,
            userInfo: [
                NSLocalizedDescriptionKey: "The store cannot be migrated.",
                "entity": destination.entity.name, "property": property,
                "reason": "the type of \(path) needs another field in CloudKit than \(field), whose"
                    + " type cannot change: give it one with the user info key"
                    + " \(UserInfoKey.fieldName)",
            ])
    }

    /// Whether the new entity has exactly the properties of the old one.
    var isComplete: Bool {
        Set(oldNames.keys) == destination.propertyNames
            && Set(newNames.keys) == source.propertyNames
    }

    /// Whether the new entity has properties that the old one had not.
    var isExtended: Bool { !Set(oldNames.keys).isSuperset(of: destination.propertyNames) }

    /// Values of old properties under the names of the new ones; those that are gone are left out.
    ///
    /// - Parameters:
    ///   - fields: The values.
    ///   - database: Where they come from: data that is in its files is read.
    func translated(_ fields: PropertyValues, in database: StoreDatabase) -> PropertyValues {
        var translated = PropertyValues()
        for (name, stored) in fields.values {
            guard let new = newNames[name] else { continue }
            let attribute = source.entity.attribute(named: name)
            let value = attribute.map { database.inlined(stored, of: $0) } ?? stored
            guard let conversion = conversions[new] else {
                translated[new] = value
                continue
            }
            // A value of the past that no longer fits was another than today's all the same.
            translated[new] = (try? conversion.converted(value, path: name)) ?? .null
        }
        return translated
    }

    /// What a migrated object has that the server has otherwise: the properties whose values the
    /// mapping changed, with the old ones.
    ///
    /// - Parameters:
    ///   - old: The object's values in the source, translated.
    ///   - new: Its values in the destination.
    func changes(from old: PropertyValues, to new: PropertyValues) throws -> PropertyValues {
        var base = PropertyValues()
        for name in destination.propertyNames {
            if oldNames[name] != nil {
                if !destination.isEqual(name, old[name], new[name]) { base[name] = old[name] }
            } else if try !isDefault(new[name], of: name) {
                base[name] = .null
            }
        }
        return base
    }

    /// Every device gives a new property its default by itself.
    private func isDefault(_ value: SQLiteValue, of name: String) throws -> Bool {
        if value.isNull { return true }
        guard let attribute = destination.entity.attribute(named: name) else { return false }
        return destination.isEqual(name, value, try attribute.stored(attribute.defaultValue))
    }
}
