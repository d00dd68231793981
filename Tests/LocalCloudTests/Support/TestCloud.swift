import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

typealias Fields = [String: RecordFieldDictionary]

/// Two devices of one user on their own cloud, with the zone `Z`.
struct TestCloud {
    let cloud: LocalCloud
    let a = RequestContext(container: "iCloud.test", device: "A")
    let b = RequestContext(container: "iCloud.test", device: "B")
    let zone = ZoneIDDictionary(zoneName: "Z")

    init(options: LocalCloudOptions = LocalCloudOptions()) async throws {
        try await self.init(cloud: .inMemory(options: options))
    }

    init(cloud: LocalCloud) async throws {
        self.cloud = cloud
        try await makeZone("Z")
    }

    /// The same cloud, opened again.
    init(reopening cloud: LocalCloud) { self.cloud = cloud }

    func makeZone(_ name: String) async throws {
        let response = try await cloud.modifyZones(
            ModifyZonesRequest(operations: [
                ZoneOperation(.create, ZoneIDDictionary(zoneName: name))
            ]), in: a)
        try #require(response.zones.first?.item != nil)
    }

    func deleteZone(_ name: String) async throws -> ItemResult<ZoneDictionary> {
        try #require(
            try await cloud.modifyZones(
                ModifyZonesRequest(operations: [
                    ZoneOperation(.delete, ZoneIDDictionary(zoneName: name))
                ]), in: a
            ).zones.first)
    }

    /// Executes operations in one request.
    func modify(
        _ operations: [RecordOperation], atomic: Bool = true, zone: String = "Z",
        in context: RequestContext? = nil
    ) async throws -> [ItemResult<RecordDictionary>] {
        try await cloud.modifyRecords(
            ModifyRecordsRequest(
                zoneID: ZoneIDDictionary(zoneName: zone), atomic: atomic, operations: operations),
            in: context ?? a
        ).records
    }

    /// Executes one operation and expects it to succeed.
    @discardableResult
    func modify(
        _ operation: RecordOperation, zone: String = "Z", in context: RequestContext? = nil
    ) async throws -> RecordDictionary {
        let result = try await modify([operation], zone: zone, in: context)
        return try #require(result.first?.item, "\(result)")
    }

    /// Executes one operation and expects it to fail.
    func failure(
        of operation: RecordOperation, zone: String = "Z", in context: RequestContext? = nil
    ) async throws -> ErrorDictionary {
        let result = try await modify([operation], zone: zone, in: context)
        return try #require(result.first?.error, "\(result)")
    }

    func lookUp(
        _ name: String, zone: String = "Z", in context: RequestContext? = nil
    ) async throws -> RecordDictionary? {
        try await cloud.lookUpRecords(
            LookUpRecordsRequest(
                zoneID: ZoneIDDictionary(zoneName: zone), records: [.init(name)]),
            in: context ?? a
        ).records.first?.item
    }

    /// One page of a zone's changes.
    func changes(
        since token: String? = nil, zone: String = "Z", limit: Int? = nil,
        in context: RequestContext? = nil
    ) async throws -> ZoneChangesResponse.Zone {
        let result = try await changesResult(
            since: token, zone: zone, limit: limit, in: context)
        return try #require(result.item, "\(result)")
    }

    func changesResult(
        since token: String? = nil, zone: String = "Z", limit: Int? = nil,
        in context: RequestContext? = nil
    ) async throws -> ItemResult<ZoneChangesResponse.Zone> {
        try #require(
            try await cloud.fetchZoneChanges(
                ZoneChangesRequest(zones: [
                    .init(
                        zoneID: ZoneIDDictionary(zoneName: zone), syncToken: token,
                        resultsLimit: limit)
                ]), in: context ?? a
            ).zones.first)
    }

    func databaseChanges(
        since token: String? = nil, limit: Int? = nil
    ) async throws -> DatabaseChangesResponse {
        try await cloud.fetchDatabaseChanges(
            DatabaseChangesRequest(syncToken: token, resultsLimit: limit), in: a)
    }

    func subscribe(
        _ subscription: SubscriptionDictionary, in context: RequestContext? = nil
    ) async throws -> ItemResult<SubscriptionDictionary> {
        try #require(
            try await cloud.modifySubscriptions(
                ModifySubscriptionsRequest(operations: [
                    SubscriptionOperation(.create, subscription)
                ]), in: context ?? a
            ).subscriptions.first)
    }
}

/// A record of the type `T`.
func record(
    _ name: String, _ fields: [String: FieldValue?] = [:], type: String = "T", tag: String? = nil,
    parent: String? = nil
) -> RecordDictionary {
    RecordDictionary(
        recordName: name, recordType: type, recordChangeTag: tag,
        fields: fields.mapValues { RecordFieldDictionary($0) },
        parent: parent.map(RecordDictionary.ParentReference.init))
}

func create(_ name: String, _ fields: [String: FieldValue?] = [:]) -> RecordOperation {
    RecordOperation(.create, record(name, fields))
}

func remove(_ name: String) -> RecordOperation {
    RecordOperation(.forceDelete, RecordDictionary(recordName: name))
}

func reference(
    _ name: String, _ action: ReferenceDictionary.Action = .none
) -> FieldValue {
    .reference(ReferenceDictionary(recordName: name, action: action))
}

/// A directory that is removed with the instance.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("LocalCloudTests-" + UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

/// The code with which a request fails as a whole.
func code(_ body: () async throws(CloudKitServiceError) -> Void) async -> ServerErrorCode? {
    do {
        try await body()
        return nil
    } catch {
        return error.code
    }
}

/// A query filter.
func filter(
    _ field: String, _ comparator: FilterDictionary.Comparator, _ value: FieldValue,
    distance: Double? = nil
) -> FilterDictionary {
    FilterDictionary(
        comparator: comparator, fieldName: field, fieldValue: RecordFieldDictionary(value),
        distance: distance)
}
