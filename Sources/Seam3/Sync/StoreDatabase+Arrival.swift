import CoreData

/// Whether what was sent without a response has reached the server.
extension StoreDatabase {
    /// Whether a request was carried out, as the zone's log of requests says; nil if the log does not decide it. If it was,
    /// the server's version is that one or a later one.
    func hasArrived(_ request: SentRequest) throws -> Bool? {
        guard let number = request.number, !request.isRefused else { return nil }
        return try syncState.hasArrived(number)
    }

    /// Whether the server has no version of an object with a change: none was sent, or the zone's log of requests says
    /// that none has arrived.
    func isUnsent(_ pending: OutboxEntry) throws -> Bool {
        try pending.isUnsent || pending.saves.allSatisfy { try hasArrived($0) == false }
    }

    /// Whether an object whose record was deleted has an edit that whoever deleted it cannot have seen.
    ///
    /// The zone's log of requests tells what had arrived before. The deletion of a new object's record shows that its first
    /// request had, unless other devices can create records with the same name.
    func isEdit(_ pending: OutboxEntry, of row: ObjectRow, _ mapping: RecordMapping?) throws
        -> Bool
    {
        guard let mapping else { return true }
        let local = try fields(of: row, mapping)
        var arrived = try pending.saves.last { try hasArrived($0) == true }
        if arrived == nil, pending.kind == .insert {
            guard mapping.naturalKey == nil else { return true }
            arrived = pending.saves.first { !$0.isRefused }
            if arrived == nil { return true }
        }
        let base =
            arrived.map { pending.version(of: $0, current: local) }
            ?? pending.base.adding(local)
        let held = arrived?.held.keys ?? []
        let edits =
            pending.changes.edits(after: arrived?.revision ?? .min)
            .union(pending.kind == .insert ? held : held.intersection(pending.changes.edits()))
            .subtracting(mapping.derivedNames).subtracting(mapping.idleOrderNames(in: local))
        return edits.intersection(mapping.propertyNames).contains { name in
            pending.base.isUnknown(name) || !mapping.isEqual(name, local[name], base[name])
        }
    }
}
