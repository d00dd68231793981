import CoreData

/// Records of objects that were deleted here.
extension ServerChangeApplication {
    mutating func applyToDeletedObject(
        _ received: ReceivedRecord, _ entry: ObjectEntry, _ pending: OutboxEntry?
    ) throws {
        // A device that has uploaded its data to a new zone need not know of the deletion.
        let isContinued = received.edits.continues(pending?.edits)
        let isUnedited = try pending.map { try self.isUnedited(received, since: $0) } ?? false
        if isCarriedOut(pending, of: entry, received.source), !(isContinued && isUnedited) {
            try database.outbox.remove(of: entry.pk)
            return try fillIn(received, pk: entry.pk)
        }
        let isUnseen = pending.map { self.isUnseen(received, by: $0) } ?? false
        // Whoever has made a deleted record again wants to keep the object, whatever its values. Default content is
        // made by nobody.
        let isMadeAgain =
            !isContinued && received.source.isMadeAgain(since: entry)
            && !received.edits.isUnedited
        let isOurs = try isUnseen || received.isVersion(entry.systemFields) || isUnedited
        let isEdited = isMadeAgain || !isOurs
        if isEdited { changes.conflictCount += 1 }
        let policy = policies.policy(of: received.mapping)
        if policy.serverEditSurvivesLocalDeletion, isEdited {
            try database.outbox.remove(of: entry.pk)
            try fillIn(received, pk: entry.pk)
            returned.insert(received.recordName)
        } else {
            try database.objects.setVersion(
                received.systemFields, changeTag: received.changeTag, edits: received.edits,
                of: entry.pk)
            guard let pending else { return }
            if isUnseen, !isEdited {
                // From now on, edits can be detected.
                try database.outbox.setChanges(
                    ChangeLayers(received.fields, .removal, revision: pending.revision),
                    of: pending.pk)
            } else {
                try setBase(of: pending, received, isEdited: isEdited)
            }
        }
    }

    /// Lets the base values of a deletion that stands follow the server's version, because whoever undoes
    /// the deletion only sends what differs from them.
    private func setBase(
        of deletion: OutboxEntry, _ received: ReceivedRecord, isEdited: Bool
    ) throws {
        var changes = deletion.changes
        if isEdited {
            // Without base values, all values are sent, and so replace those of the edit.
            changes = ChangeLayers()
        } else {
            // What has yet to be sent may still come from another device.
            changes.setBase(
                received.fields.limited(
                    to: received.mapping.differences(deletion.base, received.fields)
                        .filter { !received.fields[$0].isNull || !deletion.resend.contains($0) }))
        }
        try database.outbox.setChanges(changes, of: deletion.pk)
    }

    /// Whether a deletion that was sent without a response has reached the server, because the
    /// record has been created again since. The device that created it knew of the deletion, or has
    /// an edit that survives it.
    func isCarriedOut(
        _ deletion: OutboxEntry?, of entry: ObjectEntry, _ received: SMCloudRecord
    ) -> Bool {
        guard let deletion, deletion.mayBeDeleted else { return false }
        return received.isMadeAgain(since: entry)
    }

    /// Whether nothing is known of a record that has what its object had here, as far as that is known. Then no edit can be
    /// detected, for example after an adoption.
    private func isUnseen(_ received: ReceivedRecord, by deletion: OutboxEntry) -> Bool {
        guard deletion.systemFields == nil, deletion.edits == nil, deletion.requests.isEmpty else {
            return false
        }
        let (mapping, base) = (received.mapping, deletion.base)
        return base.values.isEmpty
            || mapping.differences(received.fields, base).subtracting(mapping.derivedNames).isEmpty
    }

    /// Whether nobody has edited an object since the version that is known here.
    private func isUnedited(
        _ received: ReceivedRecord, since deletion: OutboxEntry
    ) throws -> Bool {
        guard deletion.kind == .delete else { return false }
        let arrival = try database.arrival(
            of: received, at: deletion, deletion.base, isCurrent: areCurrent)
        // A move does not undo a deletion.
        return !arrival.isEdited(ignoring: received.mapping.orderNames)
    }
}
