import CloudKitService

/// Fetches which zones of the private or the shared database have changed.
open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The token to start from; nil to start from the beginning.
    public var previousServerChangeToken: CKServerChangeToken?

    /// The maximum number of zones that one request to the server may return; the server decides if it is 0.
    public var resultsLimit: Int = 0

    /// Whether requests are repeated until nothing is left; `true` by default.
    public var fetchAllChanges = true

    /// Called for each zone that is new or has changed records.
    public var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)?

    /// Called for each zone that an app deleted.
    public var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)?

    /// Called for each zone that the user deleted in the settings. If this is nil, such zones are
    /// reported as deleted.
    public var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)?

    /// Called for each zone that was deleted when the user reset the encrypted data. If this is
    /// nil, such zones are reported as deleted.
    public var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock:
        ((CKRecordZone.ID) -> Void)?

    /// Called between two requests with the token after the first. Changes that were reported
    /// before need not be fetched again.
    public var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)?

    /// Called at the end with the last token, and whether there is more.
    public var fetchDatabaseChangesResultBlock:
        (
            (Result<(serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error>) -> Void
        )?

    /// Called at the end.
    @available(*, deprecated, message: "use fetchDatabaseChangesResultBlock")
    public var fetchDatabaseChangesCompletionBlock:
        ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?
    {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?

    // The position that has been reached; used on the operation's queue only.
    private var reached: (serverChangeToken: CKServerChangeToken, moreComing: Bool)?

    /// Creates an operation that fetches from the beginning.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches changes since a token.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        let fetchesAll = fetchAllChanges
        var token = previousServerChangeToken?.syncToken
        while true {
            let request = DatabaseChangesRequest(
                syncToken: token, resultsLimit: resultsLimit > 0 ? resultsLimit : nil)
            let page = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.fetchDatabaseChanges(request, in: context)
            }
            guard !page.moreComing || page.syncToken != token else {
                throw CKError(.internalError, "The server did not advance")
            }
            token = page.syncToken
            await deliver { self.report(page, isLast: !(page.moreComing && fetchesAll), database) }
            guard page.moreComing, fetchesAll else { return }
        }
    }

    // MARK: - Reports

    private func report(_ page: DatabaseChangesResponse, isLast: Bool, _ database: CKDatabase) {
        for zone in page.zones {
            let zoneID = CKRecordZone.ID(zone.zoneID, scope: database.databaseScope)
            block(for: zone)?(zoneID)
        }
        let token = CKServerChangeToken(syncToken: page.syncToken)
        reached = (token, page.moreComing)
        if !isLast { changeTokenUpdatedBlock?(token) }
    }

    private func block(for zone: ZoneDictionary) -> ((CKRecordZone.ID) -> Void)? {
        guard zone.deleted == true else { return recordZoneWithIDChangedBlock }
        switch zone.deletionReason {
        case .purged:
            return recordZoneWithIDWasPurgedBlock ?? recordZoneWithIDWasDeletedBlock
        case .encryptedDataReset:
            return recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock
                ?? recordZoneWithIDWasDeletedBlock
        case .deleted, nil:
            return recordZoneWithIDWasDeletedBlock
        }
    }

    override func finish(with result: Result<Void, any Error>) {
        switch (result, reached) {
        case (.success, .some(let reached)):
            fetchDatabaseChangesResultBlock?(.success(reached))
            legacyCompletionBlock?(reached.serverChangeToken, reached.moreComing, nil)
        case (.success, nil):
            fail(CKError(.internalError, "There was no answer"))
        case (.failure(let error), _):
            fail(error)
        }
    }

    private func fail(_ error: any Error) {
        fetchDatabaseChangesResultBlock?(.failure(error))
        legacyCompletionBlock?(
            reached?.serverChangeToken ?? previousServerChangeToken, false, error)
    }
}
