import CoreData

/// The destinations of one-to-one relationships that objects have let go of here, or were deleted with, and
/// that they still have on the server.
///
/// Other devices leave a destination that has two owners to the one with the smaller record name. So a new
/// owner is tied to it only after the server has acknowledged that the former one has it no more.
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

    /// Whether the server has a destination with another object than one that is to have it.
    func contains(_ recordName: String, of column: ToOneColumn, except pk: Int64) -> Bool {
        owners[Self.destination(column, recordName)]?.contains { $0 != pk } == true
    }
}
