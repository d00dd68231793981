import CoreData

/// Persistent history: who changed what in which transaction.
extension SMStore {
    /// The author of the transactions in which a sync applies the server's changes; see
    /// `NSPersistentHistoryTransaction.author`.
    public static let SMSyncTransactionAuthor = "SMStore.sync"
    /// The `transactionAuthor` of a context that writes default content, such as the categories of a first launch.
    ///
    ///     context.transactionAuthor = SMStore.seedAuthor
    ///
    /// What its saves, batch insertions and batch updates write is nobody's edit: on every device and under every
    /// policy, what a user has written wins over it, and nothing of it is a conflict. Of two devices' default content,
    /// the server's stays. What a user edits in such an object later is an edit like any other.
    ///
    /// After a reinstall, default content meets the user's own version only if its entity has a natural key; see
    /// ``SMNaturalKeyUserInfoKey``. Without one, both objects stay. An object that a user deleted before the
    /// reinstall is made again, because the server does not keep what it has deleted. Deletions are not affected:
    /// they count as a user's.
    public static let seedAuthor = "SMStore.seed"

    /// The current point in the store's history; nil if the store was added without
    /// `NSPersistentHistoryTrackingKey`.
    ///
    /// Like `NSPersistentStoreCoordinator.currentPersistentHistoryToken(fromStores:)`, which on Apple's systems
    /// knows only Apple's stores.
    ///
    /// - Throws: ``SMStoreError``, or an error of the file.
    public func currentHistoryToken() throws -> NSPersistentHistoryToken? {
        try answer {
            guard keepsHistory else { return nil }
            return HistoryToken(
                storeIdentifier: identifier, number: try database().history.lastNumber())
        }
    }

    @nonobjc var keepsHistory: Bool { isSet(NSPersistentHistoryTrackingKey) }

    /// Makes the store's connection and the sync engine's connection record what they write, if the
    /// options ask for it.
    @nonobjc func recordHistory(_ own: StoreDatabase, _ syncing: StoreDatabase) throws {
        guard keepsHistory else { return }
        let triggers = HistoryTriggers(own.schema).statements
        try own.recordHistory(triggers, by: HistoryWriter(identifier: historyWriter))
        try syncing.recordHistory(
            triggers,
            by: HistoryWriter(identifier: historyWriter, author: Self.SMSyncTransactionAuthor))
        lastSeenTransaction = try own.history.lastNumber()
    }

    /// Executes a request to read or delete history.
    ///
    /// - Throws: 134091 if the store was not added with `NSPersistentHistoryTrackingKey`; 134301 if
    ///   a token belongs to another store or to deleted history.
    @nonobjc func executeHistory(
        _ request: NSPersistentHistoryChangeRequest
    ) throws -> NSPersistentHistoryResult {
        guard keepsHistory else {
            throw CocoaError(
                .persistentStoreUnsupportedRequestType,
                userInfo: [
                    NSLocalizedDescriptionKey:
                        "The store was added without NSPersistentHistoryTrackingKey."
                ])
        }
        let database = try database()
        switch request.part {
        case .after(let token):
            return try found(request, after: try number(of: token, in: database), database)
        case .afterDate(let date):
            return try found(request, after: database.history.lastNumber(before: date), database)
        case .beforeToken(let token):
            return try forget(request, before: try number(of: token, in: database), database)
        case .beforeDate(let date):
            let number = try database.history.lastNumber(before: date)
            return try forget(request, before: min(number, .max - 1) + 1, database)
        }
    }

    /// The transaction number of a token; 0 if there is no token.
    private func number(
        of token: NSPersistentHistoryToken?, in database: StoreDatabase
    ) throws -> Int64 {
        guard let token else { return 0 }
        guard let token = token as? HistoryToken, token.storeIdentifier == identifier,
            try token.number >= database.history.forgottenNumber(),
            try token.number <= database.history.lastNumber()
        else {
            let reason = "The token is not one of the store's history, or is too old."
            throw NSError(
                domain: NSCocoaErrorDomain, code: NSPersistentHistoryTokenExpiredError,
                userInfo: [NSLocalizedFailureReasonErrorKey: reason])
        }
        return token.number
    }

    private func forget(
        _ request: NSPersistentHistoryChangeRequest, before number: Int64, _ database: StoreDatabase
    ) throws -> NSPersistentHistoryResult {
        let count = try database.write { try database.history.forget(before: number) }
        return request.resultType == .count
            ? HistoryResult(.count, count) : HistoryResult(.statusOnly, true)
    }

    // MARK: - Finding

    private func found(
        _ request: NSPersistentHistoryChangeRequest, after number: Int64, _ database: StoreDatabase
    ) throws -> NSPersistentHistoryResult {
        var transactions = try database.history.transactions(after: number)
            .map { try historyTransaction($0, database) }
            .filter { $0.recorded?.isEmpty == false }
        var changes: [HistoryChange]?
        if let fetch = request.fetchRequest {
            let predicate = try fetch.predicate?.comparingTokens {
                try self.number(of: $0, in: database)
            }
            if fetch.entityName == NSPersistentHistoryChange.entityDescription?.name {
                changes = Self.results(
                    of: fetch, predicate, among: transactions.flatMap { $0.recorded ?? [] })
                let numbers = Set(changes?.compactMap { $0.owner?.transactionNumber } ?? [])
                transactions.removeAll { !numbers.contains($0.transactionNumber) }
            } else {
                transactions = Self.results(of: fetch, predicate, among: transactions)
            }
        }
        let meant = changes ?? transactions.flatMap { $0.recorded ?? [] }
        switch request.resultType {
        case .statusOnly: return HistoryResult(.statusOnly, true)
        case .count: return HistoryResult(.count, meant.count)
        case .objectIDs: return HistoryResult(.objectIDs, meant.map(\.changedObjectID))
        case .changesOnly:
            // A change does not retain its transaction.
            return HistoryResult(.changesOnly, meant)
        case .transactionsOnly:
            for transaction in transactions { transaction.recorded = nil }
            return HistoryResult(.transactionsOnly, transactions)
        default: return HistoryResult(.transactionsAndChanges, transactions)
        }
    }

    /// The transactions or changes that match a fetch request.
    private static func results<T: NSObject>(
        of fetch: NSFetchRequest<any NSFetchRequestResult>, _ predicate: NSPredicate?,
        among values: [T]
    ) -> [T] {
        var matching = values.filter { predicate?.evaluate(with: $0) ?? true }
        if let descriptors = fetch.sortDescriptors, !descriptors.isEmpty {
            let sorted = NSArray(array: matching).sortedArray(using: descriptors)
            matching = sorted.compactMap { $0 as? T }
        }
        return FetchWindow(limit: fetch.fetchLimit, offset: fetch.fetchOffset).slice(matching)
    }

    private func historyTransaction(
        _ transaction: HistoryTable.Transaction, _ database: StoreDatabase
    ) throws -> HistoryTransaction {
        let result = HistoryTransaction(transaction, storeIdentifier: identifier)
        result.recorded = try transaction.changes.compactMap {
            // Gaining or losing a reference from a relationship without an inverse does not change
            // an object.
            guard $0.kind != .relation || !$0.properties.isEmpty,
                let entity = try entity(of: $0, database)
            else { return nil }
            let change = HistoryChange($0, objectID: objectID($0.pk, entity), of: entity)
            change.owner = result
            return change
        }
        return result
    }

    /// The entity of a changed object; nil if it is no longer known.
    private func entity(
        of change: HistoryTable.Change, _ database: StoreDatabase
    ) throws -> EntitySchema? {
        let number = try change.entity ?? database.objects.entry(change.pk)?.entity
        return number.flatMap(database.schema.entity(number:))
    }

    // MARK: - Following

    /// The changes that others have written to the file since the last check.
    ///
    /// - Returns: The changed objects, and the number of the last transaction; nil if nobody else
    ///   has written.
    @nonobjc func changesOfOthers() throws -> ChangedObjectIDs? {
        try lock.locked {
            let database = try database()
            let known = lastSeenTransaction
            let transactions = try database.history.transactions(after: known)
            guard let last = transactions.last else { return nil }
            lastSeenTransaction = last.number
            let foreign = transactions.filter { $0.writer != historyWriter }
            guard !foreign.isEmpty else { return nil }
            var changes = ChangedObjectIDs()
            for change in foreign.flatMap(\.changes) {
                guard let entity = try entity(of: change, database) else { continue }
                let objectID = objectID(change.pk, entity)
                changes.note(change.kind, of: objectID)
            }
            return changes
        }
    }
}
