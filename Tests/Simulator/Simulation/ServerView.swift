import CloudKit
import CloudKitService
import LocalCloud

/// What the server has of one user, read record by record without the engine.
final class ServerView {
    /// All records by the names that the oracle has for them.
    private(set) var values: [String: Values] = [:]
    /// Whether the user's zone is there.
    private(set) var hasZone = false

    private let container: CKContainer
    private var token: CKServerChangeToken?
    /// The oracle's names by record names.
    private var names: [String: String] = [:]
    private static let zoneID = CKRecordZone.ID(zoneName: "SMStoreCloudStore_CustomZone")

    /// - Parameter user: Who is signed in on the device from which the view is; nil for the user who is
    ///   signed in everywhere at first.
    init(of user: String?, on cloud: LocalCloud) throws {
        let device = "view of \(user ?? "the first user")"
        container = CKContainer(
            identifier: SimulatedDevice.containerIdentifier, service: cloud, device: device)
        if let user { try cloud.signIn(user, device: device) }
    }

    /// The container and the user, for what the cloud does by itself.
    var context: RequestContext { container.requestContext() }

    var zoneName: String { Self.zoneID.zoneName }

    /// Deletes the zone, as another application of the user's does.
    func deleteZone() async throws {
        _ = try await container.privateCloudDatabase.deleteRecordZone(withID: Self.zoneID)
    }

    /// Reads what has changed.
    func update() async throws {
        while true {
            do {
                let changes = try await container.privateCloudDatabase.recordZoneChanges(
                    inZoneWith: Self.zoneID, since: token)
                hasZone = true
                for (id, result) in changes.modificationResultsByID {
                    try note(try result.get().record, id.recordName)
                }
                for deletion in changes.deletions {
                    if let name = names[deletion.recordID.recordName] { values[name] = nil }
                }
                token = changes.changeToken
                if !changes.moreComing { return }
            } catch let error as CKError {
                (token, values) = (nil, [:])
                switch error.code {
                case .zoneNotFound, .userDeletedZone:
                    hasZone = false
                    return
                case .changeTokenExpired: continue
                default: throw error
                }
            }
        }
    }

    private func note(_ record: CKRecord, _ recordName: String) throws {
        let values = try Values(record)
        let name =
            values.isLink
            ? Values.linkName(values[Values.source] ?? "", values[Values.target] ?? "") : recordName
        names[recordName] = name
        self.values[name] = values
    }
}

extension Values {
    private static let linkType = "SM_Link_Item_tags"

    fileprivate init(_ record: CKRecord) throws {
        if record.recordType == Self.linkType {
            let source: CKRecord.Reference? = record[Self.source]
            let target: CKRecord.Reference? = record[Self.target]
            self.init(
                linking: source?.recordID.recordName ?? "none",
                with: target?.recordID.recordName ?? "none")
            return
        }
        guard let kind = Kind(rawValue: record.recordType) else {
            throw SimulationError.violation("the server has a record of type \(record.recordType)")
        }
        self.init(kind)
        for field in Field.of(kind) { self[field.rawValue] = try field.text(of: record) }
        for field in [Self.parent, Self.list] {
            let reference: CKRecord.Reference? = record[field]
            self[field] = reference?.recordID.recordName
        }
        self[Self.place] = record[Self.place]
        let known = Set(Field.allCases.map(\.rawValue) + [Self.parent, Self.list, Self.place])
        if let stranger = record.allKeys().first(where: { !known.contains($0) }) {
            throw SimulationError.violation("the server has a field \(stranger)")
        }
    }
}

extension Field {
    /// The text that stands for the field of a record; nil for no value.
    fileprivate func text(of record: CKRecord) throws -> String? {
        switch self {
        case .title, .note: return record[rawValue]
        case .count, .flag:
            let number: Int64? = record[rawValue]
            return number.map { "\($0)" }
        case .score:
            let number: Double? = record[rawValue]
            return number.map { "\($0)" }
        case .date:
            let date: Date? = record[rawValue]
            return text(of: date)
        case .small:
            let data: Data? = record[rawValue]
            return text(of: data)
        case .large:
            let asset: CKAsset? = record[rawValue]
            return try text(of: asset?.fileURL.map { try Data(contentsOf: $0) })
        }
    }
}
