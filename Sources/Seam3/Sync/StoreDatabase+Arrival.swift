import CoreData

/// Whether what was sent without a response has reached the server.
extension StoreDatabase {
    /// Whether the last request that was to save an object has saved it, as the zone's log of requests says; nil if the
    /// log does not decide it, or if nothing is unanswered. If it has, the server's version is that one or a later one.
    func hasArrived(_ pending: OutboxEntry) throws -> Bool? {
        guard !pending.sent.isEmpty, let request = pending.request else { return nil }
        return try syncState.hasArrived(request)
    }

    /// Whether the server has no version of an object with a change: none was sent, or the zone's log of requests says
    /// that the only one has not arrived.
    func isUnsent(_ pending: OutboxEntry) throws -> Bool {
        if pending.isUnsent { return true }
        return try pending.sent.versions.count == 1 && hasArrived(pending) == false
    }

    /// Whether an object whose record was deleted still has the values that were sent, so that nobody has edited what
    /// was deleted. The zone's log of requests tells whether they had arrived. The deletion of a new object's record shows
    /// it, too, unless other devices can create records with the same name.
    func isAsSent(
        _ pending: OutboxEntry, of row: ObjectRow, _ mapping: RecordMapping?
    ) throws -> Bool {
        guard let mapping else { return false }
        var sent = try sentVersions(of: pending, mapping)
        if try hasArrived(pending) == true {
            sent.keepLast()
        } else if pending.kind != .insert || mapping.naturalKey != nil {
            return false
        }
        let form = mapping.sentForm(try fields(of: row, mapping))
        // A version that was sent with an older model lacks the properties that are new.
        let unset = mapping.sentForm(try mapping.defaults)
        return sent.versions.contains { version in
            mapping.propertyNames.allSatisfy { name in
                guard let value = version.values[name] else {
                    return form[name].isNull || form[name] == unset[name]
                }
                return form[name] == value
            }
        }
    }
}
