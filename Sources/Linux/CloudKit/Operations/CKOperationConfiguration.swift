/// How operations are carried out.
///
/// It is spelled `CKOperation.Configuration`. A value that was set on an operation's configuration
/// goes before one set on its group's default configuration, and that before the default.
open class CKOperationConfiguration: NSObject, NSCopying, @unchecked Sendable {
    // Unchecked because its properties can be set: like Apple's, it must not be changed by two
    // threads at once.

    var settings = Settings()

    /// The values that were set; those that were not are nil.
    struct Settings: Sendable {
        var container: CKContainer?
        var qualityOfService: QualityOfService?
        var allowsCellularAccess: Bool?
        var isLongLived: Bool?
        var timeoutIntervalForRequest: TimeInterval?
        var timeoutIntervalForResource: TimeInterval?

        /// These values, and the other's where these are not set.
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

    /// The container that is asked, if the operation has no database; the default one if nil.
    public var container: CKContainer? {
        get { settings.container }
        set { settings.container = newValue }
    }

    /// The importance of the operation; `.default` unless set.
    public var qualityOfService: QualityOfService {
        get { settings.qualityOfService ?? .default }
        set { settings.qualityOfService = newValue }
    }

    /// Whether a mobile network may be used. It has no effect on Linux.
    public var allowsCellularAccess: Bool {
        get { settings.allowsCellularAccess ?? true }
        set { settings.allowsCellularAccess = newValue }
    }

    /// Whether the operation survives the process. No operation does on Linux.
    public var isLongLived: Bool {
        get { settings.isLongLived ?? false }
        set { settings.isLongLived = newValue }
    }

    /// The seconds that one request to the server may take; 60 unless set.
    public var timeoutIntervalForRequest: TimeInterval {
        get { settings.timeoutIntervalForRequest ?? 60 }
        set { settings.timeoutIntervalForRequest = newValue }
    }

    /// The seconds that the whole operation may take; seven days unless set.
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
