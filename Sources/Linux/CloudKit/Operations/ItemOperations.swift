// The common parts of `CKDatabase`'s methods for records, zones and subscriptions.

/// An operation that saves and deletes items.
protocol ItemModification: CKDatabaseOperation {
    associatedtype ItemID: Hashable
    associatedtype Item

    var itemSaveBlock: ((ItemID, Result<Item, any Error>) -> Void)? { get set }
    var itemDeleteBlock: ((ItemID, Result<Void, any Error>) -> Void)? { get set }
    var resultBlock: ((Result<Void, any Error>) -> Void)? { get set }
}

extension ItemModification {
    /// The result for each item.
    typealias Results = (
        saveResults: [ItemID: Result<Item, any Error>],
        deleteResults: [ItemID: Result<Void, any Error>]
    )

    /// The operation, with a completion that receives all results at the end.
    func collecting(_ completion: @escaping (Result<Results, any Error>) -> Void) -> Self {
        let results = Locked<Results>(([:], [:]))
        itemSaveBlock = { id, result in results.withLock { $0.saveResults[id] = result } }
        itemDeleteBlock = { id, result in results.withLock { $0.deleteResults[id] = result } }
        resultBlock = { completion($0.map { results.value }) }
        return self
    }

    /// The operation, with a completion that receives the result of the only item that it saves.
    func saving(
        _ id: ItemID, _ completionHandler: @escaping (Item?, (any Error)?) -> Void
    ) -> Self {
        collecting { $0.map(\.saveResults).item(id, completionHandler) }
    }

    /// The operation, with a completion that receives the result of the only item that it deletes.
    func deleting(
        _ id: ItemID, _ completionHandler: @escaping (ItemID?, (any Error)?) -> Void
    ) -> Self {
        collecting { results in
            results.map { $0.deleteResults.mapValues { $0.map { id } } }
                .item(id, completionHandler)
        }
    }
}

/// An operation that fetches items by ID, or all items.
protocol ItemFetch: CKDatabaseOperation {
    associatedtype ItemID: Hashable
    associatedtype Item

    var itemBlock: ((ItemID, Result<Item, any Error>) -> Void)? { get set }
    var resultBlock: ((Result<Void, any Error>) -> Void)? { get set }
}

extension ItemFetch {
    /// The operation, with a completion that receives all results at the end.
    func collecting(
        _ completion: @escaping (Result<[ItemID: Result<Item, any Error>], any Error>) -> Void
    ) -> Self {
        let results = Locked<[ItemID: Result<Item, any Error>]>([:])
        itemBlock = { id, result in results.withLock { $0[id] = result } }
        resultBlock = { completion($0.map { results.value }) }
        return self
    }

    /// The operation, with a completion that receives the fetched items, in their order, at the
    /// end.
    func collectingItems(_ completion: @escaping (Result<[Item], any Error>) -> Void) -> Self {
        let items = Locked<[Item]>([])
        itemBlock = { _, result in
            if case .success(let item) = result { items.withLock { $0.append(item) } }
        }
        resultBlock = { completion($0.map { items.value }) }
        return self
    }
}

extension CKModifyRecordsOperation: ItemModification {
    var itemSaveBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
        get { perRecordSaveBlock }
        set { perRecordSaveBlock = newValue }
    }

    var itemDeleteBlock: ((CKRecord.ID, Result<Void, any Error>) -> Void)? {
        get { perRecordDeleteBlock }
        set { perRecordDeleteBlock = newValue }
    }

    var resultBlock: ((Result<Void, any Error>) -> Void)? {
        get { modifyRecordsResultBlock }
        set { modifyRecordsResultBlock = newValue }
    }
}

extension CKModifyRecordZonesOperation: ItemModification {
    var itemSaveBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)? {
        get { perRecordZoneSaveBlock }
        set { perRecordZoneSaveBlock = newValue }
    }

    var itemDeleteBlock: ((CKRecordZone.ID, Result<Void, any Error>) -> Void)? {
        get { perRecordZoneDeleteBlock }
        set { perRecordZoneDeleteBlock = newValue }
    }

    var resultBlock: ((Result<Void, any Error>) -> Void)? {
        get { modifyRecordZonesResultBlock }
        set { modifyRecordZonesResultBlock = newValue }
    }
}

extension CKModifySubscriptionsOperation: ItemModification {
    var itemSaveBlock: ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)? {
        get { perSubscriptionSaveBlock }
        set { perSubscriptionSaveBlock = newValue }
    }

    var itemDeleteBlock: ((CKSubscription.ID, Result<Void, any Error>) -> Void)? {
        get { perSubscriptionDeleteBlock }
        set { perSubscriptionDeleteBlock = newValue }
    }

    var resultBlock: ((Result<Void, any Error>) -> Void)? {
        get { modifySubscriptionsResultBlock }
        set { modifySubscriptionsResultBlock = newValue }
    }
}

extension CKFetchRecordsOperation: ItemFetch {
    var itemBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)? {
        get { perRecordResultBlock }
        set { perRecordResultBlock = newValue }
    }

    var resultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fetchRecordsResultBlock }
        set { fetchRecordsResultBlock = newValue }
    }
}

extension CKFetchRecordZonesOperation: ItemFetch {
    var itemBlock: ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)? {
        get { perRecordZoneResultBlock }
        set { perRecordZoneResultBlock = newValue }
    }

    var resultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fetchRecordZonesResultBlock }
        set { fetchRecordZonesResultBlock = newValue }
    }
}

extension CKFetchSubscriptionsOperation: ItemFetch {
    var itemBlock: ((CKSubscription.ID, Result<CKSubscription, any Error>) -> Void)? {
        get { perSubscriptionResultBlock }
        set { perSubscriptionResultBlock = newValue }
    }

    var resultBlock: ((Result<Void, any Error>) -> Void)? {
        get { fetchSubscriptionsResultBlock }
        set { fetchSubscriptionsResultBlock = newValue }
    }
}
