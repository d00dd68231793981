import Foundation

/// The notifications of one name that an object posts from now on, on whatever queue.
public final class NotificationStream: @unchecked Sendable {
    // Unchecked because nothing changes after the initializer.

    /// A notification on its way to the one who waits for it.
    private struct Posted: @unchecked Sendable {
        // Unchecked because it is immutable.
        let notification: Notification
    }

    private let stream: AsyncStream<Posted>
    private let observer: any NSObjectProtocol

    /// Observes from now on.
    public init(_ name: Notification.Name, of object: AnyObject) {
        let (stream, continuation) = AsyncStream.makeStream(of: Posted.self)
        self.stream = stream
        observer = NotificationCenter.default.addObserver(
            forName: name, object: object, queue: nil
        ) { notification in
            continuation.yield(Posted(notification: notification))
        }
    }

    deinit {
        NotificationCenter.default.removeObserver(observer)
    }

    /// What the next notification carries.
    public func next() async -> [AnyHashable: Any]? {
        for await posted in stream { return posted.notification.userInfo }
        return nil
    }
}
