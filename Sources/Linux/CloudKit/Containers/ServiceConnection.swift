import CloudKitService

/// What a container, its databases and its operations share: the service, and who calls it.
final class ServiceConnection: Sendable {
    let service: any CloudKitService
    let containerIdentifier: String
    let environment: RequestContext.Environment

    /// Names this device to the service, which sends no pushes to the device that made a change.
    let device: String

    /// Choices for what is undocumented.
    let options: CloudKitOptions

    /// The types of the records that were seen, if they are to be remembered.
    private let recordTypes = Locked<[CKRecord.ID: CKRecord.RecordType]>([:])

    /// Where downloaded assets go.
    let assetCache = AssetCache()

    /// Registrations for what the service tells by itself that have begun and not ended.
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

    /// Remembers the type of a record, for a deletion that is told without it.
    func remember(_ recordType: CKRecord.RecordType, of recordID: CKRecord.ID) {
        guard options.remembersRecordTypes else { return }
        recordTypes.withLock { $0[recordID] = recordType }
    }

    /// The type of a record that was seen, or an empty text.
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

    /// Begins a registration. Requests that are made from now on wait for it, so that whoever has
    /// the answer to a request has missed no push and no change of the account since.
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

    /// Sends a request that belongs to no operation.
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
