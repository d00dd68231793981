import CoreData

/// Properties that devices with a former model store in other fields.
///
/// Such a device knows nothing of the present field. So a property has the value of the field that was edited last,
/// which is then sent to the present field.
extension StoreDatabase {
    /// A record in which each property has the value of its field that was edited last.
    ///
    /// - Parameters:
    ///   - received: The record.
    ///   - pk: The object that the store has of it; nil if it has none.
    func following(_ received: ReceivedRecord, since pk: Int64?) throws -> ReceivedRecord {
        let mapping = received.mapping
        guard !mapping.formerProperties.isEmpty else { return received }
        let later = try pk.flatMap { try laterEdits(of: received, $0) }
        var followed = received
        for former in mapping.formerProperties {
            guard let property = former.latest(in: followed, later),
                let values = property.values(in: received), !values.lacksRequired(mapping)
            else { continue }
            followed = followed.taking(try kept(values, mapping), from: property)
        }
        return followed
    }

    /// The edits of a record since the version that an object is based on; nil if none is known.
    func laterEdits(of received: ReceivedRecord, _ pk: Int64) throws -> LaterEdits? {
        guard let known = try objects.edits(of: pk) else { return nil }
        return LaterEdits(received.edits, since: known, try outbox.entry(of: pk)?.saves ?? [])
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
}

extension FormerProperty {
    /// What of it was edited after the fields that a record's values are from: everything, only the order key, or nothing.
    /// An order key says something only of the members of its own destination.
    fileprivate func latest(in record: ReceivedRecord, _ later: LaterEdits?) -> FormerProperty? {
        guard parts.contains(where: \.isOrderKey) else {
            return isLatest(in: record, later) ? self : nil
        }
        let (reference, order) = (withoutOrder, onlyOrder)
        if reference.isLatest(in: record, later) { return self }
        let isSameDestination = reference.parts.allSatisfy {
            record.formerFields[$0.field] == record.fields[$0.name]
        }
        return isSameDestination && order.isLatest(in: record, later) ? order : nil
    }

    /// Whether it was edited after the fields that a record's values are from.
    ///
    /// - Parameter later: The edits since the version that is known here; nil if none is.
    fileprivate func isLatest(in record: ReceivedRecord, _ later: LaterEdits?) -> Bool {
        let (former, present) = (parts.map(\.stampKey), names.compactMap(record.stampKey))
        let fillsIn =
            names.allSatisfy { record.fields[$0].isNull }
            && parts.contains { !record.formerFields[$0.field].isNull }
        if (former + present).contains(where: { record.edits.foreign[$0] != nil }) {
            let isEdited = later.map { former.contains(where: $0.contains) } ?? false
            let isPresentEdited = later.map { present.contains(where: $0.contains) } ?? false
            return isEdited == isPresentEdited ? fillsIn : isEdited
        }
        func lastEdit(_ keys: [UInt32]) -> UInt64 {
            keys.compactMap { record.edits.stamps?.stamps[$0]?.edit }.max() ?? 0
        }
        let (edit, presentEdit) = (lastEdit(former), lastEdit(present))
        // Whoever makes a record again writes the fields of his own model only.
        let origin = record.edits.stamps?.origin?.version ?? 0
        return edit > presentEdit || fillsIn && (edit == presentEdit || presentEdit <= origin)
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
