/// How operations are carried out.
///
/// It is spelled `CKOperation.Configuration`. A value that is set in an operation's configuration
/// takes precedence over its group's default configuration, which takes precedence over the
/// default.
open class CKOperationConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because its properties can be set: like Apple's, it must not be changed by two
    // threads at once.

    var settings = Settings()

    /// The values that were set; the others are nil.
    struct Settings: Sendable {
        var container: CKContainer?
        var qualityOfService: QualityOfService?
        var allowsCellularAccess: Bool?
        var isLongLived: Bool?
        var timeoutIntervalForRequest: TimeInterval?
        var timeoutIntervalForResource: TimeInterval?

        /// These values, with the other's where these are not set.
        func merging(_ other: Settings?) -> Settings {
            guard let other else { return self }
            var merged = self
            merged.container = container ?? other.container
            merged.qualityOfService = qualityOfService ?? other.qualityOfService
            merged.allowsCellularAccess = allowsCellularAccess ?? other.allowsCellularAccess
            merged.isLongLived = isLongLived ?? other.isLongLived
            merged.timeoutIntervalForRequest =
                timeoutIntervalForRequest ?? other.timeoutIntervalForRequest
            merged.timeoutIntervalForResource =
                timeoutIntervalForResource ?? other.timeoutIntervalForResource
            return merged
        }
    }

    /// Creates a configuration with the defaults.
    public override init() {}

    /// The container to use if the operation has no database; nil for the default container.
    public var container: CKContainer? {
        get { settings.container }
        set { settings.container = newValue }
    }

    /// The importance of the operation; `.default` by default.
    public var qualityOfService: QualityOfService {
        get { settings.qualityOfService ?? .default }
        set { settings.qualityOfService = newValue }
    }

    /// Whether a mobile network may be used. It has no effect on Linux.
    public var allowsCellularAccess: Bool {
        get { settings.allowsCellularAccess ?? true }
        set { settings.allowsCellularAccess = newValue }
    }

    /// Whether the operation outlives the process. No operation does on Linux.
    public var isLongLived: Bool {
        get { settings.isLongLived ?? false }
        set { settings.isLongLived = newValue }
    }

    /// The time limit for one request to the server in seconds; 60 by default.
    public var timeoutIntervalForRequest: TimeInterval {
        get { settings.timeoutIntervalForRequest ?? 60 }
        set { settings.timeoutIntervalForRequest = newValue }
    }

    /// The time limit for the whole operation in seconds; seven days by default.
    public var timeoutIntervalForResource: TimeInterval {
        get { settings.timeoutIntervalForResource ?? 7 * 24 * 60 * 60 }
        set { settings.timeoutIntervalForResource = newValue }
    }

    /// Returns an independent copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CKOperationConfiguration()
        copy.settings = settings
        return copy
    }
}
