import Foundation

/// Files and folders that no other user of the machine can read.
///
/// The folder for temporary files is shared by all users on some systems, and what is made there has the mode that the
/// process's mask leaves, which mostly lets everybody read it.
public enum PrivateFile {
    private static let ofFile = 0o600
    private static let ofFolder = 0o700
    private static let databases = NSLock()

    /// A new folder in the folder for temporary files.
    ///
    /// - Parameter name: What its name begins with.
    public static func newTemporaryFolder(_ name: String) throws -> URL {
        let folder = temporaryFolder(name)
        // It must not exist: another user may have made it, or a link in its place.
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: NSNumber(value: ofFolder)])
        return folder
    }

    /// The URL for a folder that is made later, with ``makeFolder(at:)``.
    ///
    /// - Parameter name: What its name begins with.
    public static func temporaryFolder(_ name: String) -> URL {
        FileManager.default.temporaryDirectory
            .appendingPathComponent("\(name)-\(UUID().uuidString)", isDirectory: true)
    }

    /// Calls a closure with a new folder, which ends with the call.
    ///
    /// - Parameters:
    ///   - name: What its name begins with.
    ///   - body: Uses the folder.
    public static func withTemporaryFolder<T>(_ name: String, _ body: (URL) throws -> T) throws -> T
    {
        let folder = try newTemporaryFolder(name)
        // If this fails, the system clears the folder eventually.
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    /// Makes a folder, or lets nobody else read the one that is there. Folders that are missing above it are made in the
    /// same way.
    ///
    /// - Parameter folder: The folder.
    public static func makeFolder(at folder: URL) throws {
        try makeFolderIfMissing(at: folder)
        restrict(folder, to: ofFolder)
    }

    /// Makes a folder, and leaves one that is there as it is.
    ///
    /// - Parameter folder: The folder.
    public static func makeFolderIfMissing(at folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: NSNumber(value: ofFolder)])
    }

    /// Writes a new file.
    ///
    /// - Parameters:
    ///   - data: The contents.
    ///   - file: The file, which must not exist.
    public static func write(_ data: Data, to file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(ofFile))
        guard descriptor >= 0 else {
            throw CocoaError(
                .fileWriteUnknown,
                userInfo: [
                    NSFilePathErrorKey: file.path,
                    NSUnderlyingErrorKey: POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO),
                ])
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        defer { try? handle.close() }
        try handle.write(contentsOf: data)
    }

    /// Makes an empty file for a database, or lets nobody else read the one that is there. SQLite makes the files beside it
    /// with the same mode.
    ///
    /// - Parameter path: The path of the database.
    public static func prepareDatabase(atPath path: String) {
        // A process loses its locks on a file when it closes one of its descriptors.
        databases.lock()
        defer { databases.unlock() }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(ofFile))
        if descriptor >= 0 {
            close(descriptor)
            return
        }
        // If it cannot be made, opening the database reports why.
        for suffix in ["", "-wal", "-shm", "-journal"] {
            restrict(URL(fileURLWithPath: path + suffix))
        }
    }

    /// Lets nobody else read a file that is there. That of another user stays as it is.
    ///
    /// - Parameter file: The file.
    public static func restrict(_ file: URL) { restrict(file, to: ofFile) }

    private static func restrict(_ url: URL, to mode: Int) {
        var status = stat()
        // Setting the mode of a file changes the date of its status.
        guard stat(url.path, &status) == 0, Int(status.st_mode) & 0o777 & ~mode != 0 else { return }
        chmod(url.path, mode_t(Int(status.st_mode) & 0o777 & mode))
    }
}
