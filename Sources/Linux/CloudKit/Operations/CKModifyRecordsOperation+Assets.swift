import CloudKitService

extension CKModifyRecordsOperation {
    /// The uploaded assets of a batch, by the record's index and the field.
    typealias Uploads = [Int: [String: [AssetDictionary]]]

    /// Uploads the files of the records in a batch.
    ///
    /// - Returns: The uploaded assets, and the errors of the records whose files failed or that
    ///   cannot be sent.
    /// - Throws: Any other error.
    func uploadAssets(
        of batch: ZoneBatch, _ snapshots: [CKRecord.State], in database: CKDatabase
    ) async throws -> (Uploads, [Int: CKError]) {
        var uploads: Uploads = [:]
        var errors: [Int: CKError] = [:]
        for (index, snapshot) in snapshots.enumerated() {
            if let error = snapshot.mistake {
                errors[index] = error
                continue
            }
            let fields = snapshot.assetsToUpload(policy: savePolicy)
            guard !fields.isEmpty else { continue }
            do {
                uploads[index] = try await upload(
                    fields, of: batch.records[index], snapshot, in: database)
            } catch let error as CKError where error.concernsAsset {
                errors[index] = error
            } catch let error as CKError where error.concernsZone {
                // The save will fail for the same reason, and report the error for each record.
                continue
            }
        }
        return (uploads, errors)
    }

    private func upload(
        _ fields: [(key: String, assets: [CKAsset])], of record: CKRecord,
        _ snapshot: CKRecord.State, in database: CKDatabase
    ) async throws -> [String: [AssetDictionary]] {
        let places = fields.flatMap { field in
            field.assets.map { asset in (key: field.key, asset: asset) }
        }
        let request = AssetUploadsRequest(
            zoneID: ZoneIDDictionary(snapshot.recordID.zoneID),
            tokens: places.map {
                AssetUploadsRequest.AssetField(
                    recordName: snapshot.recordID.recordName, recordType: snapshot.recordType,
                    fieldName: $0.key)
            })
        let response = try await send(to: database) {
            (service, context) async throws(CloudKitServiceError) in
            try await service.requestAssetUploads(request, in: context)
        }
        guard response.tokens.count == places.count else {
            throw CKError(.internalError, "The server did not give a place for every asset")
        }
        var uploads: [String: [AssetDictionary]] = [:]
        for (index, (place, token)) in zip(places, response.tokens).enumerated() {
            uploads[place.key, default: []].append(
                try await upload(place.asset, to: token, in: database))
            let progress = Double(index + 1) / Double(places.count + 1)
            await deliver { self.perRecordProgressBlock?(record, progress) }
        }
        return uploads
    }

    private func upload(
        _ asset: CKAsset, to token: AssetUploadToken, in database: CKDatabase
    ) async throws -> AssetDictionary {
        guard asset.needsUpload, let fileURL = asset.fileURL else {
            return asset.uploaded ?? AssetDictionary()
        }
        return try await send(to: database) {
            (service, context) async throws(CloudKitServiceError) in
            try await service.uploadAsset(from: fileURL, to: token, in: context)
        }
    }
}

extension CKError {
    /// Whether the error of an upload concerns the file, and therefore belongs to its record.
    fileprivate var concernsAsset: Bool {
        switch code {
        case .assetFileNotFound, .assetFileModified, .assetNotAvailable: true
        default: false
        }
    }
}
