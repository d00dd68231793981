import CloudKit
import CloudKitService
import Seam3

/// Saving and deleting.
extension ServiceZone {
    /// The uploads for the records of a request.
    private struct Uploads {
        /// The uploaded assets by record and field.
        var assets: [CKRecord.ID: [String: [AssetDictionary]]] = [:]
        /// The records whose uploads failed, and why.
        var failures: [CKRecord.ID: any Error] = [:]
    }

    func modify(
        saving records: [SMCloudRecord], deleting ids: [CKRecord.ID], clientToken: Data?
    ) async throws -> SMCloudModifications {
        var answer = SMCloudModifications()
        do {
            guard records.count + ids.count <= Self.maximumItemCount else {
                throw CKError(.limitExceeded)
            }
            let uploads = try await upload(records)
            for (id, error) in uploads.failures { answer.saved[id] = .failure(error) }
            let sent = records.filter { uploads.failures[$0.record.recordID] == nil }
            guard uploads.failures.isEmpty else {
                let innocent = CKError(.batchRequestFailed)
                for record in sent { answer.saved[record.record.recordID] = .failure(innocent) }
                for id in ids { answer.deleted[id] = .failure(innocent) }
                return answer
            }
            try await modify(sent, ids, uploads, clientToken, &answer)
        } catch {
            answer.failure = error
        }
        return answer
    }

    /// Makes the request, and sorts its results by item.
    private func modify(
        _ records: [SMCloudRecord], _ ids: [CKRecord.ID], _ uploads: Uploads,
        _ clientToken: Data?, _ answer: inout SMCloudModifications
    ) async throws {
        let saves = records.map { record in
            RecordWire.saveOperation(
                record, uploads: uploads.assets[record.record.recordID] ?? [:])
        }
        let deletions = ids.map {
            RecordOperation(.forceDelete, RecordDictionary(recordName: $0.recordName))
        }
        let request = ModifyRecordsRequest(
            zoneID: ZoneIDDictionary(zoneID), atomic: true, operations: saves + deletions,
            desiredKeys: [], clientChangeToken: clientToken)
        let response: ModifyRecordsResponse
        do {
            response = try await connection.send { try await $0.modifyRecords(request, in: $1) }
        } catch let error as CKError where error.concernsZone || error.code == .batchRequestFailed {
            for record in records { answer.saved[record.record.recordID] = .failure(error) }
            for id in ids { answer.deleted[id] = .failure(error) }
            return
        }
        for (record, item) in zip(records, response.records) {
            let id = record.record.recordID
            switch item {
            case .success(let saved):
                answer.saved[id] = .success(RecordWire.cloudRecord(record.record, saved))
            case .failure(let error):
                answer.saved[id] = .failure(CKError(itemError: error))
                answer.serverRecords[id] = try await serverRecord(of: error, id)
            }
        }
        for (id, item) in zip(ids, response.records.dropFirst(records.count)) {
            answer.deleted[id] =
                item.error.map { .failure(CKError(itemError: $0)) } ?? .success(())
        }
        if let interruption = response.interruption { throw CKError(serviceError: interruption) }
    }

    /// The server's version of a record in conflict. It is fetched if the server has not returned
    /// it.
    private func serverRecord(
        of error: ErrorDictionary, _ id: CKRecord.ID
    ) async throws -> SMCloudRecord? {
        guard error.serverErrorCode == .conflict || error.serverErrorCode == .exists,
            error.omitsServerRecord != true
        else { return nil }
        if let record = error.serverRecord { return RecordWire.record(record, zoneID: zoneID) }
        let request = LookUpRecordsRequest(
            zoneID: ZoneIDDictionary(zoneID), records: [.init(id.recordName)])
        let response = try await connection.send { try await $0.lookUpRecords(request, in: $1) }
        return response.records.first?.item.flatMap { RecordWire.record($0, zoneID: zoneID) }
    }

    // MARK: - Assets

    /// Uploads the files of the records to save.
    ///
    /// - Throws: Errors that do not concern a single file.
    private func upload(_ records: [SMCloudRecord]) async throws -> Uploads {
        var uploads = Uploads()
        for record in records.map(\.record) {
            let fields = RecordWire.assets(of: record)
            guard !fields.isEmpty else { continue }
            do {
                uploads.assets[record.recordID] = try await upload(fields, of: record)
            } catch let error as CKError where error.concernsAsset {
                uploads.failures[record.recordID] = error
            } catch let error as CKError where error.concernsZone {
                // The save will fail for the same reason, and return the error for each record.
                continue
            }
        }
        return uploads
    }

    private func upload(
        _ fields: [(key: String, assets: [CKAsset])], of record: CKRecord
    ) async throws -> [String: [AssetDictionary]] {
        let places = fields.flatMap { key, assets in
            assets.compactMap { asset in asset.fileURL.map { (key: key, file: $0) } }
        }
        let request = AssetUploadsRequest(
            zoneID: ZoneIDDictionary(zoneID),
            tokens: places.map {
                AssetUploadsRequest.AssetField(
                    recordName: record.recordID.recordName, recordType: record.recordType,
                    fieldName: $0.key)
            })
        let response = try await connection.send {
            try await $0.requestAssetUploads(request, in: $1)
        }
        guard response.tokens.count == places.count else { throw CKError(.internalError) }
        var uploads: [String: [AssetDictionary]] = [:]
        for (place, token) in zip(places, response.tokens) {
            let asset = try await connection.send {
                try await $0.uploadAsset(from: place.file, to: token, in: $1)
            }
            uploads[place.key, default: []].append(asset)
        }
        return uploads
    }
}
