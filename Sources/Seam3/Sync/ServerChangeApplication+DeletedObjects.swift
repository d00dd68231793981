import CoreData

/// Records of objects that were deleted here.
extension ServerChangeApplication {
    mutating func applyToDeletedObject(
        _ received: ReceivedRecord, _ entry: ObjectEntry, _ pending: OutboxEntry?
    ) throws {
        if isCarriedOut(pending, of: entry, received.source) {
            try database.outbox.remove(of: entry.pk)
            return try fillIn(received, pk: entry.pk)
        }
        // For an object of which nothing is known, for example after an adoption, no edit can be
        // detected.
        let isUnseen =
            entry.systemFields == nil && pending?.mayBeDeleted == false
            && pending?.base.values.isEmpty == true
        // Whoever has made a deleted record again wants to keep the object, whatever its values.
        let isMadeAgain = received.source.isMadeAgain(since: entry)
        let isOurs =
            try isUnseen || received.isVersion(entry.systemFields)
            || pending.map { try isUnchanged(received, since: $0, entry) } ?? false
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
            try database.noteFormerFields(of: received, entry.pk)
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

    /// Whether a record still has the values of its object when it was deleted here, or values that
    /// were sent before. Nobody has edited it then, although its version differs. References to
    /// deleted records may have been removed from it, and ends that other records decide may have
    /// changed with them.
    private func isUnchanged(
        _ received: ReceivedRecord, since deletion: OutboxEntry, _ entry: ObjectEntry
    ) throws -> Bool {
        guard deletion.kind == .delete else { return false }
        let mapping = received.mapping
        let object = try database.waiting(deletion)
        var record = try database.record(received, deletion, deletions: deletions)
        record.confirmsUnknown = received.isOnlyRewritten(since: deletion.base)
        // Another device's migration may have sent a property for the first time: the object was deleted before
        // its record was read under the present model.
        if entry.changeTag == nil {
            record.firstValues = mapping.sentByMigrations.filter { name in
                deletion.base[name].isNull || deletion.resend.contains(name)
                    || deletion.changes.automatic.contains(name)
            }
        }
        // Another device may have moved any of them to the present field.
        if !object.requests.contains(where: { $0.hasArrived == true }) {
            let former = try database.formerValues(of: entry.pk, mapping)
            record.isMoved = { name in
                !former.isEmpty
                    && former.contains {
                        $0.values[name] == mapping.form(name, received.fields[name])
                    }
            }
        }
        return try !Arrival.isEdited(record, since: object, mapping.rules)
    }
}
