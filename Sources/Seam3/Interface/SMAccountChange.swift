import CoreData

/// A change of the iCloud account that concerns a store's data. The cases are those of
/// `CKSyncEngine.Event.AccountChange`; users are told by the names of their user records.
public enum SMAccountChange: Equatable, Sendable {
    /// Somebody is signed in for the first time since the store has been there, or since it was
    /// emptied, and it holds objects that were made before.
    case signIn(currentUser: String)
    /// The user whose data the store holds has signed out.
    case signOut(previousUser: String)
    /// Another user than the one whose data the store holds is signed in.
    case switchAccounts(previousUser: String, currentUser: String)
}

/// What becomes of a store's objects after a change of the account.
public enum SMAccountChangeResponse: Sendable {
    /// They stay. After ``SMAccountChange/signIn(currentUser:)`` they are sent to the user's zone,
    /// and merged with what it holds. After the other changes nothing is synchronised, and changes
    /// wait, until the previous user is back. The default.
    case keepLocalData
    /// All objects are removed from the store, also those that were never sent, and whatever the
    /// current user's zone holds is fetched.
    case removeLocalData
}
