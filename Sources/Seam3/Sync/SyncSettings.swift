import CloudKit
import CoreData

/// The app's settings for a store's sync, which may change at any time.
final class SyncSettings: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// The container for the records.
    enum Container {
        case standard
        case identifier(String)
        case container(any SMCloudContainer)
    }

    // The types of ``SMStore``'s public properties.
    typealias ResolutionBlock = @Sendable (CKRecord, CKRecord, CKRecord) -> CKRecord
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

    /// The container, if it has been created.
    var usedContainer: (any SMCloudContainer)? { lock.locked { madeContainer } }

    /// The container, created at its first use, so that an app without the entitlement can open the
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
