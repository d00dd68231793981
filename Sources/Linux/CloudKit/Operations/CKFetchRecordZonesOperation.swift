import CloudKitService

/// Fetches zones by ID, or all of them.
open class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    // Unchecked for the reason given at CKOperation.

    /// The zones to fetch.
    public var recordZoneIDs: [CKRecordZone.ID]?

    /// Called for each ID with the zone or its error.
    public var perRecordZoneResultBlock:
        ((CKRecordZone.ID, Result<CKRecordZone, any Error>) -> Void)?

    /// Called at the end. The operation succeeds even if some zones failed.
    public var fetchRecordZonesResultBlock: ((Result<Void, any Error>) -> Void)?

    /// Called at the end, with a partial failure if zones failed.
    @available(*, deprecated, message: "use fetchRecordZonesResultBlock")
    public var fetchRecordZonesCompletionBlock:
        (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
    {
        get { legacyCompletionBlock }
        set { legacyCompletionBlock = newValue }
    }

    private var legacyCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
    private var fetchesAllZones = false

    // The reported results, for the deprecated block; used on the operation's queue only.
    private var reports = FetchReports<CKRecordZone.ID, CKRecordZone>()

    /// Creates an operation without work.
    public required override init() {
        super.init()
    }

    /// Creates an operation that fetches zones.
    public convenience init(recordZoneIDs zoneIDs: [CKRecordZone.ID]) {
        self.init()
        recordZoneIDs = zoneIDs
    }

    /// An operation that fetches all zones of the database.
    public class func fetchAllRecordZonesOperation() -> Self {
        let operation = Self()
        operation.fetchesAllZones = true
        return operation
    }

    // MARK: - Work

    override func execute(in database: CKDatabase) async throws {
        let zoneIDs = recordZoneIDs ?? []
        let scope = database.databaseScope
        let items: [(CKRecordZone.ID, Result<CKRecordZone, any Error>)]
        if fetchesAllZones {
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.listZones(in: context)
            }
            items = response.zones.compactMap(\.item).map {
                let zone = CKRecordZone($0, scope: scope)
                return (zone.zoneID, .success(zone))
            }
        } else if zoneIDs.isEmpty {
            return
        } else {
            let request = LookUpZonesRequest(zones: zoneIDs.map { ZoneIDDictionary($0) })
            let response = try await send(to: database) {
                (service, context) async throws(CloudKitServiceError) in
                try await service.lookUpZones(request, in: context)
            }
            items = zip(zoneIDs, response.zones).map { zoneID, item in
                (zoneID, item.result { CKRecordZone($0, scope: scope) })
            }
        }
        await deliver {
            for (id, result) in items {
                self.reports.note(id, result)
                if self.options.operationsReportItems { self.perRecordZoneResultBlock?(id, result) }
            }
        }
    }

    override var itemFailure: CKError? { reports.itemFailure }

    override func finish(with result: Result<Void, any Error>) {
        fetchRecordZonesResultBlock?(result)
        legacyCompletionBlock?(reports.fetched, reports.error(result))
    }
}
