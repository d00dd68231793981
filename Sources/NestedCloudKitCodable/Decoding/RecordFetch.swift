import CloudKit

/// Fetches the records that a record refers to, level by level.
struct RecordFetch {
    /// The maximum number of records that CloudKit accepts in one request.
    static let largestBatch = 400

    let database: CKDatabase
    let maximumDepth: Int

    /// The given record and all existing records that it refers to, directly or indirectly.
    ///
    /// - Throws: A ``CKCodableError`` with CloudKit's error; missing records are not an error.
    func records(from root: CKRecord) async throws -> [CKRecord.ID: CKRecord] {
        var records = [root.recordID: root]
        var seen: Set<CKRecord.ID> = [root.recordID]
        var level = [root]
        for _ in 0..<maximumDepth where !level.isEmpty {
            var wanted: [CKRecord.ID] = []
            for recordID in level.flatMap(\.referencedRecordIDs)
            where seen.insert(recordID).inserted {
                wanted.append(recordID)
            }
            level = try await fetch(wanted)
            for record in level { records[record.recordID] = record }
        }
        return records
    }

    private func fetch(_ recordIDs: [CKRecord.ID]) async throws -> [CKRecord] {
        var records: [CKRecord] = []
        var batchSize = Self.largestBatch
        var remaining = recordIDs[...]
        while !remaining.isEmpty {
            let batch = Array(remaining.prefix(batchSize))
            do {
                records += try await fetchBatch(batch)
                remaining = remaining.dropFirst(batch.count)
            } catch let error as CKError where error.code == .limitExceeded && batch.count > 1 {
                batchSize = batch.count / 2
            } catch {
                throw CKCodableError.wrapping(error)
            }
        }
        return records
    }

    private func fetchBatch(_ recordIDs: [CKRecord.ID]) async throws -> [CKRecord] {
        let operation = CKFetchRecordsOperation(recordIDs: recordIDs)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                var records: [CKRecord] = []
                var answered: Set<CKRecord.ID> = []
                var failure: (any Error)?
                operation.perRecordResultBlock = { recordID, result in
                    answered.insert(recordID)
                    switch result {
                    case .success(let record):
                        records.append(record)
                    case .failure(let error):
                        let code = (error as? CKError)?.code
                        if code != .unknownItem && code != .zoneNotFound { failure = error }
                    }
                }
                operation.fetchRecordsResultBlock = { result in
                    if case .failure(let error) = result,
                        (error as? CKError)?.code != .partialFailure
                    {
                        failure = error
                    }
                    if failure == nil, let lost = recordIDs.first(where: { !answered.contains($0) })
                    {
                        failure = CKCodableError(
                            .cloudkitInconsistence, at: [],
                            reason: "CloudKit returned nothing for \"\(lost.recordName)\".")
                    }
                    if let failure {
                        continuation.resume(throwing: failure)
                    } else {
                        continuation.resume(returning: records)
                    }
                }
                database.add(operation)
            }
        } onCancel: {
            operation.cancel()
        }
    }
}
