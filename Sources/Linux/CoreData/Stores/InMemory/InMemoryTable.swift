import FoundationGaps

/// All rows of an in-memory store, by ID and by entity in the order of their insertion.
final class InMemoryTable {
    /// The rows by the numbers in their IDs; nil for those that are deleted or not inserted yet.
    private var rows: [InMemoryRow?] = []
    /// A version that no deleted row had, for an object that comes back.
    private(set) var unreadVersion: UInt64 = 1
    private var rowsByEntityName: [String: EntityRows] = [:]
    /// The same rows by entity; the values retain the entities.
    private var rowsByEntity: [ObjectIdentifier: EntityRows] = [:]

    /// The rows of one entity. A deleted row leaves its slot empty until too many are.
    private final class EntityRows {
        private(set) var slots: [InMemoryRow?] = []
        private var count = 0
        let entity: NSEntityDescription
        let layout: EntityLayout
        let emptyLinks: [InMemoryRow.Link]

        init(_ entity: NSEntityDescription) {
            self.entity = entity
            layout = entity.layout
            emptyLinks = layout.relationships.map(InMemoryRow.Link.empty)
        }

        func append(_ row: InMemoryRow) {
            row.slot = slots.count
            slots.append(row)
            count += 1
        }

        func remove(_ row: InMemoryRow) {
            slots[row.slot] = nil
            count -= 1
            guard slots.count > 64, count * 2 < slots.count else { return }
            slots.removeAll { $0 === nil }
            for (slot, row) in slots.enumerated() { row?.slot = slot }
        }
    }

    /// The row of an object; nil if there is none.
    func row(_ objectID: NSManagedObjectID) -> InMemoryRow? {
        guard let number = objectID.rowNumber, rows.indices.contains(number),
            let row = rows[number], row.objectID === objectID || row.objectID.isSame(as: objectID)
        else { return nil }
        return row
    }

    /// Inserts a row for an object, without values.
    func insert(_ objectID: NSManagedObjectID) -> InMemoryRow {
        guard let number = objectID.rowNumber else {
            raise(.internalInconsistency, "\(objectID) is not an ID of an in-memory store.")
        }
        let others = rows(of: objectID.entity)
        let row = InMemoryRow(
            objectID: objectID, table: self, layout: others.layout, links: others.emptyLinks)
        while rows.count <= number { rows.append(nil) }
        rows[number] = row
        others.append(row)
        return row
    }

    /// Removes the row of an object.
    func remove(_ objectID: NSManagedObjectID) {
        guard let row = row(objectID), let number = objectID.rowNumber else { return }
        rows[number] = nil
        unreadVersion = max(unreadVersion, row.version + 1)
        rows(of: objectID.entity).remove(row)
    }

    /// The rows of an entity, optionally with those of its subentities.
    func rows(of entity: NSEntityDescription, includingSubentities: Bool) -> [InMemoryRow] {
        let entities = includingSubentities ? entity.hierarchy : [entity]
        if entities.count == 1 { return rows(of: entity).slots.compactMap(\.self) }
        return entities.flatMap { rows(of: $0).slots.compactMap(\.self) }
    }

    private func rows(of entity: NSEntityDescription) -> EntityRows {
        if let rows = rowsByEntity[ObjectIdentifier(entity)] { return rows }
        let name = entity.name ?? ""
        let rows = rowsByEntityName[name] ?? EntityRows(entity)
        rowsByEntityName[name] = rows
        // An entity of another copy of the model is found by its name.
        if rows.entity === entity { rowsByEntity[ObjectIdentifier(entity)] = rows }
        return rows
    }
}

extension NSManagedObjectID {
    /// The number that the in-memory store has assigned to the object.
    fileprivate var rowNumber: Int? {
        guard case .decimal(let number) = reference else { return nil }
        return Int(exactly: number)
    }
}
