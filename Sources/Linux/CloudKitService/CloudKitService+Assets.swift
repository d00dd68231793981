import Foundation
import PrivateFiles

extension CloudKitService {
    /// Opens the file with an asset's bytes, and tells its size.
    ///
    /// A service without files of its own downloads the asset to a temporary one, whose name is
    /// removed at once: the bytes are gone as soon as the file is closed, whatever happens.
    public func openAsset(
        _ asset: AssetDictionary, in context: RequestContext
    ) async throws(CloudKitServiceError) -> (file: FileHandle, size: Int64) {
        let folder = PrivateFile.temporaryFolder("Download")
        // Without its name the file is removed when it is closed.
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("asset")
        do {
            try PrivateFile.makeFolder(at: folder)
        } catch {
            throw CloudKitServiceError(
                .internalError, reason: "\(folder.path) cannot be made: \(error)")
        }
        try await downloadAsset(asset, to: file, in: context)
        return try FileHandle.opened(file)
    }
}

extension FileHandle {
    /// Opens a file with the bytes of an asset for reading.
    package static func opened(
        _ file: URL
    ) throws(CloudKitServiceError) -> (file: FileHandle, size: Int64) {
        do {
            let handle = try FileHandle(forReadingFrom: file)
            let size = try handle.seekToEnd()
            try handle.seek(toOffset: 0)
            return (handle, Int64(size))
        } catch {
            throw CloudKitServiceError(
                .assetNotAvailable, reason: "\(file.path) cannot be read: \(error)")
        }
    }
}
