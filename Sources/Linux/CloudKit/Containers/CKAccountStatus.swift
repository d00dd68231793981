import CloudKitService

/// Whether there is an account, and whether it can be used.
public enum CKAccountStatus: Int, Sendable {
    /// It is not known: try again.
    case couldNotDetermine = 0

    /// There is an account, and it can be used.
    case available = 1

    /// Parental controls or a device manager forbid it.
    case restricted = 2

    /// Nobody is signed in.
    case noAccount = 3

    /// There is an account, but it needs attention: keep what is cached, and wait.
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
    /// Posted on any thread when the account has changed in any way, while there is a container.
    /// Ask the container for its account status then.
    public static let CKAccountChanged = NSNotification.Name("CKAccountChangedNotification")
}
