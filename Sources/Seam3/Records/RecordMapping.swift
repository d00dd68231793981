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
    ///   - assignedNames: The record types and fields that migrations have pinned.
    ///   - externalData: Where the store's files lie.
    /// - Returns: nil if the model leaves the entity out of sync.
    init?(_ entity: EntitySchema, assignedNames: AssignedNames, externalData: ExternalDataFolder?) {
        guard entity.description.isSynced else { return nil }
        self.entity = entity
        self.externalData = externalData
        recordType = assignedNames.recordType(of: entity.description)
        naturalKey = NaturalKey(entity, assignedNames: assignedNames)
        for column in entity.attributes
        where column.root.isSynced && !column.isDerived {
            let field = assignedNames.field(of: column.root, in: entity.description)
            attributes.append(
                Attribute(
                    column: column,
                    field: ([field] + column.path.dropFirst()).joined(separator: "_"),
                    isEncrypted: column.isEncrypted))
        }
        for column in entity.toOnes where Self.isSynced(column.relationship) {
            references.append(
                Reference(
                    column: column,
                    field: assignedNames.field(of: column.relationship, in: entity.description),
                    isDecidedByInverse: Self.isDecidedByInverse(column)))
        }
    }

    /// A reference to what never leaves this device would be of no use elsewhere.
    private static func isSynced(_ relationship: NSRelationshipDescription) -> Bool {
        guard relationship.isSynced, relationship.inverseRelationship != nil,
            let destination = relationship.destinationEntity
        else { return false }
        return hasSyncedEntity(destination)
    }

    private static func hasSyncedEntity(_ entity: NSEntityDescription) -> Bool {
        entity.isSynced || entity.subentities.contains(where: hasSyncedEntity)
    }

    private static func isDecidedByInverse(_ column: ToOneColumn) -> Bool {
        guard let inverse = column.relationship.inverseRelationship, !inverse.isToMany else {
            return false
        }
        return inverse.entity.qualifiedName(of: inverse.name) < "\(column.owner).\(column.name)"
    }

    /// How many bytes CloudKit takes in one record, without its assets.
    static let largestRecord = 1_000_000

    /// How many bytes of one property a record holds itself; more become an asset. CloudKit takes
    /// 1 MB without assets, of which text and system fields need their share. It goes by the
    /// property and not by the record's other data, so that the place of old data is known.
    var inlineLimit: Int {
        700_000 / max(1, attributes.filter { $0.column.isBinary && !$0.isAsset }.count)
    }

    /// Whether the record that comes with a conflict may lack values: files, and encrypted ones.
    var mayLackValuesInConflicts: Bool {
        attributes.contains { $0.column.isBinary || $0.column.isEncrypted }
    }

    /// The travelling properties of an object in which nothing was set.
    var defaults: PropertyValues {
        get throws {
            var fields = PropertyValues()
            for column in attributes.map(\.column) {
                fields[column.name] = try column.stored(column.defaultValue)
            }
            return fields
        }
    }

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
    /// The names of the entities whose objects may have a natural key.
    private var keyed: Set<String> = []

    init(_ schema: StoreSchema, externalData: ExternalDataFolder? = nil) {
        self.schema = schema
        for entity in schema.entities {
            guard
                let mapping = RecordMapping(
                    entity, assignedNames: schema.assignedNames, externalData: externalData)
            else { continue }
            _ = mapping.propertyNames
            byEntity[entity.name] = mapping
            if !entity.description.isAbstract { byRecordType[mapping.recordType] = mapping }
            guard mapping.naturalKey != nil else { continue }
            for ancestor in sequence(first: entity.description, next: \.superentity) {
                if let name = ancestor.name { keyed.insert(name) }
            }
        }
    }

    /// Whether objects of an entity, or of its sub-entities, may have a natural key.
    func mayHaveNaturalKey(_ entityName: String) -> Bool { keyed.contains(entityName) }

    /// Whether the links of a many-to-many relationship travel.
    func isSynced(_ link: LinkSchema) -> Bool {
        byEntity[link.sourceEntity] != nil && byEntity[link.targetEntity] != nil
            && link.source.isSynced && link.target?.isSynced == true
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
