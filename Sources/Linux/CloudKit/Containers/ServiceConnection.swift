import CloudKitService

/// The state that a container shares with its databases and operations: the service and the caller.
final class ServiceConnection: Sendable {
    let service: any CloudKitService
    let containerIdentifier: String
    let environment: RequestContext.Environment

    /// The name of this device. The service sends no pushes to the device that made a change.
    let device: String

    /// The choices for undocumented behavior.
    let options: CloudKitOptions

    /// The types of known records, if they are remembered.
    private let recordTypes = Locked<[CKRecord.ID: CKRecord.RecordType]>([:])

    /// The cache of downloaded assets.
    let assetCache = AssetCache()

    /// The registrations for account changes and pushes that have begun and not ended.
    private let registrations = Locked<[Task<Void, Never>]>([])

    init(
        service: any CloudKitService, containerIdentifier: String,
        environment: RequestContext.Environment, device: String,
        options: CloudKitOptions
    ) {
        self.service = service
        self.containerIdentifier = containerIdentifier
        self.environment = environment
        self.device = device
        self.options = options
    }

    /// Remembers the type of a record, for a deletion that is reported without it.
    func remember(_ recordType: CKRecord.RecordType, of recordID: CKRecord.ID) {
        guard options.remembersRecordTypes else { return }
        recordTypes.withLock { $0[recordID] = recordType }
    }

    /// The type of a known record, or an empty string.
    func rememberedType(of recordID: CKRecord.ID) -> CKRecord.RecordType {
        recordTypes.withLock { $0[recordID] } ?? ""
    }

    /// The caller and the database of a request.
    func context(for scope: CKDatabase.Scope) -> RequestContext {
        let database: RequestContext.DatabaseScope =
            switch scope {
            case .public: .public
            case .private: .private
            case .shared: .shared
            }
        return RequestContext(
            container: containerIdentifier, environment: environment, database: database,
            device: device)
    }

    /// Begins a registration. Requests that are made from now on wait for it, so after the answer
    /// to a request, no later push or account change can be missed.
    func register(_ registration: @escaping @Sendable () async -> Void) {
        registrations.withLock { $0.append(Task { await registration() }) }
    }

    /// Waits for the registrations that have begun.
    func becomeReady() async {
        let pending = registrations.withLock { $0 }
        guard !pending.isEmpty else { return }
        for registration in pending { await registration.value }
        registrations.withLock { $0.removeAll { pending.contains($0) } }
    }

    /// Sends a request without an operation.
    func send<Response: Sendable>(
        _ request:
            @escaping @Sendable (
                any CloudKitService, RequestContext
            ) async throws(CloudKitServiceError) -> Response
    ) async throws -> Response {
        let context = context(for: .private)
        let timeout = CKOperation.Configuration().timeoutIntervalForRequest
        return try await CloudKit.send(timeout: timeout) {
            () async throws(CloudKitServiceError) -> Response in
            await self.becomeReady()
            return try await request(self.service, context)
        }
    }
}
