import CloudKit
import CoreData

/// What an app has chosen for a store's sync; may change at any time.
final class SyncSettings: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// Where the records go.
    enum Container {
        case standard
        case identifier(String)
        case container(any SMCloudContainer)
    }

    // What ``SMStore`` calls by its public names.
    typealias ResolutionBlock = (CKRecord, CKRecord, CKRecord) -> CKRecord
    typealias AccountHandler = @Sendable (SMAccountChange) async -> SMAccountChangeResponse
    typealias ZoneHandler = @Sendable (SMZoneLoss) async -> SMZoneLossResponse

    private let lock = NSLock()
    private var chosenPolicies: ConflictPolicies
    private var chosenBlock: ResolutionBlock?
    private var chosenAccountHandler: AccountHandler?
    private var chosenZoneHandler: ZoneHandler?
    private var chosenInterval: TimeInterval?
    private let choice: Container
    private var madeContainer: (any SMCloudContainer)?

    init(container: Container, policy: SMSyncConflictResolutionPolicy) {
        choice = container
        chosenPolicies = ConflictPolicies(standard: policy)
    }

    var policies: ConflictPolicies {
        get { lock.locked { chosenPolicies } }
        set { lock.locked { chosenPolicies = newValue } }
    }

    var resolutionBlock: ResolutionBlock? {
        get { lock.locked { chosenBlock } }
        set { lock.locked { chosenBlock = newValue } }
    }

    var accountChangeHandler: AccountHandler? {
        get { lock.locked { chosenAccountHandler } }
        set { lock.locked { chosenAccountHandler = newValue } }
    }

    var zoneLossHandler: ZoneHandler? {
        get { lock.locked { chosenZoneHandler } }
        set { lock.locked { chosenZoneHandler = newValue } }
    }

    var syncInterval: TimeInterval? {
        get { lock.locked { chosenInterval } }
        set { lock.locked { chosenInterval = newValue } }
    }

    /// What is to be done about a loss: what the app chooses, or else the default.
    func response(to loss: SMZoneLoss) async -> SMZoneLossResponse {
        await zoneLossHandler?(loss) ?? loss.defaultResponse
    }

    /// The container, if it has been used.
    var usedContainer: (any SMCloudContainer)? { lock.locked { madeContainer } }

    /// The container, made at its first use: an app without the entitlement can open the
    /// store and is stopped only when it syncs.
    var container: any SMCloudContainer {
        lock.locked {
            if let madeContainer { return madeContainer }
            let container: any SMCloudContainer
            switch choice {
            case .standard: container = CKContainer.default()
            case .identifier(let identifier): container = CKContainer(identifier: identifier)
            case .container(let given): container = given
            }
            madeContainer = container
            return container
        }
    }
}
