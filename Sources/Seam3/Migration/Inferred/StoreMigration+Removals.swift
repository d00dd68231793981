import CoreData

/// What a migration does not take over, because the new model lacks it. Core Data removes it as well, so it is allowed, but
/// it may be a mistake: a forgotten renaming identifier, or a model of another version.
extension StoreMigration {
    /// The removed entities and properties, before anything is removed.
    struct Removals {
        /// A sentence about each.
        fileprivate(set) var sentences: [String] = []
        /// How many changes waited.
        fileprivate let changeCount: Int
    }

    /// Finds what the new model lacks, and counts it.
    func removals() throws -> Removals {
        var removals = Removals(changeCount: try database.outbox.count())
        for name in plan.removedEntities.sorted() {
            guard let old = plan.old.entity(named: name) else { continue }
            let count = try count(of: old)
            removals.sentences.append(
                "the entity \(name) with \(count) objects"
                    + advice(newName(like: old).map { ("entity", $0) }))
        }
        removals.sentences += try removedProperties()
        return removals
    }

    /// A sentence about each removed property, under the name of the entity that declared it.
    private func removedProperties() throws -> [String] {
        var counts: [String: Int64] = [:]
        var advice: [String: String] = [:]
        for entity in schema.entities where !entity.description.isAbstract {
            guard let old = plan.oldEntity(of: entity.name) else { continue }
            for property in plan.removedProperties(of: entity.name, old) {
                let path = "\(old.owners[property] ?? old.name).\(property)"
                counts[path, default: 0] += try valueCount(of: property, in: old)
                advice[path] = self.advice(
                    newName(like: property, of: old, in: entity).map { ("property", $0) })
            }
        }
        return counts.sorted { $0.key < $1.key }.map { path, count in
            path + (count > 0 ? " with \(count) values" : "") + (advice[path] ?? "")
        }
    }

    /// Logs what was removed, and how many waiting changes were removed with it.
    func report(_ removals: Removals) throws {
        for sentence in removals.sentences {
            StoreLog.notice("A migration removes \(sentence)", .store)
        }
        let lost = removals.changeCount - (try database.outbox.count())
        if !removals.sentences.isEmpty, lost > 0 {
            StoreLog.notice(
                "\(lost) changes that had not been sent were removed by the migration, too", .store)
        }
    }

    private func advice(_ new: (kind: String, name: String)?) -> String {
        guard let new else { return "" }
        return
            ". If \(new.name) is the same \(new.kind) under a new name, give it the former name as renaming identifier"
    }

    // MARK: - Counts

    private func count(of old: ModelSnapshot.Entity) throws -> Int64 {
        guard let table = plan.oldAssignedNames.tables[old.root],
            let number = plan.oldAssignedNames.entityNumbers[old.name]
        else { return 0 }
        return try connection.firstRow(
            "SELECT count(*) FROM \(table.sqlIdentifier) WHERE entity = ?", [.integer(number)]
        ) { $0.integer(at: 0) } ?? 0
    }

    /// How many objects of an entity have a value; 0 for a relationship that has no column.
    private func valueCount(of property: String, in old: ModelSnapshot.Entity) throws -> Int64 {
        guard let column = plan.column(of: property, property, in: old),
            let number = plan.oldAssignedNames.entityNumbers[old.name]
        else { return 0 }
        let name = column.column.sqlIdentifier
        return try connection.firstRow(
            "SELECT count(\(name)) FROM \(column.table.sqlIdentifier) WHERE entity = ?",
            [.integer(number)]
        ) { $0.integer(at: 0) } ?? 0
    }

    // MARK: - What may be meant

    /// A new entity that shares a property with a removed one.
    private func newName(like old: ModelSnapshot.Entity) -> String? {
        let names = Set(old.owners.keys)
        return schema.entities.first { entity in
            plan.oldEntity(of: entity.name) == nil
                && entity.attributes.contains { names.contains($0.name) }
        }?.name
    }

    /// A new property of an entity with the type, or the destination, of a removed one.
    private func newName(
        like property: String, of old: ModelSnapshot.Entity, in entity: EntitySchema
    ) -> String? {
        func isNew(_ name: String) -> Bool { plan.oldName(of: name, in: entity.name) == nil }
        if let attribute = old.attribute(named: property) {
            return entity.attributes.first { isNew($0.name) && $0.kind == attribute.kind }?.name
        }
        guard let relationship = old.relationship(named: property) else { return nil }
        let all = entity.toOnes.map(\.relationship) + entity.toManys.map(\.relationship)
        return all.first {
            let destination = $0.destinationEntity?.name ?? ""
            return isNew($0.name) && $0.isToMany == relationship.isToMany
                && plan.oldEntity(of: destination)?.name == relationship.destination
        }?.name
    }
}
