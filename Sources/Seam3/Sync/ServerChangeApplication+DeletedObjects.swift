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
            entry.systemFields == nil && pending?.attempts == 0
            && pending?.base.values.isEmpty == true
        // Whoever has made a deleted record again wants to keep the object, whatever its values.
        let isMadeAgain = received.source.isMadeAgain(since: entry)
        let isOurs =
            try isUnseen || received.isVersion(entry.systemFields)
            || pending.map {
                try received.isAnswer(to: $0) || isUnchanged(received, since: $0, entry)
            } ?? false
        let isEdited = isMadeAgain || !isOurs
        if isEdited { changes.conflictCount += 1 }
        let policy = policies.policy(of: received.mapping)
        if policy.serverEditSurvivesLocalDeletion, isEdited {
            try database.outbox.remove(of: entry.pk)
            try fillIn(received, pk: entry.pk)
            returned.insert(received.recordName)
        } else {
            try database.objects.setSystemFields(
                received.systemFields, changeTag: received.changeTag, of: entry.pk)
            try database.noteFormerFields(of: received, entry.pk)
            guard let pending else { return }
            if isUnseen, !isEdited {
                // From now on, edits can be detected.
                try database.outbox.setBase(received.fields, ofDeletion: pending)
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
        // Without base values, all values are sent, and so replace those of the edit.
        if isEdited { return try database.outbox.setBase(PropertyValues(), ofDeletion: deletion) }
        guard !deletion.base.values.isEmpty else { return }
        var changed = received.mapping.base(of: deletion.base, from: received.fields)
        // What a migration would have sent may still come from another device.
        for name in deletion.automatic where changed[name].isNull { changed.values[name] = nil }
        if changed.values.isEmpty { return }
        try database.outbox.setBase(changed.adding(deletion.base), ofDeletion: deletion)
    }

    /// Whether a deletion that was sent without a response has reached the server, because the
    /// record has been created again since. The device that created it knew of the deletion, or has
    /// an edit that survives it.
    func isCarriedOut(
        _ deletion: OutboxEntry?, of entry: ObjectEntry, _ received: SMCloudRecord
    ) -> Bool {
        guard let deletion, deletion.attempts > 0 else { return false }
        return received.isMadeAgain(since: entry)
    }

    /// Whether a record still has the values of its object when it was deleted here, or values that
    /// were sent before. Nobody has edited it then, although its version differs. References to
    /// deleted records may have been removed from it, and ends that other records decide may have
    /// changed with them.
    private func isUnchanged(
        _ received: ReceivedRecord, since deletion: OutboxEntry, _ entry: ObjectEntry
    ) throws -> Bool {
        let mapping = received.mapping
        var base = deletion.base
        if received.isOnlyRewritten(since: base) { base = base.knowing(received.fields) }
        guard deletion.kind == .delete, !base.values.isEmpty, received.followed.isEmpty else {
            return false
        }
        let form = mapping.sentForm(received.fields)
        // The object of an older model lacks the properties that are new.
        let unset = PropertyValues(
            mapping.sentForm(try mapping.defaults).values.filter { form[$0.key] == $0.value })
        let known = mapping.sentForm(base).limited(to: base.keys).adding(unset)
        // Another device may have moved any of them to the present field.
        var former = [mapping.sentForm(deletion.former).limited(to: deletion.former.keys)]
        var sent = try database.sentVersions(of: deletion, mapping)
        let hasLastArrived = try database.hasArrived(deletion) == true
        if hasLastArrived {
            sent.keepLast()
        } else {
            former += try database.formerValues(of: entry.pk, mapping)
        }
        func isUnedited(since version: PropertyValues) throws -> Bool {
            let differing = mapping.propertyNames.filter { name in
                form[name] != version[name] && !former.contains { $0.values[name] == form[name] }
            }
            return try self.isUnedited(
                form, since: version, differing: differing, deletion, entry, mapping)
        }
        for version in sent.versions
        where try isUnedited(since: version.adding(unset).adding(known)) {
            return true
        }
        // If the version that was sent has arrived, somebody has edited it since.
        return try !hasLastArrived && isUnedited(since: known)
    }

    /// Whether nobody has edited the properties in which a record differs from an earlier version.
    private func isUnedited(
        _ form: PropertyValues, since version: PropertyValues, differing: Set<String>,
        _ deletion: OutboxEntry, _ entry: ObjectEntry, _ mapping: RecordMapping
    ) throws -> Bool {
        let idle = mapping.derivedNames.union(mapping.idleOrderNames(in: form))
        for name in differing where !idle.contains(name) {
            if isFirstValue(of: name, deletion, entry, mapping) { continue }
            guard form[name].isNull else { return false }
            if deletion.automatic.contains(name) { continue }
            if let attribute = mapping.entity.attribute(named: name) {
                // The record of an older version of the app may lack it.
                if attribute.isOptional { return false }
            } else {
                guard let former = version[name].text,
                    try database.mayBeReleased(
                        name, leadingTo: former, deletion, mapping, deletions)
                else { return false }
            }
        }
        return true
    }

    /// Whether another device's migration may have sent a property for the first time: the object was deleted before
    /// its record was read under the present model.
    private func isFirstValue(
        of name: String, _ deletion: OutboxEntry, _ entry: ObjectEntry, _ mapping: RecordMapping
    ) -> Bool {
        entry.changeTag == nil && mapping.sentByMigrations.contains(name)
            && (deletion.base[name].isNull || deletion.automatic.contains(name))
    }
}
