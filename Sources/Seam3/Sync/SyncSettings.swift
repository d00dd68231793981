import CloudKit
import CoreData

/// What an application has chosen for a store's synchronisation; may change at any time.
final class SyncSettings: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// Where the records go.
    enum Container {
        case standard
        case identifier(String)
        case container(CKContainer)
    }

    private let lock = NSLock()
    private var chosenPolicy: SMSyncConflictResolutionPolicy
    private var chosenBlock: SMStore.SMStoreConflictResolutionBlock?
    private let choice: Container
    private var madeContainer: CKContainer?

    init(container: Container, policy: SMSyncConflictResolutionPolicy) {
        choice = container
        chosenPolicy = policy
    }

    var policy: SMSyncConflictResolutionPolicy {
        get { lock.locked { chosenPolicy } }
        set { lock.locked { chosenPolicy = newValue } }
    }

    var resolutionBlock: SMStore.SMStoreConflictResolutionBlock? {
        get { lock.locked { chosenBlock } }
        set { lock.locked { chosenBlock = newValue } }
    }

    /// The container, made at its first use: an application without the entitlement can open the
    /// store and is stopped only when it synchronises.
    var container: CKContainer {
        lock.locked {
            if let madeContainer { return madeContainer }
            let container: CKContainer
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
