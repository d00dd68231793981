// Linux only. On Apple's systems the system delivers pushes to the app's delegate.

extension CKContainer {
    /// Called with the user info of each push for this device, one at a time, on any thread.
    ///
    /// The dictionary is the one that an app delegate receives on Apple's systems: pass it to
    /// `CKNotification(fromRemoteNotificationDictionary:)`. Changes made through this container do
    /// not send it pushes. Setting a handler registers the device; the registration is complete
    /// when any later request has been answered, or when ``registerForRemoteNotifications()``
    /// returns.
    public var remoteNotificationHandler: (@Sendable ([AnyHashable: Any]) -> Void)? {
        get { pushReceiver.handler }
        set { pushReceiver.handler = newValue }
    }

    /// Registers this device for pushes, and returns when no later push can be missed.
    public func registerForRemoteNotifications() async throws {
        try await pushReceiver.register()
    }
}
