import CloudKitService

extension CKDatabaseOperation {
    /// A requested record and its result.
    typealias FetchedRecord = (CKRecord.ID, Result<CKRecord, any Error>)

    /// Converts a record from the service, and downloads the files of its assets.
    ///
    /// - Returns: The record, or the error of a download, which belongs to the record and not to
    ///   the operation.
    func record(
        _ record: RecordDictionary, zoneID: CKRecordZone.ID, in database: CKDatabase
    ) async throws -> Result<CKRecord, any Error> {
        var files: [String: [URL]] = [:]
        do {
            for (key, field) in record.fields {
                for asset in field.value?.assets ?? [] {
                    files[key, default: []].append(try await download(asset, in: database))
                }
            }
        } catch let error as CKError where error.code == .operationCancelled {
            throw error
        } catch {
            return .failure(error)
        }
        return .success(database.record(record, zoneID: zoneID, files: files))
    }

    private func download(
        _ asset: AssetDictionary, in database: CKDatabase
    ) async throws -> URL {
        let file = try database.connection.assetCache.newFileURL()
        try await send(to: database) { (service, context) async throws(CloudKitServiceError) in
            try await service.downloadAsset(asset, to: file, in: context)
        }
        return file
    }
}

extension RecordDictionary {
    /// Whether the record has files to download.
    var hasAssets: Bool { fields.values.contains { !($0.value?.assets ?? []).isEmpty } }
}
