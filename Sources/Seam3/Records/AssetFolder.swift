import CloudKit
import CoreData

/// The files that assets are uploaded from; removed with the folder when the batch is done.
final class AssetFolder {
    private let url: URL
    private var isMade = false

    init() {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("SMStore-assets-\(UUID().uuidString)", isDirectory: true)
    }

    deinit {
        // A folder that cannot be removed is in the temporary directory, which the system clears.
        if isMade { try? FileManager.default.removeItem(at: url) }
    }

    /// An asset with some bytes.
    func asset(_ data: Data) throws -> CKAsset {
        if !isMade {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            isMade = true
        }
        let file = url.appendingPathComponent(UUID().uuidString)
        try data.write(to: file)
        return CKAsset(fileURL: file)
    }
}
