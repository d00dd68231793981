import CoreData

/// Edits that devices with a former model write to the former fields of properties.
///
/// Such a device knows nothing of the present field. So a record whose former field has changed, but
/// whose present field has not, contains an edit, which is then sent to the present field.
extension StoreDatabase {
    /// A record with the edits in its former fields as the values of the properties, and with the values of those
    /// that this device has yet to send to their present fields.
    ///
    /// - Parameters:
    ///   - received: The record.
    ///   - entry: What the store knows about it; nil for a record that it does not have.
    func following(_ received: ReceivedRecord, _ entry: ObjectEntry?) throws -> ReceivedRecord {
        let mapping = received.mapping
        guard !mapping.formerProperties.isEmpty else { return received }
        guard let entry, !received.source.isMadeAgain(since: entry) else {
            return try followingAsNew(received)
        }
        if try received.isVersion(entry.systemFields) { return received }
        var followed = received
        let former = mapping.formerForm(received.formerFields)
        let known = try objects.formerFields(of: entry.pk)
        let server = try knownProperties(of: entry, mapping)
        for property in mapping.formerProperties
        where property.names.allSatisfy({ server.contains(received.fields[$0], of: $0) }) {
            let isEdited = property.parts.contains {
                !known.isKnown(former[$0.field], in: $0.field)
            }
            guard isEdited || property.isUnsent(to: received, by: server.pending),
                let values = property.values(in: received), !values.lacksRequired(mapping)
            else { continue }
            followed = followed.taking(try kept(values, mapping), areEdits: isEdited)
        }
        return followed
    }

    /// A device with a former model may have made a record, so the present fields say nothing if
    /// they are empty.
    private func followingAsNew(_ received: ReceivedRecord) throws -> ReceivedRecord {
        var followed = received
        for property in received.mapping.formerProperties
        where property.names.allSatisfy({ received.fields[$0].isNull }) {
            guard let values = property.values(in: received), !values.present.keys.isEmpty
            else { continue }
            followed = followed.taking(try kept(values, received.mapping), areEdits: true)
        }
        return followed
    }

    /// Remembers the former fields of a record that has been applied.
    func noteFormerFields(of received: ReceivedRecord, _ pk: Int64) throws {
        guard received.mapping.hasFormerFields else { return }
        var known = FieldVersions()
        let form = received.mapping.formerForm(received.formerFields)
        if !form.present.keys.isEmpty { known.add(form) }
        try objects.setFormerFields(known, of: pk)
    }

    /// Remembers that former fields of a record are empty because of this device, or may be until it is
    /// acknowledged.
    func noteEmptied(_ fields: [String], of pk: Int64, isAcknowledged: Bool) throws {
        if fields.isEmpty { return }
        let known = try objects.formerFields(of: pk)
        let emptied = known.map { version in
            var version = version
            for field in fields { version[field] = .null }
            return version
        }
        var all = isAcknowledged ? emptied : known
        for version in emptied.versions { all.add(version) }
        try objects.setFormerFields(all, of: pk)
    }

    /// Queues the properties whose values have been taken from former fields.
    ///
    /// - Parameter row: The object as it is now.
    func queueFollowed(_ received: ReceivedRecord, _ row: ObjectRow) throws {
        let (mapping, replaced) = (received.mapping, received.replaced)
        guard !replaced.values.isEmpty else { return }
        let fields = try fields(of: row, mapping)
        let names = replaced.keys.filter { !mapping.isEqual($0, fields[$0], replaced[$0]) }
        let lacking = names.filter { replaced[$0].isNull }
        if !lacking.isEmpty { try outbox.noteResend(lacking, of: row.pk) }
        let others = replaced.limited(to: names.subtracting(lacking))
        if !others.values.isEmpty { try outbox.noteUpdate(row.pk, others, .other) }
    }

    /// Data of a former field, in a file if it is large.
    private func kept(
        _ values: PropertyValues, _ mapping: RecordMapping
    ) throws -> PropertyValues {
        guard let externalFiles else { return values }
        var kept = values
        for (name, value) in values.values
        where mapping.entity.attribute(named: name)?.isExternal == true {
            kept[name] = try externalFiles.kept(value)
        }
        return kept
    }

    // MARK: - What the server had

    /// The properties that a record may have without anybody having edited its present fields.
    private struct KnownProperties {
        let mapping: RecordMapping
        let current: PropertyValues
        let pending: OutboxEntry?

        func contains(_ value: SQLiteValue, of name: String) -> Bool {
            let base = pending?.base ?? PropertyValues()
            if mapping.isEqual(name, value, base.adding(current)[name]) { return true }
            let attribute = mapping.entity.attribute(named: name)
            if value.isNull, attribute?.isOptional == false { return true }
            guard let pending else { return false }
            // Nobody has sent the property to the present field yet.
            if value.isNull, pending.kind == .insert || pending.resend.contains(name) {
                return true
            }
            let known =
                pending.changes.values(of: name)
                + pending.saves.map { pending.version(of: $0, current: current)[name] }
            return known.contains { mapping.isEqual(name, value, $0) }
        }
    }

    private func knownProperties(
        of entry: ObjectEntry, _ mapping: RecordMapping
    ) throws -> KnownProperties {
        let row = try rows.row(entry.pk, of: mapping.entity)
        return KnownProperties(
            mapping: mapping,
            current: try row.map { try fields(of: $0, mapping) } ?? PropertyValues(),
            pending: try outbox.entry(of: entry.pk))
    }
}

extension FormerProperty {
    /// Whether a record lacks the property in its present field, because a waiting change is the first to send it
    /// there. The server has what the former field says.
    fileprivate func isUnsent(to received: ReceivedRecord, by pending: OutboxEntry?) -> Bool {
        guard let pending, pending.kind != .delete,
            names.allSatisfy({ received.fields[$0].isNull }),
            parts.contains(where: { !received.formerFields[$0.field].isNull })
        else { return false }
        return pending.kind == .insert || !pending.names.isDisjoint(with: names)
    }

    /// The property's values in a record's former field; nil if they do not fit its present type.
    fileprivate func values(in received: ReceivedRecord) -> PropertyValues? {
        var values = PropertyValues()
        for part in parts {
            let value = received.formerFields[part.field]
            guard case .attribute(let attribute) = part.content else {
                values[part.name] = value
                continue
            }
            let conversion = AttributeConversion(from: attribute.kind, to: attribute.column.kind)
            guard let converted = try? conversion?.converted(value, path: part.name) else {
                return nil
            }
            values[part.name] = converted
        }
        return values
    }
}

extension PropertyValues {
    /// Whether a required attribute has no value. An older version of the app may have left it out.
    fileprivate func lacksRequired(_ mapping: RecordMapping) -> Bool {
        values.contains { name, value in
            value.isNull && mapping.entity.attribute(named: name)?.isOptional == false
        }
    }
}

extension FieldVersions {
    /// Whether one of the versions has a value of a field. A field without values is empty.
    func isKnown(_ form: SQLiteValue, in field: String) -> Bool {
        let known = versions.compactMap { $0.values[field] }
        return known.isEmpty ? form.isNull : known.contains(form)
    }
}
