import CloudKitService

/// A fault: an effect, the requests that it applies to, and how often it occurs.
public struct Fault: Sendable {
    /// The effect on a request.
    public var effect: Effect
    /// The requests that it applies to.
    public var requests: RequestPattern
    /// The occurrences among those requests.
    public var occurrences: Occurrences

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - effect: The effect on a request.
    ///   - requests: The requests that it applies to; by default all.
    ///   - occurrences: The occurrences among those requests; by default the next one.
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
        /// The request has arrived, and nothing has been done. Another device that saves now is
        /// first.
        case beforeCommit
        /// The request has been carried out and is durable, and the answer has not been sent.
        case afterCommit
    }

    /// The effects on a request.
    public enum Effect: Sendable {
        /// Nothing is done, and the request fails.
        case fail(CloudKitServiceError)
        /// The request is carried out but fails, because its answer is lost.
        case loseAnswer(CloudKitServiceError = CloudKitServiceError(.serverResponseLost))
        /// The named records, zones or subscriptions fail, with the usual consequences for the
        /// others.
        case failItems(Set<String>, ErrorDictionary)
        /// The request waits for a gate to open.
        case wait(Moment, FaultGate)
        /// A closure runs while the request waits. The closure may make requests itself. Those may
        /// meet faults, too, but not this one once its `occurrences` are used up.
        case call(Moment, @Sendable (RequestSummary) async -> Void)
        /// The request takes some seconds longer; `LocalCloudOptions.sleep` waits.
        case delay(Moment, seconds: Double)
        /// A modification, a lookup or a page of a zone's changes is interrupted: the given number
        /// of items is reported, then the request fails. Reported items have been carried out. An
        /// atomic modification is carried out completely or not at all, whatever is reported; of
        /// any other modification the rest is not carried out. Requests for zones and queries have
        /// no parts: their answer is lost.
        case interrupt(after: Int, CloudKitServiceError)
        /// The conflicts of a modification lack parts that CloudKit does not guarantee.
        case omitFromConflicts(Set<ConflictPart>)
        /// A page of a zone's changes ends at the given number of bytes of fields, but contains at
        /// least one record.
        case cutPages(bytes: Int)
        /// A save gives new change tags to records that it refers to and does not contain.
        case touch(Set<Relative>)

        /// Whether the effect on a request is anything at all.
        func concerns(_ request: RequestSummary) -> Bool {
            if case .failItems(let names, _) = self {
                return !names.isDisjoint(with: request.items)
            }
            return true
        }

        /// The request fails with a code before anything is done.
        ///
        /// - Parameters:
        ///   - code: The code.
        ///   - reason: A description; by default one that names the code.
        ///   - retryAfter: The number of seconds that the client is to wait.
        public static func fail(
            _ code: ServerErrorCode, reason: String? = nil, retryAfter: Double? = nil
        ) -> Effect {
            .fail(
                CloudKitServiceError(
                    code, reason: reason ?? self.reason(code), retryAfter: retryAfter))
        }

        /// The description of an error that no other one was given for.
        private static func reason(_ code: ServerErrorCode) -> String {
            "Injected fault .\(code.constantName)"
        }

        /// The named records, zones or subscriptions fail with a code.
        ///
        /// - Parameters:
        ///   - names: The items.
        ///   - code: The code.
        ///   - reason: A description; by default one that names the code.
        ///   - retryAfter: The number of seconds that the client is to wait.
        public static func failItems(
            _ names: Set<String>, _ code: ServerErrorCode, reason: String? = nil,
            retryAfter: Double? = nil
        ) -> Effect {
            .failItems(
                names,
                ErrorDictionary(
                    serverErrorCode: code, reason: reason ?? self.reason(code),
                    retryAfter: retryAfter))
        }
    }

    /// The parts of a `serverRecordChanged` error.
    public enum ConflictPart: Hashable, Sendable, CaseIterable {
        /// The record as the client had fetched it.
        case ancestorRecord
        /// The server's version of the record.
        case serverRecord
        /// The encrypted values of the server record.
        case encryptedValues
        /// The assets of the server record.
        case assets
    }

    /// The records that a saved record refers to.
    public enum Relative: Hashable, Sendable, CaseIterable {
        /// The record of its `parent` reference.
        case parents
        /// The records of the references in its fields.
        case targets
    }

    /// The occurrences among the requests that a pattern matches, counted from when the fault was
    /// added.
    public enum Occurrences: Hashable, Sendable {
        /// The next requests.
        case next(Int = 1)
        /// Only this one; 1 is the next.
        case nth(Int)
        /// All requests.
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

/// The requests that a fault applies to. A property that is nil matches everything.
public struct RequestPattern: Hashable, Sendable {
    /// The kinds of request.
    public var kinds: Set<RequestKind>?
    /// The container.
    public var container: String?
    /// The database.
    public var database: RequestContext.DatabaseScope?
    /// The name of a zone in the request.
    public var zone: String?
    /// The name of a record, zone or subscription in the request.
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
