import CoreData

/// The properties that records have only since a migration.
extension CopiedProperties {
    /// The properties of a new model, as "Entity.property", whose first values in records migrations may have sent.
    func sentByMigrations(from source: StoreSchema, to destination: StoreSchema) -> Set<String> {
        let (oldMappings, newMappings) = (RecordMappings(source), RecordMappings(destination))
        var names: Set<String> = []
        for new in newMappings.ofRecords {
            guard let old = oldMappings.mapping(recordType: new.recordType) else { continue }
            let oldNames = Dictionary(
                Self.fields(of: old).map { ($0.field, $0.name) }, uniquingKeysWith: { $1 })
            for (name, field) in Self.fields(of: new) {
                let copied = oldName(of: name, from: old.entity.name, to: new.entity.name)
                let oldName =
                    oldNames[field] ?? copied.flatMap { old.propertyNames.contains($0) ? $0 : nil }
                let isSent =
                    oldName.map(old.sentByMigrations.contains)
                    ?? fills(name, from: old.entity.name, to: new.entity.name)
                if isSent { names.insert(new.entity.description.qualifiedName(of: name)) }
            }
        }
        return names
    }

    private static func fields(of mapping: RecordMapping) -> [(name: String, field: String)] {
        mapping.attributes.map { ($0.column.name, $0.field) }
            + mapping.references.map { ($0.column.name, $0.field) }
    }
}
