import FoundationGaps

/// All rows of an in-memory store, by ID and by entity in the order of their insertion.
final class InMemoryTable {
    private var rows: [NSManagedObjectID.Key: InMemoryRow] = [:]
    private var slots: [String: EntitySlots] = [:]

    /// The rows of one entity. A row that goes leaves its slot empty until too many are.
    private struct EntitySlots {
        var rows: [InMemoryRow?] = []
        private var count = 0

        mutating func append(_ row: InMemoryRow) {
            row.slot = rows.count
            rows.append(row)
            count += 1
        }

        mutating func remove(_ row: InMemoryRow) {
            rows[row.slot] = nil
            count -= 1
            guard rows.count > 64, count * 2 < rows.count else { return }
            rows.removeAll { $0 === nil }
            for (slot, row) in rows.enumerated() { row?.slot = slot }
        }
    }

    /// The row of an object; nil if there is none.
    func row(_ objectID: NSManagedObjectID) -> InMemoryRow? {
        rows[NSManagedObjectID.Key(objectID)]
    }

    /// A new row for an object, with no values yet.
    func insert(_ objectID: NSManagedObjectID) -> InMemoryRow {
        let row = InMemoryRow(objectID: objectID, table: self)
        rows[NSManagedObjectID.Key(objectID)] = row
        slots[objectID.entity.name ?? "", default: EntitySlots()].append(row)
        return row
    }

    /// Removes the row of an object.
    func remove(_ objectID: NSManagedObjectID) {
        guard let row = rows.removeValue(forKey: NSManagedObjectID.Key(objectID)) else { return }
        slots[objectID.entity.name ?? ""]?.remove(row)
    }

    /// The rows of an entity, and those of its sub-entities if wanted.
    func rows(of entity: NSEntityDescription, includingSubentities: Bool) -> [InMemoryRow] {
        let entities = includingSubentities ? entity.hierarchy : [entity]
        return entities.flatMap { slots[$0.name ?? ""]?.rows.compactMap(\.self) ?? [] }
    }
}
