import CoreData

/// Finds the parts of a model that cannot be synced.
///
/// All problems are reported at once, so that the developer does not discover them one by one.
struct ModelCheck {
    private(set) var problems: [String] = []
    /// Things that can be synced but may be surprising.
    private(set) var warnings: [String] = []
    /// The record types and fields that migrations have pinned.
    private let assignedNames: AssignedNames

    /// Checks the entities of a store.
    ///
    /// - Throws: ``SMStoreError/unsupportedModel(_:)`` naming every property at fault.
    static func check(_ entities: [NSEntityDescription]) throws {
        // What Apple's frameworks do here is an assumption: CD-6 and CD-7.
        var check = ModelCheck(assignedNames: AssignedNames())
        let entities = entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        for entity in entities { check.check(entity) }
        check.checkRecordTypes(of: entities)
        for warning in check.warnings { StoreLog.notice(warning, .store) }
        guard check.problems.isEmpty else { throw SMStoreError.unsupportedModel(check.problems) }
    }

    /// The entities that would share a record type, and the properties that would share a field, under the names that
    /// migrations have pinned.
    static func sharedNames(in schema: StoreSchema) -> [String] {
        var check = ModelCheck(assignedNames: schema.assignedNames)
        let entities = schema.entities.map(\.description)
            .sorted { ($0.name ?? "") < ($1.name ?? "") }
        for entity in entities { check.checkFields(of: entity) }
        check.checkRecordTypes(of: entities)
        return check.problems
    }

    private mutating func check(_ entity: NSEntityDescription) {
        let entityName = entity.name ?? ""
        let recordType = entity.pinnedRecordType ?? entity.name ?? ""
        if entity.isSynced,
            !Self.isAcceptedByCloudKit(recordType) || Self.reservedRecordTypes.contains(recordType)
        {
            problems.append(
                "\(entityName): CloudKit does not accept \(recordType) as a record type")
        }
        checkFields(of: entity)
        checkConstraints(of: entity)
        checkUserInfo(of: entity)
        checkKeys(entity.userInfo, of: .entity, path: entityName)
        if !entity.isSynced {
            warnOfKeys(
                [UserInfoKey.recordType, UserInfoKey.conflictPolicy, UserInfoKey.naturalKey],
                entity.userInfo, path: entityName, "is not synced")
        } else if entity.isAbstract {
            warnOfKeys(
                [UserInfoKey.recordType], entity.userInfo, path: entityName,
                "is abstract: set it on its subentities")
        }
        for (name, property) in entity.propertiesByName.sorted(by: { $0.key < $1.key }) {
            // An inherited property is reported once, where it is declared.
            guard entity.superentity?.propertiesByName[name] == nil else { continue }
            let path = "\(entityName).\(name)"
            checkKeys(
                property.userInfo,
                of: property is NSRelationshipDescription ? .relationship : .attribute, path: path)
            checkEffect(on: property, path: path)
            if property.isTransient { continue }
            if let attribute = property as? NSAttributeDescription {
                check(attribute, path: path)
            } else if let relationship = property as? NSRelationshipDescription {
                check(relationship, path: path)
            }
        }
        checkLocalProperties(of: entity)
    }

    /// An object that arrives has no value for a property that stays on the device and has no default. If it is required,
    /// the object cannot be saved until the app has set one.
    private mutating func checkLocalProperties(of entity: NSEntityDescription) {
        guard entity.isSynced, !entity.isAbstract else { return }
        for (name, property) in entity.propertiesByName.sorted(by: { $0.key < $1.key })
        where !property.isOptional && !property.isTransient {
            let staysHere =
                switch property {
                case is NSDerivedAttributeDescription: false
                case let attribute as NSAttributeDescription:
                    !attribute.isSynced && attribute.defaultValue == nil
                case let relationship as NSRelationshipDescription:
                    !RecordMapping.isSynced(relationship)
                default: false
                }
            guard staysHere else { continue }
            warnings.append(
                "\(entity.name ?? "").\(name): it is required, is not synced and has no default, so an object that"
                    + " arrives from another device cannot be saved until it is set; make it optional"
                    + (property is NSAttributeDescription ? ", or give it a default" : ""))
        }
    }

    /// A constraint over a property without a column would never apply.
    private mutating func checkConstraints(of entity: NSEntityDescription) {
        for name in entity.uniquenessConstraints.flatMap(UniquenessConstraint.names) {
            let property = entity.propertiesByName[name.components(separatedBy: ".")[0]]
            let hasColumn =
                switch property {
                case let attribute as NSAttributeDescription:
                    AttributeElement.all(of: attribute).contains { $0.isPart(of: name) }
                case let relationship as NSRelationshipDescription:
                    !relationship.isToMany && name == relationship.name
                default: false
                }
            guard hasColumn, property?.isTransient == false else {
                problems.append(
                    "\(entity.name ?? "").\(name): it cannot be part of a uniqueness constraint")
                continue
            }
        }
    }

    /// Invalid sync settings in the user info would otherwise be ignored.
    private mutating func checkUserInfo(of entity: NSEntityDescription) {
        let policy = entity.userInfo?[UserInfoKey.conflictPolicy]
        if let policy, SMSyncConflictResolutionPolicy(option: policy) == nil {
            problems.append(
                "\(entity.name ?? ""): \(policy) is not a conflict policy."
                    + SMSyncConflictResolutionPolicy.advice(on: policy))
        }
        guard let (names, owner) = NaturalKey.names(of: entity), owner === entity else { return }
        for name in names {
            guard let attribute = entity.attributesByName[name] else {
                problems.append(
                    "\(entity.name ?? ""): \(UserInfoKey.naturalKey) names “\(name)”, which is not an attribute."
                        + NearestName.question(name, among: entity.attributesByName.keys))
                continue
            }
            if NaturalKey.canHold(attribute) {
                guard attribute.allowsCloudEncryption else { continue }
                warnings.append(
                    "\(entity.name ?? "").\(name): it is encrypted, but the record's name is derived from it, and is not"
                        + " encrypted: whoever sees the name can try values")
                continue
            }
            problems.append("\(entity.name ?? "").\(name): it cannot be part of a natural key")
        }
    }

    /// Misspelled keys in the user info, keys in the wrong place, and values that are neither yes nor no would otherwise
    /// be ignored.
    private mutating func checkKeys(
        _ userInfo: [AnyHashable: Any]?, of place: UserInfoKey.Place, path: String
    ) {
        let userInfo = userInfo ?? [:]
        if let value = userInfo[UserInfoKey.synced], UserInfoKey.isSynced(value) == nil {
            problems.append("\(path): \(UserInfoKey.synced) is \(value), and can be YES or NO")
        }
        for case let name as String in userInfo.keys.sorted(by: { "\($0)" < "\($1)" }) {
            if let places = UserInfoKey.places.first(where: { $0.key == name })?.value {
                guard !places.contains(place) else { continue }
                warnings.append(
                    "\(path): \(name) has no effect on \(place.rawValue); set it on"
                        + " \(places.map(\.rawValue).joined(separator: " or "))")
            } else if let key = Self.key(meantBy: name) {
                problems.append(
                    "\(path): the user info contains \(name), which is not a known key. Did you mean \(key)?"
                )
            }
        }
    }

    /// The key that a misspelled one probably stands for; nil for a key of the app's own.
    private static func key(meantBy name: String) -> String? {
        let key = UserInfoKey.all.first { $0.lowercased() == name.lowercased() }
        return key
            ?? (name.hasPrefix("SM") ? NearestName.nearest(to: name, among: UserInfoKey.all) : nil)
    }

    /// Settings of a property that is never synced, or of one that has no field, would be ignored.
    private mutating func checkEffect(on property: NSPropertyDescription, path: String) {
        let keys = [UserInfoKey.fieldName]
        let syncs = property.userInfo?[UserInfoKey.synced].flatMap(UserInfoKey.isSynced) == true
        let allKeys = keys + (syncs ? [UserInfoKey.synced] : [])
        if property.isTransient {
            warnOfKeys(
                allKeys, property.userInfo, path: path, "is transient and therefore never synced")
        } else if property is NSDerivedAttributeDescription {
            warnOfKeys(allKeys, property.userInfo, path: path, "is derived on each device")
        } else if !property.isSynced {
            warnOfKeys(keys, property.userInfo, path: path, "is not synced")
        } else if let relationship = property as? NSRelationshipDescription, relationship.isToMany,
            relationship.inverseRelationship?.isToMany == false
        {
            warnOfKeys(
                keys, property.userInfo, path: path, "is to-many: the field is that of its inverse")
        } else if let relationship = property as? NSRelationshipDescription,
            let first = firstEnd(insteadOf: relationship)
        {
            warnOfKeys(
                keys, property.userInfo, path: path,
                "is many-to-many, and its pairs are named after \(first): set it there")
        }
    }

    /// The other end of a many-to-many relationship, if that one names the record type of the pairs whatever field this
    /// one has; nil otherwise.
    private func firstEnd(insteadOf relationship: NSRelationshipDescription) -> String? {
        guard relationship.isToMany, let inverse = relationship.inverseRelationship,
            inverse.isToMany
        else { return nil }
        let first = assignedNames.path(of: inverse)
        let type = assignedNames.recordType(
            of: relationship.entity.declaringEntity(of: relationship.name))
        let names = [
            relationship.name, assignedNames.field(of: relationship, in: relationship.entity),
        ]
        guard names.allSatisfy({ first < "\(type).\($0)" }) else { return nil }
        return "\(inverse.entity.name ?? "").\(inverse.name)"
    }

    private mutating func warnOfKeys(
        _ keys: [String], _ userInfo: [AnyHashable: Any]?, path: String, _ reason: String
    ) {
        for key in keys where userInfo?[key] != nil {
            warnings.append("\(path): \(key) has no effect, because it \(reason)")
        }
    }

    private mutating func checkName(_ property: NSPropertyDescription, path: String) {
        let field = property.pinnedField ?? property.name
        guard property.isSynced else { return }
        if !Self.isAcceptedByCloudKit(field) {
            problems.append("\(path): CloudKit does not accept \(field) as a field")
        } else if Self.reservedFields.contains(field) {
            problems.append(
                "\(path): CloudKit reserves \(field); name a field with SMFieldName")
        } else if field == EditStamps.field {
            problems.append(
                "\(path): \(field) is the field of the edit stamps; name another with SMFieldName")
        } else if Self.ambiguousFields.contains(field) {
            warnings.append(
                "\(path): CKRecord has a property \(field), which is not this field. A conflict block reads the field as"
                    + " record[\"\(field)\"]; to avoid mistakes, name another field with SMFieldName"
            )
        }
    }

    /// Two entities with one record type could not be distinguished.
    private mutating func checkRecordTypes(of entities: [NSEntityDescription]) {
        var owners: [String: String] = [:]
        for entity in entities
        where !entity.isAbstract && entity.isSynced {
            let name = entity.name ?? ""
            let recordType = assignedNames.recordType(of: entity)
            if let owner = owners.updateValue(name, forKey: recordType) {
                problems.append("\(name): \(owner) has the record type \(recordType), too")
            }
        }
    }

    /// Two properties with the same field would overwrite each other. The second fields of
    /// decimals, large data and order keys count, too.
    private mutating func checkFields(of entity: NSEntityDescription) {
        guard entity.isSynced else { return }
        var owners: [String: String] = [:]
        for (name, property) in entity.propertiesByName.sorted(by: { $0.key < $1.key })
        where !property.isTransient && property.isSynced
            && !(property is NSDerivedAttributeDescription)
        {
            for (path, field) in fields(of: property, in: entity) {
                guard let owner = owners.updateValue(path, forKey: field) else { continue }
                // Inherited properties are reported where they are declared.
                let root = owner.components(separatedBy: ".")[0]
                if let parent = entity.superentity?.propertiesByName,
                    parent[name] != nil, parent[root] != nil
                {
                    continue
                }
                problems.append(
                    "\(entity.name ?? "").\(path): \(owner) needs the field \(field), too")
            }
        }
    }

    /// The fields of a property, each with the property's name, or the path of an element.
    private func fields(
        of property: NSPropertyDescription, in entity: NSEntityDescription
    ) -> [(path: String, field: String)] {
        if let relationship = property as? NSRelationshipDescription {
            if relationship.isToMany { return [] }
            let field = assignedNames.field(of: relationship, in: entity)
            let isOrdered = relationship.inverseRelationship?.isOrdered == true
            return (isOrdered ? [field, field + "_order"] : [field]).map { (property.name, $0) }
        }
        guard let attribute = property as? NSAttributeDescription else { return [] }
        return AttributeElement.all(of: attribute).flatMap { element in
            let field = assignedNames.field(of: element, in: entity)
            let fields =
                switch AttributeKind(element.attribute.attributeType) {
                case .decimal: [field, field + DecimalField.suffix]
                case .binaryData, .transformable: [field, field + "_asset"]
                case .integer16, .integer32, .integer64, .double, .float, .string, .boolean, .date,
                    .uuid, .uri, nil:
                    [field]
                }
            return fields.map { (element.name, $0) }
        }
    }

    private mutating func check(_ attribute: NSAttributeDescription, path: String) {
        checkName(attribute, path: path)
        if (attribute as? NSDerivedAttributeDescription)?.derivationExpression == nil,
            attribute is NSDerivedAttributeDescription
        {
            problems.append("\(path): it has no expression to be derived from")
        }
        for element in AttributeElement.all(of: attribute) {
            let path = ([path] + element.path.dropFirst()).joined(separator: ".")
            checkType(element.attribute, path: path)
            checkElement(element, path: path)
        }
    }

    /// Sync settings of elements would be ignored.
    private mutating func checkElement(_ element: AttributeElement, path: String) {
        for part in element.attributes.dropFirst() {
            for key in UserInfoKey.all where part.userInfo?[key] != nil {
                problems.append(
                    "\(path): \(key) has no effect on \(part.name), an element of a composite attribute;"
                        + " set it for the attribute")
            }
        }
        let field = assignedNames.field(of: element, in: element.root.entity)
        if element.path.count > 1, element.root.isSynced, !Self.isAcceptedByCloudKit(field) {
            problems.append("\(path): CloudKit does not accept \(field) as a field")
        }
    }

    private mutating func checkType(_ attribute: NSAttributeDescription, path: String) {
        guard let kind = AttributeKind(attribute.attributeType) else {
            problems.append("\(path): its attribute type has no counterpart in CloudKit")
            return
        }
        guard kind == .transformable, let name = attribute.valueTransformerName, !name.isEmpty,
            ValueTransformer(forName: NSValueTransformerName(name)) == nil
        else { return }
        problems.append("\(path): the value transformer \(name) is not registered")
    }

    private mutating func check(_ relationship: NSRelationshipDescription, path: String) {
        checkName(relationship, path: path)
        guard relationship.destinationEntity != nil else {
            problems.append("\(path): it has no destination entity")
            return
        }
        if relationship.inverseRelationship == nil, relationship.isSynced,
            relationship.entity.isSynced
        {
            problems.append(
                "\(path): it has no inverse relationship; add one, or keep it on the device with the"
                    + " user info \(UserInfoKey.synced) = NO")
        }
    }

    /// The names that CloudKit reserves for its own record types and fields.
    private static let reservedRecordTypes: Set<String> = ["Users"]
    private static let reservedFields: Set<String> = [
        "recordID", "recordType", "recordChangeTag", "creationDate", "modificationDate",
        "creatorUserRecordID", "lastModifiedUserRecordID", "etag",
    ]

    /// Fields that CloudKit accepts although a record has a property of that name.
    private static let ambiguousFields: Set<String> = ["parent", "share"]

    /// Whether CloudKit accepts a name for a record type or a field: a letter followed by letters,
    /// digits and underscores, at most 255 characters.
    static func isAcceptedByCloudKit(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 255 else { return false }
        return isLetter(first)
            && name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
