import CloudKitService

/// The changes of one operation to the records of one zone, which go to the server together.
struct ZoneBatch: Sendable {
    let zoneID: CKRecordZone.ID
    var records: [CKRecord] = []
    var recordIDsToDelete: [CKRecord.ID] = []

    /// Sorts changes by their zones, in the order in which the zones first occur.
    static func batches(
        saving records: [CKRecord], deleting recordIDs: [CKRecord.ID]
    ) -> [ZoneBatch] {
        var batches: [ZoneBatch] = []
        var indices: [CKRecordZone.ID: Int] = [:]
        func index(of zoneID: CKRecordZone.ID) -> Int {
            if let index = indices[zoneID] { return index }
            indices[zoneID] = batches.count
            batches.append(ZoneBatch(zoneID: zoneID))
            return batches.count - 1
        }
        for record in records { batches[index(of: record.recordID.zoneID)].records.append(record) }
        for recordID in recordIDs {
            batches[index(of: recordID.zoneID)].recordIDsToDelete.append(recordID)
        }
        return batches
    }

    /// Sorts IDs by their zones, in the order in which the zones first occur.
    static func groups(of recordIDs: [CKRecord.ID]) -> [(CKRecordZone.ID, [CKRecord.ID])] {
        batches(saving: [], deleting: recordIDs).map { ($0.zoneID, $0.recordIDsToDelete) }
    }
}

/// The result for one item of a batch.
enum BatchOutcome: Sendable {
    /// The server has carried it out.
    case done(RecordDictionary)

    /// The server has refused it.
    case refused(ErrorDictionary)

    /// It failed with its zone, or before it reached the server.
    case failed(CKError)

    /// The outcome of a deletion.
    var voidResult: Result<Void, any Error> {
        switch self {
        case .done: .success(())
        case .refused(let error): .failure(CKError(error))
        case .failed(let error): .failure(error)
        }
    }
}

extension CKError {
    /// The error of a save that conflicts with another version on the server.
    ///
    /// It contains the record as it was sent, the server's record if available, and the record as
    /// the client had received it from the server, without fields if it never had. Apple guarantees
    /// none of them, and a harsh server omits them.
    init(conflict error: ErrorDictionary, sent: CKRecord.State, server: CKRecord?) {
        var records: [String: Any] = [
            CKRecordChangedErrorClientRecordKey: CKRecord(state: sent)
        ]
        if error.omitsAncestorRecord != true {
            records[CKRecordChangedErrorAncestorRecordKey] = CKRecord(state: sent.ancestor)
        }
        if let server { records[CKRecordChangedErrorServerRecordKey] = server }
        self.init(error, details: records)
    }
}

extension Result {
    /// The error of a failure.
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
