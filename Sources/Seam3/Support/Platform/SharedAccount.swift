import CloudKit
import CoreData

extension SMCloudContainer {
    /// Whether a notification of a changed account concerns this container. It may name another instance, or none.
    func isConcerned(by notification: Notification) -> Bool {
        guard let other = notification.object as? any SMCloudContainer else { return true }
        if other === self { return true }
        guard let own = self as? CKContainer, let other = other as? CKContainer else {
            return false
        }
        return own.sharesAccount(with: other)
    }
}

extension CKContainer {
    #if canImport(ObjectiveC)
    /// Whether both have the same account: a process has one.
    fileprivate func sharesAccount(with other: CKContainer) -> Bool { true }
    #else
    /// Whether both have the same account: each device of a service has its own.
    fileprivate func sharesAccount(with other: CKContainer) -> Bool {
        device == other.device && service as AnyObject === other.service as AnyObject
    }
    #endif
}
