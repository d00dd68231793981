import CloudKit
import CoreData
import LocalCloud
import Seam3

/// A container that passes every request on to another, and does what a test asks for besides.
///
/// It never reports a change of the account.
final class SteeredContainer: NSObject, SMCloudContainer, @unchecked Sendable {
    // Unchecked because the lock guards the mutable state.

    private let base: any SMCloudContainer
    private let lock = NSLock()
    private var noted: [QualityOfService] = []
    private var accountSteering: (@Sendable () async -> Void)?
    private var deletionSteering: (@Sendable () async -> Void)?
    private var pageSteering: (@Sendable (inout SMCloudZoneChanges) throws -> Void)?

    init(_ base: any SMCloudContainer) { self.base = base }

    /// The quality of service of each request to the zone.
    var qualities: [QualityOfService] { lock.withLock { noted } }

    /// Called before each request for the account's status.
    var beforeAccountStatus: (@Sendable () async -> Void)? {
        get { lock.withLock { accountSteering } }
        set { lock.withLock { accountSteering = newValue } }
    }

    /// Called after each deletion of the zone.
    var afterDeletion: (@Sendable () async -> Void)? {
        get { lock.withLock { deletionSteering } }
        set { lock.withLock { deletionSteering = newValue } }
    }

    /// Changes the pages of the zone's changes.
    var page: (@Sendable (inout SMCloudZoneChanges) throws -> Void)? {
        get { lock.withLock { pageSteering } }
        set { lock.withLock { pageSteering = newValue } }
    }

    func accountStatus() async throws -> CKAccountStatus {
        await beforeAccountStatus?()
        return try await base.accountStatus()
    }

    func userRecordID() async throws -> CKRecord.ID { try await base.userRecordID() }

    func zone(
        _ zoneID: CKRecordZone.ID, qualityOfService: @escaping @Sendable () -> QualityOfService
    ) -> any SMCloudZone {
        Zone(
            base: base.zone(zoneID, qualityOfService: qualityOfService), container: self,
            qualityOfService: qualityOfService)
    }

    private struct Zone: SMCloudZone {
        let base: any SMCloudZone
        let container: SteeredContainer
        let qualityOfService: @Sendable () -> QualityOfService

        var zoneID: CKRecordZone.ID { base.zoneID }

        private func note() {
            let quality = qualityOfService()
            container.lock.withLock { container.noted.append(quality) }
        }

        func createZone() async throws {
            note()
            try await base.createZone()
        }

        func zoneExists() async throws -> Bool {
            note()
            return try await base.zoneExists()
        }

        func deleteZone() async throws {
            note()
            try await base.deleteZone()
            await container.afterDeletion?()
        }

        func subscribe(id: CKSubscription.ID) async throws {
            note()
            try await base.subscribe(id: id)
        }

        func databaseChanges(since token: Data?) async throws -> SMCloudDatabaseChanges {
            note()
            return try await base.databaseChanges(since: token)
        }

        func changes(since token: Data?, limit: Int) async throws -> SMCloudZoneChanges {
            note()
            var page = try await base.changes(since: token, limit: limit)
            try container.page?(&page)
            return page
        }

        func modify(
            saving records: [SMCloudRecord], deleting ids: [CKRecord.ID], clientToken: Data?
        ) async throws -> SMCloudModifications {
            note()
            return try await base.modify(
                saving: records, deleting: ids, clientToken: clientToken)
        }

        func records(
            _ ids: [CKRecord.ID]
        ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
            note()
            return try await base.records(ids)
        }

        func records(
            _ ids: [CKRecord.ID], fields: [CKRecord.FieldKey]
        ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
            note()
            return try await base.records(ids, fields: fields)
        }
    }
}

extension Device {
    /// A device whose requests a test steers.
    static func steered(
        on cloud: LocalCloud, model: NSManagedObjectModel = ClockModel.make()
    ) throws -> (device: Device, container: SteeredContainer) {
        HarshCloud.spare(cloud)
        let container = SteeredContainer(
            CloudPath.current.container(
                on: cloud, device: DeviceNames.shared.next("steered", on: cloud)))
        let device = try Device(
            on: cloud, model: model, options: [SMStore.SMStoreContainerOption: container])
        return (device, container)
    }
}
