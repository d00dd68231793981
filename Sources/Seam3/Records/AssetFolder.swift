import CloudKit
import CoreData

/// The files that assets are uploaded from. The folder is removed when the batch is done.
final class AssetFolder {
    private let url: URL
    private var isMade = false

    init() {
        url = PrivateFile.temporaryFolder("SMStore-assets")
    }

    deinit {
        // The folder is in the temporary directory, which the system clears if removing the folder
        // fails.
        if isMade { try? FileManager.default.removeItem(at: url) }
    }

    /// Creates an asset from bytes.
    func asset(_ data: Data) throws -> CKAsset {
        if !isMade {
            try PrivateFile.makeFolder(at: url)
            isMade = true
        }
        let file = url.appendingPathComponent(UUID().uuidString)
        try PrivateFile.write(data, to: file)
        return CKAsset(fileURL: file)
    }
}
