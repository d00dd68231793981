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

    /// The configuration of each operation: somebody waits for the object.
    static var configuration: CKOperation.Configuration {
        let configuration = CKOperation.Configuration()
        configuration.qualityOfService = .userInitiated
        configuration.timeoutIntervalForRequest = 60
        // The default is a week.
        configuration.timeoutIntervalForResource = 60 * 60
        return configuration
    }

    private func fetchBatch(_ recordIDs: [CKRecord.ID]) async throws -> [CKRecord] {
        let operation = CKFetchRecordsOperation(recordIDs: recordIDs)
        operation.configuration = Self.configuration
        let answer = RecordFetchAnswer(recordIDs)
        operation.perRecordResultBlock = { answer.note($1, of: $0) }
        operation.fetchRecordsResultBlock = { answer.end(with: $0) }
        // The operation may be gone by then.
        operation.completionBlock = { [weak operation] in
            let isCanceled = operation?.isCancelled == true
            answer.end(
                with: .failure(CKError(isCanceled ? .operationCancelled : .serverResponseLost)))
        }
        return try await withTaskCancellationHandler {
            answer.start { database.add(operation) }
            return try await answer.records()
        } onCancel: {
            answer.cancel(operation)
        }
    }
}

/// What the blocks of an operation report, for the task that awaits the records. It relies neither on the order nor on
/// the threads of the calls; what is reported after the end is ignored.
private final class RecordFetchAnswer: @unchecked Sendable {
    // Unchecked because the lock guards what is reported, and `starting` what decides whether the operation starts.

    private let recordIDs: [CKRecord.ID]
    private let lock = NSLock()
    private var results: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
    private var outcome: Result<[CKRecord], any Error>?
    private var continuation: CheckedContinuation<[CKRecord], any Error>?
    private let starting = NSRecursiveLock()
    private var isAdded = false
    private var isCanceled = false

    init(_ recordIDs: [CKRecord.ID]) {
        self.recordIDs = recordIDs
    }

    /// Adds an operation, unless it has been canceled: it may then never call its blocks.
    func start(_ add: () -> Void) {
        starting.lock()
        defer { starting.unlock() }
        if isCanceled { return end(with: .failure(CKError(.operationCancelled))) }
        isAdded = true
        add()
    }

    func cancel(_ operation: CKOperation) {
        starting.lock()
        defer { starting.unlock() }
        isCanceled = true
        if isAdded { operation.cancel() }
    }

    func note(_ result: Result<CKRecord, any Error>, of recordID: CKRecord.ID) {
        lock.lock()
        results[recordID] = result
        lock.unlock()
    }

    /// Ends the wait, unless it has ended.
    func end(with result: Result<Void, any Error>) {
        lock.lock()
        let outcome = outcome ?? Result { try found(result) }
        self.outcome = outcome
        let waiting = continuation
        continuation = nil
        lock.unlock()
        waiting?.resume(with: outcome)
    }

    /// The records as soon as the operation has ended.
    func records() async throws -> [CKRecord] {
        try await withCheckedThrowingContinuation { continuation in
            lock.lock()
            let known = outcome
            if known == nil { self.continuation = continuation }
            lock.unlock()
            if let known { continuation.resume(with: known) }
        }
    }

    private func found(_ result: Result<Void, any Error>) throws -> [CKRecord] {
        var errors: [AnyHashable: any Error] = [:]
        if case .failure(let error) = result {
            guard let items = (error as? CKError)?.partialErrorsByItemID else { throw error }
            errors = items
        }
        return try recordIDs.compactMap { recordID in
            guard let result = results[recordID] ?? errors[recordID].map(Result.failure) else {
                throw CKCodableError(
                    .cloudkitInconsistence, at: [],
                    reason: "CloudKit returned nothing for \"\(recordID.recordName)\".")
            }
            do {
                return try result.get()
            } catch let error as CKError
                where error.code == .unknownItem || error.code == .zoneNotFound
            {
                return nil
            }
        }
    }
}
