import Foundation

/// Notifies processes that share a directory of changes.
protocol SignalChannel: Sendable {
    /// Distinguishes this channel from others.
    var name: String { get }

    /// Opens a channel in a directory, which is created if necessary.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - receive: Called with each message.
    init(directory: URL, _ receive: @escaping @Sendable (String) -> Void) throws

    /// Makes sure that messages about a topic are received.
    func listen(to topic: String) throws

    /// Sends a message to all channels of a directory.
    ///
    /// - Parameters:
    ///   - message: The topic.
    ///   - directory: The directory.
    ///   - own: The channel that need not get it.
    static func send(_ message: String, to directory: URL, except own: String?)
}

#if os(Linux)
typealias SystemSignalChannel = SignalSocket
#else
typealias SystemSignalChannel = SignalFiles
#endif
