import CloudKitService

/// Whether there is an account, and whether it can be used.
public enum CKAccountStatus: Int, Sendable {
    /// The status is unknown: try again.
    case couldNotDetermine = 0

    /// There is an account, and it can be used.
    case available = 1

    /// Parental controls or device management forbid it.
    case restricted = 2

    /// Nobody is signed in.
    case noAccount = 3

    /// There is an account, but it needs attention: keep cached data, and wait.
    case temporarilyUnavailable = 4
}

extension CKAccountStatus {
    init(_ status: AccountStatus) {
        switch status {
        case .couldNotDetermine: self = .couldNotDetermine
        case .available: self = .available
        case .restricted: self = .restricted
        case .noAccount: self = .noAccount
        case .temporarilyUnavailable: self = .temporarilyUnavailable
        }
    }
}

extension NSNotification.Name {
    /// Posted on any thread when the account has changed in any way, while a container exists.
    /// Request the container's account status then.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChangedNotification")
}
