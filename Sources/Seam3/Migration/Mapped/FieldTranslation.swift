import CoreData

/// The properties of two entities with the same record type, matched by their fields. The field
/// stays the same even if the models name the property differently. A property that the mapping model
/// copies to another field is matched as well.
struct FieldTranslation {
    let source: RecordMapping
    let destination: RecordMapping
    /// New property → old property.
    private(set) var oldNames: [String: String] = [:]
    /// The new properties that are matched, but have another field now.
    private(set) var moved: Set<String> = []
    /// The references that become links, under their old names.
    private(set) var leftReferences:
        [(oldName: String, link: LinkSchema, reference: LinkSchema.FormerReference)] = []
    /// Old property → new property.
    private(set) var newNames: [String: String] = [:]
    private var conversions: [String: AttributeConversion] = [:]
    /// The properties of which records may have values that the old model could not hold.
    private var widened: Set<String> = []

    /// Matches the properties.
    ///
    /// - Parameters:
    ///   - source: The old mapping.
    ///   - destination: The new one.
    ///   - copied: The properties that the mapping model copies.
    ///   - mayBeOnServer: Whether the server may have records of the old entity. Their fields
    ///     cannot change their types, or become encrypted or assets, or the reverse.
    /// - Throws: 134110 of the domain `NSCocoaErrorDomain` if a record's field would have to change
    ///   its type.
    init(
        from source: RecordMapping, to destination: RecordMapping, _ copied: CopiedProperties,
        mayBeOnServer: Bool
    ) throws {
        self.source = source
        self.destination = destination
        let attributes = Dictionary(
            source.attributes.filter { !$0.column.isDerived }.map { ($0.field, $0) }
        ) { first, _ in first }
        let references = Dictionary(source.references.map { ($0.field, $0) }) { first, _ in first }
        for new in destination.attributes {
            let conversion = attributes[new.field].flatMap {
                AttributeConversion(from: $0.column.kind, to: new.column.kind)
            }
            guard let old = attributes[new.field], old.isEncrypted == new.isEncrypted,
                !mayBeOnServer || old.isAsset == new.isAsset, conversion?.keepsField == true
            else {
                if mayBeOnServer, attributes[new.field] != nil || references[new.field] != nil {
                    throw typeRefusal(new.column.name, new.field)
                }
                continue
            }
            conversions[new.column.name] = conversion
            noteWidened(new.column, old.column)
            match(old.column.name, new.column.name)
        }
        for new in destination.references {
            guard let old = references[new.field] else {
                if mayBeOnServer, attributes[new.field] != nil {
                    throw typeRefusal(new.column.name, new.field)
                }
                continue
            }
            if mayBeOnServer, old.isOneToOne, !new.isOneToOne {
                let path = "\(destination.entity.name).\(new.column.name)"
                throw refusal(
                    new.column.name,
                    MigrationPlan.reasonForAnotherField(ofFormerOneToOne: path, new.field))
            }
            match(old.column.name, new.column.name)
            noteWidened(new.column, old.column)
            if old.isOrdered, new.isOrdered {
                match(old.column.orderName, new.column.orderName)
            }
        }
        matchMoved(attributes, references, copied)
    }

    /// Matches the properties that the mapping model copies from other fields.
    ///
    /// - Parameters:
    ///   - attributes: The old attributes by field.
    ///   - references: The old references by field.
    ///   - copied: The properties that the mapping model copies.
    private mutating func matchMoved(
        _ attributes: [String: RecordMapping.Attribute],
        _ references: [String: RecordMapping.Reference], _ copied: CopiedProperties
    ) {
        let (from, to) = (source.entity.name, destination.entity.name)
        func isCopied(_ old: String, _ new: String) -> Bool {
            copied.oldName(of: new, from: from, to: to) == old
        }
        let parts = destination.formerProperties.flatMap(\.parts)
        for part in parts {
            guard case .attribute(let new) = part.content else { continue }
            guard let old = attributes[part.field], isCopied(old.column.name, part.name) else {
                continue
            }
            conversions[part.name] = AttributeConversion(
                from: old.column.kind, to: new.column.kind)
            noteWidened(new.column, old.column)
            move(old.column.name, part.name)
        }
        for new in destination.references {
            for part in parts where part.name == new.column.name {
                guard let old = references[part.field], isCopied(old.column.name, part.name) else {
                    continue
                }
                noteWidened(new.column, old.column)
                move(old.column.name, part.name)
                if old.isOrdered, new.isOrdered {
                    move(old.column.orderName, new.column.orderName)
                }
            }
        }
        for (link, new) in destination.formerReferences {
            if let old = references[new.field] {
                guard isCopied(old.column.name, new.name) else { continue }
                leftReferences.append((old.column.name, link, new))
            } else if let old = source.formerReferences.first(where: {
                $0.reference.field == new.field
            }), isCopied(old.reference.name, new.name) {
                match(old.reference.name, new.name)
            }
        }
    }

    private mutating func move(_ old: String, _ new: String) {
        match(old, new)
        moved.insert(new)
    }

    private mutating func noteWidened(_ new: AttributeColumn, _ old: AttributeColumn) {
        guard old.kind != new.kind || new.isOptional && !old.isOptional else { return }
        widened.insert(new.name)
    }

    private mutating func noteWidened(_ new: ToOneColumn, _ old: ToOneColumn) {
        guard Self.mayBeUnread(new.relationship, old.relationship) else { return }
        widened.formUnion([new.name, new.orderName])
    }

    /// Whether records may have destinations that the old relationship could not hold.
    private static func mayBeUnread(
        _ new: NSRelationshipDescription, _ old: NSRelationshipDescription
    ) -> Bool {
        func destinations(_ relationship: NSRelationshipDescription) -> Set<String> {
            let destination = relationship.destinationEntity
            return Set(
                ([destination].compactMap { $0 } + (destination?.descendants ?? []))
                    .map(\.identity))
        }
        return old.inverseRelationship?.isToMany != new.inverseRelationship?.isToMany
            || !destinations(old).isSuperset(of: destinations(new))
    }

    private mutating func match(_ old: String, _ new: String) {
        oldNames[new] = old
        newNames[old] = new
    }

    private func typeRefusal(_ property: String, _ field: String) -> any Error {
        refusal(
            property,
            "the type of \(destination.entity.name).\(property) needs another field in CloudKit than \(field),"
                + " whose type cannot change: give it one with the user info key \(UserInfoKey.fieldName)"
        )
    }

    private func refusal(_ property: String, _ reason: String) -> any Error {
        CocoaError(
            .migration,
            userInfo: [
                NSLocalizedDescriptionKey: "The store cannot be migrated.",
                "entity": destination.entity.name, "property": property, "reason": reason,
            ])
    }

    /// The properties of which records may have values that the old model did not have, or could not hold.
    var unread: Set<String> {
        destination.propertyNames.subtracting(oldNames.keys)
            .union(widened.intersection(destination.propertyNames))
    }

    /// Whether the server may have values that this device has not read.
    var asksAgain: Bool { !unread.isEmpty || !moved.isEmpty }

    /// Values of old properties under their new names; properties that no longer exist are left
    /// out.
    ///
    /// - Parameters:
    ///   - fields: The values.
    ///   - database: The source of the values, for reading data in files.
    func translated(_ fields: PropertyValues, in database: StoreDatabase) -> PropertyValues {
        fields.renamed(newNames) { name, new, stored in
            let attribute = source.entity.attribute(named: name)
            let value = attribute.map { Self.shown(database.inlined(stored, of: $0), $0) } ?? stored
            guard let conversion = conversions[new] else { return value }
            // A base value that does not fit the new type differs from the present value, so NULL
            // serves as well.
            return (try? conversion.converted(value, path: name)) ?? .null
        }
    }

    /// A value as the mapping has seen it. Another device's newer model may have sent any number for
    /// a Boolean.
    private static func shown(_ value: SQLiteValue, _ attribute: AttributeColumn) -> SQLiteValue {
        guard attribute.kind == .boolean, let number = value.integer else { return value }
        return .integer(number == 0 ? 0 : 1)
    }

    /// The differences between a migrated object and its record: the properties whose values the
    /// mapping changed, with the old values, and those that the record lacks.
    ///
    /// - Parameters:
    ///   - old: The object's values in the source, translated.
    ///   - new: Its values in the destination.
    func changes(
        from old: PropertyValues, to new: PropertyValues
    ) throws -> (previous: PropertyValues, lacking: Set<String>) {
        var previous = PropertyValues()
        var lacking: Set<String> = []
        for name in destination.propertyNames {
            if moved.contains(name), !new[name].isNull {
                lacking.insert(name)
            } else if moved.contains(name) {
                // A value that is gone is in the former field.
                previous.values[name] = old.present.values[name]
            } else if oldNames[name] != nil {
                if !destination.isEqual(name, old[name], new[name]) { previous[name] = old[name] }
            } else if try !isDefault(new[name], of: name) {
                lacking.insert(name)
            }
        }
        return (previous, lacking)
    }

    /// Defaults of new properties are not sent.
    private func isDefault(_ value: SQLiteValue, of name: String) throws -> Bool {
        guard let attribute = destination.entity.attribute(named: name) else { return value.isNull }
        return try destination.isDefault(value, of: attribute)
    }
}
