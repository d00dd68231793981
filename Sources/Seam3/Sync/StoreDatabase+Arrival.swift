import CoreData

/// Whether what was sent without a response has reached the server.
extension StoreDatabase {
    /// Whether an object whose record was deleted has an edit that whoever deleted it cannot have seen.
    ///
    /// The deletion of a new object's record shows that its first request had arrived, unless other devices can create
    /// records with the same name. Of other requests it shows nothing. A move does not undo a deletion.
    func isEdit(_ pending: OutboxEntry, of row: ObjectRow, _ mapping: RecordMapping?) throws
        -> Bool
    {
        guard let mapping else { return true }
        if pending.isUneditedSeed { return false }
        let local = try fields(of: row, mapping)
        var arrived: SentRequest?
        if pending.kind == .insert {
            arrived = pending.saves.first { !$0.isRefused }
            if mapping.naturalKey != nil || arrived == nil { return true }
        }
        let base =
            arrived.map { pending.version(of: $0, current: local) }
            ?? pending.base.adding(local)
        let held = Set(arrived?.held.keys ?? [])
        let edits =
            pending.changes.edits(after: arrived?.revision ?? .min)
            .union(pending.changes.isSeed ? held.intersection(pending.changes.edits()) : held)
            .subtracting(mapping.derivedNames).subtracting(mapping.orderNames)
        return edits.intersection(mapping.propertyNames).contains { name in
            pending.base.isUnknown(name) || !mapping.isEqual(name, local[name], base[name])
        }
    }
}
