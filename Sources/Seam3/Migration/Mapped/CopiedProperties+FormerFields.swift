import CoreData

/// The fields in which devices with the old model, or an older one, store the properties that a mapping model copies.
extension CopiedProperties {
    /// The former fields for the names of a new model, the oldest first.
    func formerFields(
        from source: StoreSchema, to destination: StoreSchema
    ) -> [String: [AssignedNames.FormerField]] {
        let (oldMappings, newMappings) = (RecordMappings(source), RecordMappings(destination))
        var copied: [String: [AssignedNames.FormerField]] = [:]
        var computed: Set<String> = []
        for new in newMappings.ofRecords.sorted(by: { $0.recordType < $1.recordType }) {
            guard let old = oldMappings.mapping(recordType: new.recordType) else { continue }
            for property in Self.properties(of: new) {
                let key = new.entity.description.qualifiedName(of: property.name)
                guard
                    let oldName = oldName(
                        of: property.name, from: old.entity.name, to: new.entity.name),
                    let fields = Self.formerFields(
                        of: property, oldName, in: old, source, destination)
                else {
                    computed.insert(key)
                    continue
                }
                let known = copied[key] ?? []
                copied[key] =
                    known
                    + fields.filter { field in
                        !known.contains { $0.name == field.name }
                    }
            }
        }
        // Entities may inherit a property that only some of their mappings copy.
        return source.assignedNames.formerFields.merging(
            copied.filter { !computed.contains($0.key) && !$0.value.isEmpty }
        ) { $1 }
    }

    /// A property that may be in another field than before.
    private struct Property {
        let name: String
        /// The field; nil for a to-many relationship.
        let field: String?
        let relationship: NSRelationshipDescription?
    }

    private static func properties(of mapping: RecordMapping) -> [Property] {
        mapping.attributes.map {
            Property(name: $0.column.name, field: $0.field, relationship: nil)
        }
            + mapping.references.map {
                Property(
                    name: $0.column.name, field: $0.field, relationship: $0.column.relationship)
            }
            + mapping.entity.toManys.filter(\.isLink).map {
                Property(name: $0.name, field: nil, relationship: $0.relationship)
            }
    }

    /// - Returns: nil if the old property is no predecessor.
    private static func formerFields(
        of property: Property, _ oldName: String, in old: RecordMapping, _ source: StoreSchema,
        _ destination: StoreSchema
    ) -> [AssignedNames.FormerField]? {
        let description = old.entity.description
        var left: AssignedNames.FormerField?
        if let relationship = property.relationship {
            // A field says nothing about destinations whose records have other names now.
            guard let former = description.relationshipsByName[oldName]?.destinationEntity,
                let present = relationship.destinationEntity,
                source.assignedNames.recordType(of: former)
                    == destination.assignedNames.recordType(of: present)
            else { return nil }
            if let reference = old.references.first(where: { $0.column.name == oldName }),
                property.field != nil || !reference.isDecidedByInverse
            {
                left = AssignedNames.FormerField(
                    name: reference.field, type: nil, isEncrypted: false)
            }
        } else {
            guard let attribute = old.attributes.first(where: { $0.column.name == oldName }) else {
                return nil
            }
            left = AssignedNames.FormerField(
                name: attribute.field, type: attribute.kind.rawValue,
                isEncrypted: attribute.isEncrypted)
        }
        return source.assignedNames.formerFields(of: oldName, in: description)
            .adding(left, present: property.field)
    }
}
