import CloudKitService

/// Fetches the records of some zones that have changed since a token.
///
/// The zones are fetched one after another. Each record is reported once, in its current version or
/// as deleted, including changes that this device has made.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The start and the extent of a fetch of a zone's changes.
    public typealias ZoneConfiguration = CKFetchRecordZoneChangesConfiguration

    /// The former form of the configuration.
    @available(*, deprecated, message: "use ZoneConfiguration")
    public typealias ZoneOptions = CKFetchRecordZoneChangesOptions

    /// The zones to fetch.
    public var recordZoneIDs: [CKRecordZone.ID]?

    /// The configuration for each zone. A zone without one is fetched from the beginning.
    public var configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?

    /// The former form of ``configurationsByRecordZoneID``.
    @available(*, deprecated, message: "use configurationsByRecordZoneID")
    public var optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOptions]? {
        get { legacyOptions }
        set { legacyOptions = newValue }
    }

    /// Whether requests are repeated until nothing is left; `true` by default.
    public var fetchAllChanges = true

    /// Called for each record that is new or changed. The result is a failure only if a record's
    /// asset cannot be downloaded.
    public var recordWasChangedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?

    /// Called for each record that is deleted.
    public var recordWithIDWasDeletedBlock: ((CKRecord.ID, CKRecord.RecordType) -> Void)?

    /// Called between two requests for a zone with the token after the first. Changes that were
    /// reported before need not be fetched again.
    public var recordZoneChangeTokensUpdatedBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?

    /// Called when a zone is done, with its last token or its error. The other zones continue.
    public var recordZoneFetchResultBlock:
        (
            (
                CKRecordZone.ID,
                Result<
                    (
                        serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?,
                        moreComing: Bool
                    ), any Error
                >
            ) -> Void
        )?

    /// Called at the end. The operation succeeds even if some zones failed.
    public var fetchRecordZoneChangesResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Called for each record that is new or changed, unless ``recordWasChangedBlock`` is set.
    @available(*, deprecated, message: "use recordWasChangedBlock")
    public var recordChangedBlock: ((CKRecord) -> Void)? {
        get { legacyRecordBlock }
        set { legacyRecordBlock = newValue }
    }

    /// Called when a zone is done.
    @available(*, deprecated, message: "use recordZoneFetchResultBlock")
    public var recordZoneFetchCompletionBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    {
        get { legacyZoneBlock }
        set { legacyZoneBlock = newValue }
    }

    /// Called at the end, with a partial failure if zones failed.
    @available(*, deprecated, message: "use fetchRecordZoneChangesResultBlock")
    public var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)? {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyOptions: [CKRecordZone.ID: CKFetchRecordZoneChangesOptions]?
    private var legacyRecordBlock: ((CKRecord) -> Void)?
    private var legacyZoneBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    private var legacyCompletionBlock: (((any Error)?) -> Void)?

    // The failures, for the deprecated block; used on the operation's queue only.
    private var zoneErrors: [AnyHashable: any Error] = [:]

    /// Creates an operation without work.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the changes of some zones.
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID]? = nil,
        configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? = nil
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.configurationsByRecordZoneID = configurationsByRecordZoneID
    }

    /// Creates an operation that fetches the changes of some zones.
    @available(*, deprecated, message: "use init(recordZoneIDs:configurationsByRecordZoneID:)")
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID],
        optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOptions]?
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        legacyOptions = optionsByRecordZoneID
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        var seen: Set<CKRecordZone.ID> = []
        for zoneID in recordZoneIDs ?? [] where seen.insert(zoneID).inserted {
            let configuration =
                configurationsByRecordZoneID?[zoneID] ?? legacyOptions?[zoneID]?.configuration
            do {
                try await fetch(zoneID, configuration ?? ZoneConfiguration(), in: database)
            } catch let error as ZoneFailure {
                await deliver { self.report(zoneID, error.error) }
            }
        }
    }

    /// An error that ends the fetch of one zone but not the operation.
    private struct ZoneFailure: Error {
        let error: CKError
    }

    private func fetch(
        _ zoneID: CKRecordZone.ID, _ configuration: ZoneConfiguration, in database: CKDatabase
    ) async throws {
        let fetchesAll = fetchAllChanges
        var token = configuration.previousServerChangeToken?.syncToken
        while true {
            let (page, interruption) = try await page(
                of: zoneID, after: token, configuration, in: database)
            if let interruption {
                // The records that have arrived are reported; an incomplete page has no token.
                try await deliverRecords(of: page, zoneID, in: database)
                throw interruption
            }
            guard !page.moreComing || page.syncToken != token else {
                throw ZoneFailure(error: CKError(.internalError, "The server did not advance"))
            }
            token = page.syncToken
            try await deliverRecords(of: page, zoneID, in: database)
            let isLast = !(page.moreComing && fetchesAll)
            await deliver { self.reportEnd(of: page, zoneID, isLast: isLast) }
            if isLast { return }
        }
    }

    private func page(
        of zoneID: CKRecordZone.ID, after token: String?, _ configuration: ZoneConfiguration,
        in database: CKDatabase
    ) async throws -> (page: ZoneChangesResponse.Zone, interruption: CKError?) {
        let request = ZoneChangesRequest(zones: [
            .init(
                zoneID: ZoneIDDictionary(zoneID), syncToken: token,
                resultsLimit: configuration.resultsLimit > 0 ? configuration.resultsLimit : nil,
                desiredKeys: configuration.desiredKeys)
        ])
        do {
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.fetchZoneChanges(request, in: context)
            }
            let interruption = response.interruption.map { CKError($0) }
            switch response.zones.first {
            case .success(let page): return (page, interruption)
            case .failure(let error) where Self.isExpiry(error, of: request, in: database):
                throw ZoneFailure(error: CKError(.changeTokenExpired, error.reason ?? ""))
            case .failure(let error): throw ZoneFailure(error: CKError(error))
            case nil:
                if let interruption { throw interruption }
                throw CKError(.internalError, "The server did not answer for the zone")
            }
        } catch let error as CKError where error.concernsZone {
            throw ZoneFailure(error: error)
        }
    }

    /// Whether a zone was refused because of its token. Apple's web services have no code for it;
    /// if a server only reports a bad request, the token has expired.
    private static func isExpiry(
        _ error: ErrorDictionary, of request: ZoneChangesRequest, in database: CKDatabase
    ) -> Bool {
        database.connection.options.refusedTokensAreExpired
            && request.zones.first?.syncToken != nil && error.serverErrorCode == .badRequest
            && error.internalErrorCode == nil
    }

    /// Reports the records of a page together.
    private func deliverRecords(
        of page: ZoneChangesResponse.Zone, _ zoneID: CKRecordZone.ID, in database: CKDatabase
    ) async throws {
        var changes: [Change] = []
        for record in page.records {
            if record.deleted == true {
                let recordID = CKRecord.ID(received: record.recordName, zoneID: zoneID)
                changes.append(
                    .deletion(
                        recordID,
                        record.recordType ?? database.connection.rememberedType(of: recordID)))
            } else {
                let recordID = CKRecord.ID(received: record.recordName, zoneID: zoneID)
                let result = try await self.record(record, zoneID: zoneID, in: database)
                changes.append(.modification(recordID, result))
            }
        }
        await deliver { [changes] in self.report(changes) }
        try checkCancellation()
    }

    private enum Change: Sendable {
        case modification(CKRecord.ID, Result<CKRecord, any Error>)
        case deletion(CKRecord.ID, CKRecord.RecordType)
    }

    // MARK: - Reports

    private func report(_ changes: [Change]) {
        for change in changes {
            if isCancelled { return }
            switch change {
            case .modification(let recordID, let result):
                if let recordWasChangedBlock {
                    recordWasChangedBlock(recordID, result)
                } else if case .success(let record) = result {
                    legacyRecordBlock?(record)
                }
            case .deletion(let recordID, let recordType):
                recordWithIDWasDeletedBlock?(recordID, recordType)
            }
        }
    }

    private func reportEnd(
        of page: ZoneChangesResponse.Zone, _ zoneID: CKRecordZone.ID, isLast: Bool
    ) {
        let token = CKServerChangeToken(syncToken: page.syncToken)
        guard isLast else {
            recordZoneChangeTokensUpdatedBlock?(zoneID, token, page.clientChangeToken)
            return
        }
        guard options.operationsReportItems else { return }
        recordZoneFetchResultBlock?(
            zoneID, .success((token, page.clientChangeToken, page.moreComing)))
        legacyZoneBlock?(zoneID, token, page.clientChangeToken, page.moreComing, nil)
    }

    private func report(_ zoneID: CKRecordZone.ID, _ error: CKError) {
        zoneErrors[zoneID] = error
        guard options.operationsReportItems else { return }
        recordZoneFetchResultBlock?(zoneID, .failure(error))
        legacyZoneBlock?(zoneID, nil, nil, false, error)
    }

    override var itemFailure: CKError? { CKError.partialFailure(zoneErrors) }

    override func finish(with result: Result<Void, any Error>) {
        fetchRecordZoneChangesResultBlock?(result)
        legacyCompletionBlock?(result.error ?? CKError.partialFailure(zoneErrors))
    }
}
