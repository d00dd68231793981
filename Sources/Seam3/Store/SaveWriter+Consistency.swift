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
    /// Where each end leads, by its object.
    private var destinations: [Place: Int64?] = [:]

    fileprivate mutating func add(_ end: End) {
        ends.append(end)
        destinations[Place(pk: end.pk, relationship: end.column.name)] = .some(end.new)
    }

    /// Where the save has led an end; nil if it has not written it.
    fileprivate func destination(of pk: Int64, _ relationship: String) -> Int64?? {
        destinations[Place(pk: pk, relationship: relationship)]
    }
}

/// What follows from the rows of a save, once all are there. A context that has not heard of
/// another's save may write one end only, or ends that do not fit those that the file has: what this
/// save says counts, and the others follow.
extension SaveWriter {
    /// Notes where a to-one relationship leads from now on.
    mutating func note(
        _ toOne: ToOneColumn, of row: ObjectRow, old: Int64?,
        _ destination: (pk: Int64, entity: EntitySchema)?
    ) {
        guard old != nil || destination != nil,
            let inverse = toOne.relationship.inverseRelationship
        else { return }
        if inverse.isToMany {
            guard toOne.orderColumn != nil, let destination else { return }
            newcomers.append(
                Newcomer(
                    pk: row.pk, entity: row.entity, column: toOne,
                    owner: Newcomer.Owner(pk: destination.pk, relationship: inverse.name)))
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
                try correct(old, inverse, to: nil, isAutomatic: end.new != nil)
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
            try correct(known, end.column.name, to: nil, isAutomatic: true)
        }
    }

    /// Notes that an object only gives way in a one-to-one relationship to another one, to which the save
    /// has led its destination: that is no edit of it.
    private func noteGivingWay(_ end: WrittenOneToOnes.End, _ inverse: String) throws {
        guard end.new == nil, let old = end.old,
            case .some(.some(let owner)) = oneToOnes.destination(of: old, inverse),
            owner != end.pk, let name = try database.objects.recordNameForReference(to: old)
        else { return }
        try database.outbox.noteAutomatic(end.column.name, of: end.pk, leadingFrom: name)
    }

    /// Takes deleted objects from those that another context has made refer to them meanwhile.
    ///
    /// - Throws: Core Data's error of a missing mandatory property if one of them has to refer to it.
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
                        throw CocoaError(
                            .validationMissingMandatoryProperty,
                            userInfo: [NSValidationKeyErrorKey: column.name])
                    }
                    try correct(referrer, column.name, to: nil, isAutomatic: true)
                }
            }
        }
    }

    /// Where the file leads a to-one relationship.
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
        _ pk: Int64, _ relationship: String, to destination: Int64?, isAutomatic: Bool = false
    ) throws {
        guard let old = try row(of: pk), let column = old.entity.toOne(named: relationship) else {
            return
        }
        var row = old
        row.values[column.index] = SQLiteValue(destination)
        row.version += 1
        _ = try database.rows.update(
            row, columnsAt: [column.index], expectedVersion: old.version)
        corrected.append(pk)
        guard let mapping = mappings.mapping(of: old.entity),
            mapping.propertyNames.contains(relationship)
        else { return }
        let name = try old.values[column.index].integer
            .flatMap(database.objects.recordNameForReference)
        try database.outbox.noteUpdate(
            pk, base: PropertyValues([relationship: SQLiteValue(name)]),
            automatic: isAutomatic ? [relationship] : [])
        hasOutgoingChanges = true
    }
}
