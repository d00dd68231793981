import CloudKitService

/// Signing in and out. All affected devices in all processes are notified of a change.
extension LocalCloud {
    /// Signs a user in.
    ///
    /// A user is identified by name, need not be created first, and has private databases of their
    /// own. Until this is called, the user `default` is signed in everywhere.
    ///
    /// - Parameters:
    ///   - user: The user's name.
    ///   - device: The device, and those whose names continue its name after a slash. Nil: all
    ///     devices.
    ///   - container: The container. Nil: all containers.
    /// - Throws: `internalError` if the cloud's file cannot be written.
    public func signIn(
        _ user: String, device: String? = nil, container: String? = nil
    ) throws(CloudKitServiceError) {
        try setAccount(.available, user: user, device: device, container: container)
    }

    /// Signs the user out: the status is then `noAccount`.
    ///
    /// - Parameters:
    ///   - device: The device, and those whose names continue its name after a slash. Nil: all
    ///     devices.
    ///   - container: The container. Nil: all containers.
    /// - Throws: `internalError` if the cloud's file cannot be written.
    public func signOut(
        device: String? = nil, container: String? = nil
    ) throws(CloudKitServiceError) {
        try setAccount(.noAccount, user: nil, device: device, container: container)
    }

    /// Sets the status of the account; the user stays the same.
    ///
    /// - Parameters:
    ///   - status: The status.
    ///   - device: The device, and those whose names continue its name after a slash. Nil: all
    ///     devices.
    ///   - container: The container. Nil: all containers.
    /// - Throws: `internalError` if the cloud's file cannot be written.
    public func setAccountStatus(
        _ status: AccountStatus, device: String? = nil, container: String? = nil
    ) throws(CloudKitServiceError) {
        try setAccount(status, user: nil, device: device, container: container)
    }

    private func setAccount(
        _ status: AccountStatus, user: String?, device: String?, container: String?
    ) throws(CloudKitServiceError) {
        try accounts.set(status: status, user: user, container: container, device: device)
        if let device { configuredDevices.note(device) }
        if let container { configuredContainers.note(container) }
        signal.post(topic: ChangeSignal.accountsTopic)
    }
}
