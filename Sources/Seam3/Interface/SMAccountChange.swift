import CoreData

/// A change of the iCloud account that affects a store's data. The cases are those of
/// `CKSyncEngine.Event.AccountChange`; users are identified by the names of their user records.
public enum SMAccountChange: Equatable, Sendable {
    /// Somebody has signed in for the first time since the store was created or emptied, and it already
    /// contains objects.
    case signIn(currentUser: String)
    /// The user whose data the store holds has signed out.
    case signOut(previousUser: String)
    /// A different user than the one whose data the store holds is signed in.
    case switchAccounts(previousUser: String, currentUser: String)
}

/// What happens to a store's objects after a change of the account.
public enum SMAccountChangeResponse: Sendable {
    /// They stay. The default. After ``SMAccountChange/signIn(currentUser:)`` they are sent to the user's
    /// zone and merged with what it contains. After the other changes nothing is synced, and changes wait,
    /// until the previous user is back.
    case keepLocalData
    /// All objects are removed from the store, including those that were never sent, and the contents of
    /// the current user's zone are fetched.
    case removeLocalData
}
