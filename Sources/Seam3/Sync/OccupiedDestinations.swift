import CoreData

/// The destinations of one-to-one relationships that objects here no longer have, or that were deleted
/// here, but that still belong to them on the server.
///
/// If a destination has two owners, other devices keep the one with the smaller record name. Therefore a
/// new owner's reference is sent only after the server has acknowledged that the former owner gave it up.
///
/// The waiting changes are read once for all batches of a round, and again after a context's save. The
/// server's acknowledgments only take owners away, except of objects saved while they were being sent.
final class OccupiedDestinations {
    private struct Destination: Hashable {
        let owner: String
        let relationship: String
        let recordName: String
    }

    private let database: StoreDatabase
    private let mappings: RecordMappings
    /// The references of one-to-one relationships, by the number of the entity. Most passes need none.
    private lazy var columns = Self.columns(in: database, mappings)
    /// The objects that had a destination when it was last looked for. Some may have given it up since.
    private var owners: [Destination: Set<Int64>] = [:]
    /// The version of the file for which the owners were read; nil if they have to be read.
    private var version: Int64?

    init(in database: StoreDatabase, _ mappings: RecordMappings) {
        self.database = database
        self.mappings = mappings
    }

    private static func columns(
        in database: StoreDatabase, _ mappings: RecordMappings
    ) -> [Int64: [ToOneColumn]] {
        var columns: [Int64: [ToOneColumn]] = [:]
        for entity in database.schema.entities {
            let references = mappings.mapping(of: entity)?.references.filter(\.decidesInverse) ?? []
            if !references.isEmpty { columns[entity.number] = references.map(\.column) }
        }
        return columns
    }

    /// Forgets what was read, because this connection has changed the outbox.
    func invalidate() {
        version = nil
    }

    /// Reads the waiting changes, unless they are known.
    private func refresh() throws {
        let current = try database.connection.dataVersion()
        guard version != current else { return }
        owners = [:]
        let entities = columns.keys.sorted()
        for (pk, entity, base) in try database.outbox.replacedValues(ofEntities: entities) {
            for column in columns[entity] ?? [] {
                guard let name = base[column.name].text else { continue }
                owners[Self.destination(column, name), default: []].insert(pk)
            }
        }
        version = current
    }

    private static func destination(_ column: ToOneColumn, _ recordName: String) -> Destination {
        Destination(owner: column.owner, relationship: column.name, recordName: recordName)
    }

    /// Whether a destination still belongs to another object on the server. To be asked in the
    /// transaction that reads the change of the new owner.
    func contains(_ recordName: String, of column: ToOneColumn, except pk: Int64) throws -> Bool {
        try refresh()
        let destination = Self.destination(column, recordName)
        for owner in owners[destination] ?? [] where owner != pk {
            if let change = try database.outbox.entry(of: owner), change.kind != .insert,
                change.base[column.name] == .text(recordName)
            {
                return true
            }
            owners[destination]?.remove(owner)
        }
        return false
    }
}
