import CoreData

/// What is remembered of the server's versions of changed objects.
extension OutboxTable {
    /// Copies what a deletion knows of the server's version to the insertion that undoes it.
    ///
    /// If a request with the deletion may still be under way, nothing that was sent before it says anything of the
    /// new object.
    func take(_ deletion: OutboxEntry, for pk: Int64) throws {
        let isUnderWay = deletion.state == .sending
        try connection.execute(
            "UPDATE sm_outbox SET sent = ?, attempts = ?, request = ?, base = ? WHERE pk = ?",
            [
                isUnderWay ? .null : SQLiteValue(deletion.sent.encoded),
                .integer(isUnderWay ? 0 : Int64(deletion.attempts)),
                isUnderWay ? .null : SQLiteValue(deletion.request),
                deletion.base.stored, .integer(pk),
            ])
    }

    /// Replaces the base values of a deletion, or of the insertion that undoes it, or forgets them if there are none.
    func setBase(_ base: PropertyValues, ofDeletion deletion: OutboxEntry) throws {
        try connection.execute(
            "UPDATE sm_outbox SET base = ? WHERE pk = ? AND kind <> 'update'",
            [base.stored, .integer(deletion.pk)])
    }

    /// Replaces the base values of a waiting update.
    func setBase(_ base: PropertyValues, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_outbox SET base = ? WHERE pk = ?", [.blob(base.encoded), .integer(pk)])
    }

    /// Takes the unknown base values of a waiting update from the server's version that the update was made to.
    func learnBase(of pk: Int64, from server: PropertyValues) throws {
        guard let change = try entry(of: pk), change.kind == .update,
            !change.base.unknownNames.isEmpty
        else { return }
        try setBase(change.base.knowing(server), of: pk)
    }

    /// Changes the versions that the server may have of an entity's objects: those that were sent without a
    /// response, and those that were deleted, perhaps to be created again.
    func rewriteServerVersions(
        ofEntity number: Int64, _ transform: (PropertyValues) -> PropertyValues
    ) throws {
        for change in try withServerVersions(ofEntity: number) {
            try rewriteSent(of: change, transform)
            let base = transform(change.previous)
            if change.kind != .update, base != change.previous {
                try setBase(base, ofDeletion: change)
            }
        }
    }

    /// Changes the versions that were sent without a response.
    func rewriteSent(
        of change: OutboxEntry, _ transform: (PropertyValues) -> PropertyValues
    ) throws {
        let sent = change.sent.map(transform)
        guard sent != change.sent else { return }
        try connection.execute(
            "UPDATE sm_outbox SET sent = ? WHERE pk = ?",
            [SQLiteValue(sent.encoded), .integer(change.pk)])
    }

    /// Replaces the values from before the edits of a waiting change, or from before a deletion.
    func setFormer(_ values: PropertyValues, of pk: Int64) throws {
        try connection.execute(
            "UPDATE sm_outbox SET former = ? WHERE pk = ?", [values.stored, .integer(pk)])
    }
}
