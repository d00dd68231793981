import CoreData

/// The ends of one-to-one relationships that a save has written.
struct WrittenOneToOnes {
    struct End {
        let pk: Int64
        let column: ToOneColumn
        let old: Int64?
        let new: Int64?
    }

    private struct Place: Hashable {
        let pk: Int64
        let relationship: String
    }

    fileprivate private(set) var ends: [End] = []
    /// The destination of each end, by its object.
    private var destinations: [Place: Int64?] = [:]

    fileprivate mutating func add(_ end: End) {
        ends.append(end)
        destinations[Place(pk: end.pk, relationship: end.column.name)] = .some(end.new)
    }

    /// The destination that the save has given an end; nil if it has not written the end.
    fileprivate func destination(of pk: Int64, _ relationship: String) -> Int64?? {
        destinations[Place(pk: pk, relationship: relationship)]
    }
}

/// Consistency of one-to-one relationships, once all rows of a save are written. A context that has
/// not merged another's save may write only one end, or ends that contradict those in the file. The
/// ends that this save wrote win, and the others are adjusted.
extension SaveWriter {
    /// Notes the new destination of a to-one relationship.
    mutating func note(
        _ toOne: ToOneColumn, of row: ObjectRow, old: Int64?,
        _ destination: (pk: Int64, entity: EntitySchema)?
    ) {
        guard old != nil || destination != nil,
            let inverse = toOne.relationship.inverseRelationship
        else { return }
        if inverse.isToMany {
            guard toOne.orderColumn != nil, let destination else { return }
            let owner = Newcomer.Owner(pk: destination.pk, relationship: inverse.name)
            newcomers[owner, default: []].append(
                Newcomer(pk: row.pk, entity: row.entity, column: toOne))
        } else {
            oneToOnes.add(
                WrittenOneToOnes.End(
                    pk: row.pk, column: toOne, old: old, new: destination?.pk))
        }
    }

    /// Makes both ends of the relationships that the save has written agree.
    mutating func settleOneToOnes() throws {
        for end in oneToOnes.ends {
            guard let inverse = end.column.relationship.inverseRelationship?.name else { continue }
            if let old = end.old, old != end.new,
                oneToOnes.destination(of: old, inverse) == nil,
                try destination(of: old, inverse) == end.pk
            {
                try correct(old, inverse, to: nil, because: end.new == nil ? nil : .other)
            }
            if let new = end.new { try settle(end, new, inverse) }
            try noteGivingWay(end, inverse)
        }
    }

    private mutating func settle(
        _ end: WrittenOneToOnes.End, _ new: Int64, _ inverse: String
    ) throws {
        if oneToOnes.destination(of: new, inverse) == .some(end.pk) { return }
        let known = try destination(of: new, inverse)
        guard known != end.pk else { return }
        guard try destination(of: end.pk, end.column.name) == new else { return }
        try correct(new, inverse, to: end.pk)
        if let known, try destination(of: known, end.column.name) == new {
            try correct(known, end.column.name, to: nil, because: .other)
        }
    }

    /// Notes that an object only loses its partner in a one-to-one relationship, because the save
    /// has given the partner to another object: that is not an edit of it.
    private func noteGivingWay(_ end: WrittenOneToOnes.End, _ inverse: String) throws {
        guard end.new == nil, let old = end.old,
            case .some(.some(let owner)) = oneToOnes.destination(of: old, inverse),
            owner != end.pk, let name = try database.objects.recordNameForReference(to: old)
        else { return }
        try database.outbox.noteGivenUp(end.column.name, of: end.pk, leadingFrom: name)
    }

    /// Nullifies the references to deleted objects that another context has created in the
    /// meantime.
    ///
    /// - Throws: Core Data's error for a missing mandatory property if such a reference is
    ///   required.
    mutating func releaseReferrers() throws {
        var columns: [Int64: [(ToOneColumn, EntitySchema)]] = [:]
        for (pk, entity) in deletedEntities {
            let places = columns[entity] ?? database.schema.columnsLeading(toEntity: entity)
            columns[entity] = places
            for (column, other) in places {
                for referrer in try database.references.keysPointing(
                    column, in: other.table, at: pk)
                {
                    guard column.relationship.isOptional else {
                        throw CocoaError.missingProperty(column.name, of: other.name)
                    }
                    try correct(referrer, column.name, to: nil, because: .deletion)
                }
            }
        }
    }

    /// The destination of a to-one relationship in the file.
    private func destination(of pk: Int64, _ relationship: String) throws -> Int64? {
        guard let row = try row(of: pk), let column = row.entity.toOne(named: relationship) else {
            return nil
        }
        return row.values[column.index].integer
    }

    private func row(of pk: Int64) throws -> ObjectRow? {
        guard let entry = try database.objects.entry(pk), entry.isPresent,
            let entity = database.schema.entity(number: entry.entity)
        else { return nil }
        return try database.rows.row(pk, of: entity)
    }

    private mutating func correct(
        _ pk: Int64, _ relationship: String, to destination: Int64?,
        because reason: ChangeLayers.Cause? = nil
    ) throws {
        guard let old = try row(of: pk), let column = old.entity.toOne(named: relationship) else {
            return
        }
        var row = old
        row.values[column.index] = SQLiteValue(destination)
        row.version = ObjectRow.version(after: row.version)
        _ = try database.rows.update(
            row, columnsAt: [column.index], expectedVersion: old.version)
        corrected.append(pk)
        guard let mapping = mappings.mapping(of: old.entity),
            mapping.propertyNames.contains(relationship)
        else { return }
        let name = try old.values[column.index].integer
            .flatMap(database.objects.recordNameForReference)
        try database.outbox.noteUpdate(
            pk, PropertyValues([relationship: SQLiteValue(name)]), reason ?? cause)
        hasOutgoingChanges = true
    }
}
