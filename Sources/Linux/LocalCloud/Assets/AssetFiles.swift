import CloudKitService
import Foundation
import PrivateFiles

/// The bytes of assets: one file for each, in a directory for each container. A cloud in memory
/// uses a temporary directory, which is removed with the instance.
final class AssetFiles: @unchecked Sendable {
    // Unchecked because `temporary` is accessed only while `lock` is held.
    private let lock = NSLock()
    private var temporary: URL?
    private let directory: URL?

    init(directory: URL?) { self.directory = directory }

    deinit {
        // If this fails, the system clears the directory eventually.
        if let temporary { try? FileManager.default.removeItem(at: temporary) }
    }

    private func folder(of store: ContainerStore) throws -> URL {
        let folder = root.appendingPathComponent(store.key + "/Assets", isDirectory: true)
        try PrivateFile.makeFolder(at: folder)
        return folder
    }

    /// The files of a store that were last changed before a date.
    func files(changedBefore date: Date, store: ContainerStore) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(
            at: folder(of: store), includingPropertiesForKeys: nil
        ).filter { file in
            // A copy may keep the dates of its original; only the inode tells when it was created.
            var status = stat()
            guard stat(file.path, &status) == 0 else { return false }
            return TimeInterval(status.changeSeconds) < date.timeIntervalSince1970
        }
    }

    /// The URL of an asset's bytes.
    func file(receipt: String, store: ContainerStore) throws -> URL {
        try folder(of: store).appendingPathComponent(ContainerStores.fileName(of: receipt))
    }

    /// A copied file, and its attributes before the copy.
    struct Copy: Sendable {
        let size: Int64
        let checksum: String
        fileprivate let source: URL
        fileprivate let attributes: Attributes
    }

    /// Copies a file into the cloud or out of it.
    ///
    /// - Returns: Its size and a checksum of its content.
    func copy(_ source: URL, to destination: URL) throws(CloudKitServiceError) -> Copy {
        let before = try attributes(of: source)
        guard before.isFile else {
            throw CloudKitServiceError(
                .assetNotAvailable, reason: "There is a folder instead of a file at \(source.path)")
        }
        do {
            try FileManager.default.copyItem(at: source, to: destination)
            // A copy has the mode of its original.
            PrivateFile.restrict(destination)
        } catch {
            throw CloudKitServiceError(
                .assetNotAvailable, reason: "\(source.path) cannot be read: \(error)")
        }
        do {
            return Copy(
                size: before.size, checksum: try checksum(of: destination), source: source,
                attributes: before)
        } catch {
            remove([destination])
            throw error
        }
    }

    /// Checks that a file has not changed since the copy began.
    ///
    /// - Throws: `ASSET_FILE_MODIFIED`; `ASSET_FILE_NOT_FOUND` if it is gone.
    func checkSource(of copy: Copy) throws(CloudKitServiceError) {
        guard try attributes(of: copy.source) == copy.attributes else {
            throw CloudKitServiceError(
                .assetFileModified, reason: "\(copy.source.path) changed during its upload")
        }
    }

    func remove(_ files: [URL]) {
        // A file that cannot be removed is unused space, and is found again by the next cleanup.
        for file in files { try? FileManager.default.removeItem(at: file) }
    }

    struct Attributes: Equatable, Sendable {
        var isFile: Bool
        var size: Int64
        var modified: Date?
    }

    private func attributes(of file: URL) throws(CloudKitServiceError) -> Attributes {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            return Attributes(
                isFile: attributes[.type] as? FileAttributeType == .typeRegular,
                size: (attributes[.size] as? NSNumber)?.int64Value ?? 0,
                modified: attributes[.modificationDate] as? Date)
        } catch {
            throw CloudKitServiceError(
                .assetFileNotFound, reason: "There is no file at \(file.path)")
        }
    }

    private func checksum(of file: URL) throws(CloudKitServiceError) -> String {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            while let chunk = try handle.read(upToCount: 1 << 20), !chunk.isEmpty {
                chunk.withUnsafeBytes { bytes in
                    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
                }
            }
            return String(hash, radix: 16)
        } catch {
            throw CloudKitServiceError(
                .assetNotAvailable, reason: "\(file.path) cannot be read: \(error)")
        }
    }

    private var root: URL {
        if let directory { return directory }
        return lock.locked {
            if let temporary { return temporary }
            let made = PrivateFile.temporaryFolder("LocalCloud")
            temporary = made
            return made
        }
    }
}

extension stat {
    /// When the inode was last changed. The member is one for which the systems have different names.
    fileprivate var changeSeconds: Int {
        #if os(Linux)
        return st_ctim.tv_sec
        #else
        return st_ctimespec.tv_sec
        #endif
    }
}
