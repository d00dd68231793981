import CloudKit
import CoreData

/// How the objects of an entity become records and back: the record type and the fields.
final class RecordMapping {
    /// An attribute and the field that carries it.
    struct Attribute {
        let column: AttributeColumn
        let field: String
        /// Whether the field lies in the record's `encryptedValues`.
        let isEncrypted: Bool

        /// Whether the field is an asset, whatever the size of its data.
        var isAsset: Bool {
            column.isExternal
        }

        /// The part of a record that has the field.
        func fields(of record: CKRecord) -> any CKRecordKeyValueSetting {
            if isEncrypted { return record.encryptedValues }
            return record
        }

        /// The asset that holds data too large for the record itself.
        var assetField: String { field + "_asset" }
    }

    /// A to-one relationship and the field that carries it as a reference.
    struct Reference {
        let column: ToOneColumn
        let field: String
        /// Whether the other end of a one-to-one relationship decides where it points.
        let isDecidedByInverse: Bool

        /// Whether the object has a place in an ordered relationship at the other end.
        var isOrdered: Bool { column.orderIndex != nil }
        /// The field of the object's order key.
        var orderField: String { field + "_order" }
    }

    let entity: EntitySchema
    let recordType: String
    /// Where the files lie to which rows may refer.
    let externalData: ExternalDataFolder?
    private(set) var attributes: [Attribute] = []
    private(set) var references: [Reference] = []
    /// What the record of a new object is named for; nil if it gets a name by chance.
    let naturalKey: NaturalKey?

    /// Makes the mapping of an entity.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - catalogue: The record types and fields that migrations have pinned.
    ///   - externalData: Where the store's files lie.
    /// - Returns: nil if the model leaves the entity out of sync.
    init?(_ entity: EntitySchema, catalogue: SchemaCatalogue, externalData: ExternalDataFolder?) {
        guard Self.isSynced(entity.description.userInfo) else { return nil }
        self.entity = entity
        self.externalData = externalData
        recordType = Self.recordType(of: entity.description, catalogue)
        naturalKey = NaturalKey(entity, catalogue: catalogue)
        for column in entity.attributes
        where Self.isSynced(column.root.userInfo) && !column.isDerived {
            let field = Self.field(column.root, of: entity.description, catalogue)
            attributes.append(
                Attribute(
                    column: column,
                    field: ([field] + column.path.dropFirst()).joined(separator: "_"),
                    isEncrypted: column.root.allowsCloudEncryption
                        || column.attribute.allowsCloudEncryption))
        }
        for column in entity.toOnes where Self.isSynced(column.relationship) {
            references.append(
                Reference(
                    column: column,
                    field: Self.field(column.relationship, of: entity.description, catalogue),
                    isDecidedByInverse: Self.isDecidedByInverse(column)))
        }
    }

    /// A reference to what never leaves this device would be of no use elsewhere.
    private static func isSynced(_ relationship: NSRelationshipDescription) -> Bool {
        guard isSynced(relationship.userInfo), let destination = relationship.destinationEntity
        else { return false }
        return hasSyncedEntity(destination)
    }

    private static func hasSyncedEntity(_ entity: NSEntityDescription) -> Bool {
        isSynced(entity.userInfo) || entity.subentities.contains(where: hasSyncedEntity)
    }

    static func isSynced(_ userInfo: [AnyHashable: Any]?) -> Bool {
        (userInfo?[SMStore.SMSyncedUserInfoKey] as? String)?.uppercased() != "NO"
    }

    /// The record type that the model gives an entity, if it gives one: by its user info, or by a
    /// renaming identifier, so that a fresh install and a migrated store of a renamed entity agree.
    static func pinnedRecordType(of entity: NSEntityDescription) -> String? {
        entity.userInfo?[SMStore.SMRecordTypeUserInfoKey] as? String
            ?? oldName(entity.renamingIdentifier, of: entity.name)
    }

    /// The field that the model gives a property, if it gives one, by the same rule.
    static func pinnedField(of property: NSPropertyDescription) -> String? {
        property.userInfo?[SMStore.SMFieldNameUserInfoKey] as? String
            ?? oldName(property.renamingIdentifier, of: property.name)
    }

    private static func oldName(_ renamingIdentifier: String?, of name: String?) -> String? {
        guard let renamingIdentifier, !renamingIdentifier.isEmpty, renamingIdentifier != name else {
            return nil
        }
        return renamingIdentifier
    }

    /// The record type of an entity, as the model or a migration has pinned it, or else its name.
    static func recordType(
        of entity: NSEntityDescription, _ catalogue: SchemaCatalogue
    ) -> String {
        let name = entity.name ?? ""
        return pinnedRecordType(of: entity) ?? catalogue.recordTypes[name] ?? name
    }

    /// The field of a property, by the same rule.
    static func field(
        _ property: NSPropertyDescription, of entity: NSEntityDescription,
        _ catalogue: SchemaCatalogue
    ) -> String {
        let owner = EntitySchema.declaringEntity(of: property.name, in: entity)
        return pinnedField(of: property)
            ?? catalogue.fields["\(owner.name ?? "").\(property.name)"] ?? property.name
    }

    private static func isDecidedByInverse(_ column: ToOneColumn) -> Bool {
        guard let inverse = column.relationship.inverseRelationship, !inverse.isToMany else {
            return false
        }
        let owner = EntitySchema.declaringEntity(of: inverse.name, in: inverse.entity).name ?? ""
        return "\(owner).\(inverse.name)" < "\(column.owner).\(column.name)"
    }

    /// How many bytes of one property a record holds itself; more become an asset. CloudKit takes
    /// 1 MB without assets, of which text and system fields need their share. It goes by the
    /// property and not by the record's other data, so that the place of old data is known.
    var inlineLimit: Int {
        700_000 / max(1, attributes.filter { $0.column.isBinary && !$0.isAsset }.count)
    }

    /// Whether a record of the type may carry an asset.
    var hasAssets: Bool { attributes.contains { $0.column.isBinary } }

    /// The names of all properties that travel.
    private(set) lazy var propertyNames: Set<String> = Set(
        attributes.map(\.column.name) + references.map(\.column.name)
            + references.filter(\.isOrdered).map(\.column.orderName))
}

/// The mappings of all entities of a store. Immutable, so both sides of a sync may share it.
final class RecordMappings: @unchecked Sendable {
    // Unchecked because the schema is not Sendable; nothing changes after the initialiser.

    let schema: StoreSchema
    private var byEntity: [String: RecordMapping] = [:]
    private var byRecordType: [String: RecordMapping] = [:]

    init(_ schema: StoreSchema, externalData: ExternalDataFolder? = nil) {
        self.schema = schema
        for entity in schema.entities {
            guard
                let mapping = RecordMapping(
                    entity, catalogue: schema.catalogue, externalData: externalData)
            else { continue }
            _ = mapping.propertyNames
            byEntity[entity.name] = mapping
            if !entity.description.isAbstract { byRecordType[mapping.recordType] = mapping }
        }
    }

    /// Whether the links of a many-to-many relationship travel.
    func isSynced(_ link: LinkSchema) -> Bool {
        byEntity[link.sourceEntity] != nil && byEntity[link.targetEntity] != nil
            && [link.source, link.target].allSatisfy { RecordMapping.isSynced($0.userInfo) }
    }

    /// The numbers of the entities and links that travel.
    var syncedNumbers: [Int64] {
        byEntity.values.map(\.entity.number) + schema.links.filter(isSynced).map(\.number)
    }

    /// The mapping of an entity, nil if it is left out of sync.
    func mapping(of entity: EntitySchema) -> RecordMapping? { byEntity[entity.name] }

    /// The mapping of a record type, nil if no entity has it.
    func mapping(recordType: String) -> RecordMapping? { byRecordType[recordType] }
}
