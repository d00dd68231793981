// Linux only. On Apple's systems the system delivers pushes to the app's delegate.

extension CKContainer {
    /// Is called with the user info of each push for this device, one after the other, on any
    /// thread.
    ///
    /// The dictionary is the one that an app delegate gets on Apple's systems: give it to
    /// `CKNotification(fromRemoteNotificationDictionary:)`. Changes that were made through this
    /// container send it no pushes. Setting a handler registers the device; the answer to any
    /// request made after that tells that the registration is done, as does
    /// ``registerForRemoteNotifications()``.
    public var remoteNotificationHandler: (@Sendable ([AnyHashable: Any]) -> Void)? {
        get { pushReceiver.handler }
        set { pushReceiver.handler = newValue }
    }

    /// Registers this device for pushes, and returns when none can be missed any more.
    public func registerForRemoteNotifications() async throws {
        try await pushReceiver.register()
    }
}
