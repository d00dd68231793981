import Foundation

/// How processes that share a directory tell each other that something has changed.
protocol SignalChannel: Sendable {
    /// What others are distinguished from this one by.
    var name: String { get }

    /// Opens a channel in a directory, which is made if there is none.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - receive: Called with each message.
    init(directory: URL, _ receive: @escaping @Sendable (String) -> Void) throws

    /// Sees that messages about a topic are received.
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
