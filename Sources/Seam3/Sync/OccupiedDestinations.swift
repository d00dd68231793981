import CoreData

/// The destinations of one-to-one relationships that objects here no longer have, or that were deleted
/// here, but that still belong to them on the server.
///
/// If a destination has two owners, other devices keep the one with the smaller record name. Therefore a
/// new owner's reference is sent only after the server has acknowledged that the former owner gave it up.
struct OccupiedDestinations {
    private struct Destination: Hashable {
        let owner: String
        let relationship: String
        let recordName: String
    }

    private var owners: [Destination: Set<Int64>] = [:]

    init(in database: StoreDatabase, _ mappings: RecordMappings) throws {
        var columns: [Int64: [ToOneColumn]] = [:]
        for entity in database.schema.entities {
            let references = mappings.mapping(of: entity)?.references.filter(\.decidesInverse) ?? []
            if !references.isEmpty { columns[entity.number] = references.map(\.column) }
        }
        guard !columns.isEmpty else { return }
        let changes = try database.outbox.replacedValues(ofEntities: columns.keys.sorted())
        for (pk, entity, base) in changes {
            for column in columns[entity] ?? [] {
                guard let name = base[column.name].text else { continue }
                owners[Self.destination(column, name), default: []].insert(pk)
            }
        }
    }

    private static func destination(_ column: ToOneColumn, _ recordName: String) -> Destination {
        Destination(owner: column.owner, relationship: column.name, recordName: recordName)
    }

    /// Whether a destination still belongs to another object on the server.
    func contains(_ recordName: String, of column: ToOneColumn, except pk: Int64) -> Bool {
        owners[Self.destination(column, recordName)]?.contains { $0 != pk } == true
    }
}
