/// The records of one container that one circle of people can see.
public final class CKDatabase: NSObject, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// Which database of a container it is.
    public enum Scope: Int, Sendable {
        /// Everybody's.
        case `public` = 1

        /// The signed-in user's own.
        case `private` = 2

        /// What others share with the signed-in user.
        case shared = 3
    }

    /// Which database of the container it is.
    public let databaseScope: Scope

    init(databaseScope: Scope) {
        self.databaseScope = databaseScope
    }
}
