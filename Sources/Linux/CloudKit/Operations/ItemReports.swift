import CloudKitService

// The results that operations have reported for their items, for their deprecated blocks. Used on
// the operation's queue only.

/// The reported results of items that are saved and deleted.
struct ModificationReports<ID: Hashable, Item> {
    private(set) var saved: [Item] = []
    private(set) var deleted: [ID] = []
    private var errors: [AnyHashable: any Error] = [:]

    mutating func note(_ id: ID, saved result: Result<Item, any Error>) {
        switch result {
        case .success(let item): saved.append(item)
        case .failure(let error): errors[id] = error
        }
    }

    mutating func note(_ id: ID, deleted result: Result<Void, any Error>) {
        switch result {
        case .success: deleted.append(id)
        case .failure(let error): errors[id] = error
        }
    }

    /// The errors of the items as one; nil if none has failed.
    var itemFailure: CKError? { CKError.partialFailure(errors) }

    /// The error of the operation, or a partial failure if items failed.
    func error(_ result: Result<Void, any Error>) -> (any Error)? {
        result.error ?? itemFailure
    }
}

/// The reported results of items that are fetched.
struct FetchReports<ID: Hashable, Item> {
    private(set) var fetched: [ID: Item] = [:]
    private var errors: [AnyHashable: any Error] = [:]

    mutating func note(_ id: ID, _ result: Result<Item, any Error>) {
        switch result {
        case .success(let item): fetched[id] = item
        case .failure(let error): errors[id] = error
        }
    }

    /// The errors of the items as one; nil if none has failed.
    var itemFailure: CKError? { CKError.partialFailure(errors) }

    /// The error of the operation, or a partial failure if items failed.
    func error(_ result: Result<Void, any Error>) -> (any Error)? {
        result.error ?? itemFailure
    }
}

extension CKDatabaseOperation {
    /// Saves and deletes items with one request.
    ///
    /// - Returns: The result for each item.
    func outcomes<ItemOperation: Sendable, Item: Sendable>(
        ofSaving saves: [ItemOperation], deleting deletions: [ItemOperation],
        in database: CKDatabase,
        _ modify:
            @escaping @Sendable (
                [ItemOperation], any CloudKitService, RequestContext
            ) async throws(CloudKitServiceError) -> [ItemResult<Item>]
    ) async throws -> (saves: [ItemResult<Item>], deletions: [ItemResult<Item>]) {
        let operations = saves + deletions
        guard !operations.isEmpty else { return ([], []) }
        let items = try await send(to: database) {
            (service, context) async throws(CloudKitServiceError) in
            try await modify(operations, service, context)
        }
        guard items.count == operations.count else {
            throw CKError(.internalError, "The server did not answer for every item")
        }
        return (Array(items.prefix(saves.count)), Array(items.dropFirst(saves.count)))
    }
}
