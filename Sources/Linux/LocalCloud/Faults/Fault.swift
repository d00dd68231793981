import CloudKitService

/// What goes wrong, with which requests, and how often.
public struct Fault: Sendable {
    /// What goes wrong.
    public var effect: Effect
    /// Which requests it concerns.
    public var requests: RequestPattern
    /// Which of those requests.
    public var occurrences: Occurrences

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - effect: What goes wrong.
    ///   - requests: Which requests it concerns. Default: all.
    ///   - occurrences: Which of those requests. Default: the next one.
    public init(
        _ effect: Effect, for requests: RequestPattern = RequestPattern(),
        occurrences: Occurrences = .next()
    ) {
        self.effect = effect
        self.requests = requests
        self.occurrences = occurrences
    }

    /// The moments of a request.
    public enum Moment: Hashable, Sendable {
        /// It has arrived, and nothing is done yet. What another device saves now comes first.
        case beforeCommit
        /// It is carried out and durable, and the answer has not left yet.
        case afterCommit
    }

    /// What goes wrong with a request.
    public enum Effect: Sendable {
        /// Nothing is done, and the request fails.
        case fail(CloudKitServiceError)
        /// All is done, and the request fails all the same: its answer is lost.
        case loseAnswer(CloudKitServiceError = CloudKitServiceError(.serverResponseLost))
        /// The named records, zones or subscriptions fail, with what CloudKit does to the others.
        case failItems(Set<String>, ErrorDictionary)
        /// The request waits for a gate to open.
        case wait(Moment, FaultGate)
        /// A closure runs while the request waits. It may make requests itself; those can meet faults,
        /// too, except for this one while its `occurrences` are used up.
        case call(Moment, @Sendable (RequestSummary) async -> Void)
        /// The request takes so many seconds longer; `LocalCloudOptions.sleep` waits.
        case delay(Moment, seconds: Double)
        /// A modification, a look-up or a page of a zone's changes breaks off: so many items are
        /// told, then the request fails. What is told is done. Of an atomic modification all is done
        /// or nothing, whatever is told; of another the rest is not done. Zones and queries know no
        /// parts: their answer is lost.
        case interrupt(after: Int, CloudKitServiceError)
        /// The conflicts of a modification lack what CloudKit does not promise to send with them.
        case omitFromConflicts(Set<ConflictPart>)
        /// A page of a zone's changes ends at so many bytes of fields, and has one record at least.
        case cutPages(bytes: Int)
        /// A save gives new change tags to records that it refers to and does not contain.
        case touch(Set<Relative>)

        /// The request fails with a code before anything is done.
        ///
        /// - Parameters:
        ///   - code: The code.
        ///   - reason: A text.
        ///   - retryAfter: How many seconds the client is to wait.
        public static func fail(
            _ code: ServerErrorCode, reason: String? = "Injected fault", retryAfter: Double? = nil
        ) -> Effect {
            .fail(CloudKitServiceError(code, reason: reason, retryAfter: retryAfter))
        }

        /// The named records, zones or subscriptions fail with a code.
        ///
        /// - Parameters:
        ///   - names: The items.
        ///   - code: The code.
        ///   - reason: A text.
        ///   - retryAfter: How many seconds the client is to wait.
        public static func failItems(
            _ names: Set<String>, _ code: ServerErrorCode, reason: String? = "Injected fault",
            retryAfter: Double? = nil
        ) -> Effect {
            .failItems(
                names,
                ErrorDictionary(serverErrorCode: code, reason: reason, retryAfter: retryAfter))
        }
    }

    /// What comes with `serverRecordChanged`.
    public enum ConflictPart: Hashable, Sendable, CaseIterable {
        /// The record as the client had fetched it.
        case ancestorRecord
        /// The record as the server has it.
        case serverRecord
        /// The encrypted values of the server record.
        case encryptedValues
        /// The assets of the server record.
        case assets
    }

    /// The records to which a saved record refers.
    public enum Relative: Hashable, Sendable, CaseIterable {
        /// That of its `parent` reference.
        case parents
        /// Those of the references in its fields.
        case targets
    }

    /// Which of the requests that a pattern matches, counted from when the fault was added.
    public enum Occurrences: Hashable, Sendable {
        /// The next ones.
        case next(Int = 1)
        /// Only this one; 1 is the next.
        case nth(Int)
        /// All.
        case always

        func includes(_ number: Int) -> Bool {
            switch self {
            case .next(let count): number <= count
            case .nth(let wanted): number == wanted
            case .always: true
            }
        }
    }
}

/// Which requests a fault concerns. What is not said matches anything.
public struct RequestPattern: Hashable, Sendable {
    /// The kinds of request.
    public var kinds: Set<RequestKind>?
    /// The container.
    public var container: String?
    /// The database.
    public var database: RequestContext.DatabaseScope?
    /// The name of a zone that the request concerns.
    public var zone: String?
    /// The name of a record, or of a zone or subscription, that the request concerns.
    public var item: String?
    /// The device that makes the request.
    public var device: String?

    /// Creates a pattern.
    public init(
        _ kinds: Set<RequestKind>? = nil,
        container: String? = nil,
        database: RequestContext.DatabaseScope? = nil,
        zone: String? = nil,
        item: String? = nil,
        device: String? = nil
    ) {
        self.kinds = kinds
        self.container = container
        self.database = database
        self.zone = zone
        self.item = item
        self.device = device
    }

    /// Creates a pattern for one kind of request.
    public static func kind(
        _ kind: RequestKind, zone: String? = nil, item: String? = nil, device: String? = nil
    ) -> RequestPattern {
        RequestPattern([kind], zone: zone, item: item, device: device)
    }

    /// Whether the pattern matches a request.
    public func matches(_ request: RequestSummary) -> Bool {
        kinds?.contains(request.kind) ?? true
            && container.map { $0 == request.context.container } ?? true
            && database.map { $0 == request.context.database } ?? true
            && zone.map(request.zones.contains) ?? true
            && item.map(request.items.contains) ?? true
            && device.map { $0 == request.context.device } ?? true
    }
}
