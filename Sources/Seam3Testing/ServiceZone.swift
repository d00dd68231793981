import CloudKit
import CloudKitService
import Seam3

/// A zone in the user's private database, accessed directly through a service. It makes the same
/// requests as CloudKit's operations, so a fault plan affects both in the same way.
struct ServiceZone: SMCloudZone {
    let zoneID: CKRecordZone.ID
    let connection: ServiceConnection

    /// The maximum number of records in one request.
    static let maximumItemCount = 400

    private var zone: ZoneIDDictionary { ZoneIDDictionary(zoneID) }

    // MARK: - Setting up

    func createZone() async throws {
        let request = ModifyZonesRequest(operations: [ZoneOperation(.create, zone)])
        let response = try await connection.send { try await $0.modifyZones(request, in: $1) }
        if let error = response.zones.first?.error { throw CKError(itemError: error) }
    }

    func deleteZone() async throws {
        let request = ModifyZonesRequest(operations: [ZoneOperation(.delete, zone)])
        let response = try await connection.send { try await $0.modifyZones(request, in: $1) }
        guard let error = response.zones.first?.error.map({ CKError(itemError: $0) }) else {
            return
        }
        guard error.code == .zoneNotFound || error.code == .userDeletedZone else { throw error }
    }

    func zoneExists() async throws -> Bool {
        let request = LookUpZonesRequest(zones: [zone])
        let response = try await connection.send { try await $0.lookUpZones(request, in: $1) }
        switch response.zones.first {
        case .success: return true
        case .failure(let error):
            let error = CKError(itemError: error)
            if error.code == .zoneNotFound || error.code == .userDeletedZone { return false }
            throw error
        case nil: return false
        }
    }

    func subscribe(id: CKSubscription.ID) async throws {
        var info = NotificationInfoDictionary()
        info.shouldSendContentAvailable = true
        let request = ModifySubscriptionsRequest(operations: [
            SubscriptionOperation(
                .create,
                SubscriptionDictionary(
                    subscriptionID: id, subscriptionType: .zone, zoneID: zone,
                    notificationInfo: info))
        ])
        let response = try await connection.send {
            try await $0.modifySubscriptions(request, in: $1)
        }
        if let error = response.subscriptions.first?.error { throw CKError(itemError: error) }
    }

    // MARK: - Changes

    func databaseChanges(since token: Data?) async throws -> SMCloudDatabaseChanges {
        let token = try Self.text(token)
        let request = DatabaseChangesRequest(syncToken: token)
        let response = try await connection.send {
            try await $0.fetchDatabaseChanges(request, in: $1)
        }
        if response.moreComing, response.syncToken == token { throw CKError(.internalError) }
        var page = SMCloudDatabaseChanges()
        page.token = Data(response.syncToken.utf8)
        page.moreComing = response.moreComing
        for zone in response.zones {
            let id = CKRecordZone.ID(dictionary: zone.zoneID)
            if zone.deleted == true {
                page.losses[id] = Self.loss(zone.deletionReason)
            } else {
                page.changed.insert(id)
            }
        }
        return page
    }

    private static func loss(_ reason: ZoneDictionary.DeletionReason?) -> SMZoneLoss {
        switch reason {
        case .purged: return .purged
        case .encryptedDataReset: return .encryptedDataReset
        case .deleted, nil: return .deleted
        }
    }

    func changes(since token: Data?, limit: Int) async throws -> SMCloudZoneChanges {
        let token = try Self.text(token)
        let request = ZoneChangesRequest(zones: [
            .init(zoneID: zone, syncToken: token, resultsLimit: limit > 0 ? limit : nil)
        ])
        let response = try await connection.send {
            try await $0.fetchZoneChanges(request, in: $1)
        }
        // An interrupted page has no token.
        if let interruption = response.interruption { throw CKError(serviceError: interruption) }
        let received: ZoneChangesResponse.Zone
        switch response.zones.first {
        case .success(let zone): received = zone
        case .failure(let error):
            // If a server only reports a bad request, the token has expired.
            let isExpiry =
                token != nil && error.serverErrorCode == .badRequest
                && error.internalErrorCode == nil
            throw isExpiry ? CKError(.changeTokenExpired) : CKError(itemError: error)
        case nil: throw CKError(.internalError)
        }
        if received.moreComing, received.syncToken == token { throw CKError(.internalError) }
        var page = SMCloudZoneChanges()
        page.token = Data(received.syncToken.utf8)
        page.moreComing = received.moreComing
        page.clientToken = received.clientChangeToken
        for dictionary in received.records {
            guard let id = RecordWire.recordID(dictionary.recordName, zoneID: zoneID) else {
                continue
            }
            if dictionary.deleted == true {
                page.deletions.append(id)
                continue
            }
            switch try await record(dictionary) {
            case .success(let record): page.records.append(record)
            case .failure(let error): page.failures[id] = error
            }
        }
        return page
    }

    /// The token of a page in the service's format.
    ///
    /// - Throws: `changeTokenExpired` for a token that cannot have come from a service.
    private static func text(_ token: Data?) throws -> String? {
        guard let token else { return nil }
        guard let text = String(data: token, encoding: .utf8), !text.isEmpty else {
            throw CKError(.changeTokenExpired)
        }
        return text
    }

    // MARK: - Fetching

    func records(
        _ ids: [CKRecord.ID]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
        var answers = try await answers(for: ids, fields: nil)
        // The error for an asset that the server does not find is the same as for a record.
        let missing = answers.filter { _, answer in
            if case .failure(let error as CKError) = answer { return error.code == .unknownItem }
            return false
        }.map(\.key)
        guard !missing.isEmpty else { return answers }
        for (id, answer) in try await self.answers(for: missing, fields: []) {
            if case .success = answer { answers[id] = .failure(CKError(.assetNotAvailable)) }
        }
        return answers
    }

    func records(
        _ ids: [CKRecord.ID], fields: [CKRecord.FieldKey]
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
        try await answers(for: ids, fields: fields)
    }

    private func answers(
        for ids: [CKRecord.ID], fields: [String]?
    ) async throws -> [CKRecord.ID: Result<SMCloudRecord, any Error>] {
        guard ids.count <= Self.maximumItemCount else { throw CKError(.limitExceeded) }
        let request = LookUpRecordsRequest(
            zoneID: zone, records: ids.map { .init($0.recordName) }, desiredKeys: fields)
        var answers: [CKRecord.ID: Result<SMCloudRecord, any Error>] = [:]
        let response: LookUpRecordsResponse
        do {
            response = try await connection.send { try await $0.lookUpRecords(request, in: $1) }
        } catch let error as CKError where error.concernsZone {
            for id in ids { answers[id] = .failure(error) }
            return answers
        }
        for (id, item) in zip(ids, response.records) {
            switch item {
            case .success(let dictionary): answers[id] = try await record(dictionary)
            case .failure(let error): answers[id] = .failure(CKError(itemError: error))
            }
        }
        if let interruption = response.interruption { throw CKError(serviceError: interruption) }
        return answers
    }

    /// A record with the files of its assets.
    ///
    /// - Returns: The record, or the error of a download, which belongs to the record and not to
    ///   the request.
    private func record(
        _ dictionary: RecordDictionary
    ) async throws -> Result<SMCloudRecord, any Error> {
        var files: [String: [URL]] = [:]
        do {
            for (key, assets) in dictionary.assets {
                for asset in assets {
                    let file = try connection.assets.newFile()
                    try await connection.send {
                        try await $0.downloadAsset(asset, to: file, in: $1)
                    }
                    files[key, default: []].append(file)
                }
            }
        } catch let error as CKError where error.code == .operationCancelled {
            throw error
        } catch {
            return .failure(error)
        }
        let record = RecordWire.record(dictionary, zoneID: zoneID, files: files)
        return record.map { .success($0) } ?? .failure(CKError(.internalError))
    }
}
