import Foundation

/// The future notifications of an object with one name, on any queue.
public final class NotificationStream: @unchecked Sendable {
    // Unchecked because it is immutable after its initialization.

    /// A notification on its way to the waiting task.
    private struct Posted: @unchecked Sendable {
        // Unchecked because it is immutable.
        let notification: Notification
    }

    private let stream: AsyncStream<Posted>
    private let observer: any NSObjectProtocol

    /// Starts observing.
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

    /// The user info of the next notification.
    public func next() async -> [AnyHashable: Any]? {
        for await posted in stream { return posted.notification.userInfo }
        return nil
    }
}
