#if !os(Linux)
import Dispatch
import Foundation
import PrivateFiles

/// Notifies other processes of changes on Apple's systems: the sender writes to a file for the
/// topic, and listeners watch that file.
///
/// Unlike a socket, a file also reports this process's own signals, which are redundant.
final class SignalFiles: SignalChannel, @unchecked Sendable {
    // Unchecked because the lock guards the mutable state; Dispatch only lacks the annotation.

    let name = ""
    private let directory: URL
    private let receive: @Sendable (String) -> Void
    private let lock = NSLock()
    private var sources: [String: any DispatchSourceFileSystemObject] = [:]

    init(directory: URL, _ receive: @escaping @Sendable (String) -> Void) throws {
        self.directory = directory
        self.receive = receive
        try PrivateFile.makeFolder(at: directory)
    }

    deinit {
        for source in sources.values { source.cancel() }
    }

    func listen(to topic: String) throws {
        try lock.locked {
            guard sources[topic] == nil else { return }
            let path = Self.file(topic, in: directory).path
            // Another process may create it at the same time, with the same result.
            if !FileManager.default.fileExists(atPath: path) {
                FileManager.default.createFile(atPath: path, contents: Data())
            }
            let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: descriptor, eventMask: [.write, .extend, .attrib],
                queue: DispatchQueue(label: "LocalCloud signals"))
            let receive = receive
            source.setEventHandler { receive(topic) }
            source.setCancelHandler { close(descriptor) }
            source.resume()
            sources[topic] = source
        }
    }

    static func send(_ message: String, to directory: URL, except own: String?) {
        // If the file does not exist, nobody has listened yet.
        let descriptor = open(file(message, in: directory).path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // The content does not matter, only the write.
        var byte: UInt8 = 0
        pwrite(descriptor, &byte, 1, 0)
    }

    private static func file(_ topic: String, in directory: URL) -> URL {
        directory.appendingPathComponent(topic.replacingOccurrences(of: "/", with: ","))
    }
}
#endif
