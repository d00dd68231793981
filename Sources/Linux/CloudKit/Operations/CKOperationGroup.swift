/// Operations that belong together, with a common configuration. Apple uses it for telemetry.
open class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because its properties can be set: like Apple's, it must not be changed by two
    // threads at once.

    /// An estimate of the amount of data.
    public enum TransferSize: Int, Sendable {
        /// Unknown.
        case unknown = 0
        /// Below a megabyte.
        case kilobytes = 1
        /// Below ten megabytes.
        case megabytes = 2
        /// Below a hundred megabytes.
        case tensOfMegabytes = 3
        /// Below a gigabyte.
        case hundredsOfMegabytes = 4
        /// Below ten gigabytes.
        case gigabytes = 5
        /// Below a hundred gigabytes.
        case tensOfGigabytes = 6
        /// More than that.
        case hundredsOfGigabytes = 7
    }

    /// The unique name of the group.
    public let operationGroupID: String

    /// The settings for operations of the group that do not specify their own. Setting nil restores
    /// the defaults.
    public var defaultConfiguration: CKOperation.Configuration! {
        get { storedConfiguration }
        set {
            storedConfiguration =
                newValue?.copy() as? CKOperation.Configuration ?? CKOperation.Configuration()
        }
    }

    private var storedConfiguration = CKOperation.Configuration()

    /// The app's name for the group.
    public var name: String?

    /// The number of items that the group transfers, as counted by the app.
    public var quantity: Int = 0

    /// An estimate of the amount of data to send.
    public var expectedSendSize: TransferSize = .unknown

    /// An estimate of the amount of data to receive.
    public var expectedReceiveSize: TransferSize = .unknown

    /// Creates a group with a unique name.
    public override init() {
        operationGroupID = UUID().uuidString
    }

    // MARK: - NSSecureCoding

    private enum Key {
        static let operationGroupID = "OperationGroupID"
        static let name = "Name"
        static let quantity = "Quantity"
        static let expectedSendSize = "ExpectedSendSize"
        static let expectedReceiveSize = "ExpectedReceiveSize"
    }

    /// Groups decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes a group that ``encode(with:)`` wrote; its configuration is the default one.
    ///
    /// From any other archive it creates a new group, and reports the failure to the coder.
    public required init(coder aDecoder: NSCoder) {
        let decodedID = aDecoder.decodeString(forKey: Key.operationGroupID)
        operationGroupID = decodedID ?? UUID().uuidString
        name = aDecoder.decodeString(forKey: Key.name)
        quantity = Int(aDecoder.decodeInt64(forKey: Key.quantity))
        expectedSendSize =
            TransferSize(rawValue: Int(aDecoder.decodeInt64(forKey: Key.expectedSendSize)))
            ?? .unknown
        expectedReceiveSize =
            TransferSize(rawValue: Int(aDecoder.decodeInt64(forKey: Key.expectedReceiveSize)))
            ?? .unknown
        super.init()
        if decodedID == nil { aDecoder.failDecoding(CKOperationGroup.self) }
    }

    /// Encodes everything but the configuration, for a keyed archive.
    public func encode(with coder: NSCoder) {
        coder.encode(operationGroupID, forKey: Key.operationGroupID)
        coder.encode(name, forKey: Key.name)
        coder.encode(Int64(quantity), forKey: Key.quantity)
        coder.encode(Int64(expectedSendSize.rawValue), forKey: Key.expectedSendSize)
        coder.encode(Int64(expectedReceiveSize.rawValue), forKey: Key.expectedReceiveSize)
    }
}
