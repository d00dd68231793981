import CoreData

/// In-memory stores.
extension SMStore {
    /// Store option: whether the store keeps its data only while it is open, as a store at the URL
    /// `/dev/null` does. Everything else works as with a file, sync included. The data is in a folder of the
    /// temporary directory, which is removed with the store.
    @nonobjc public static let SMStoreInMemoryOption = "SMStoreInMemoryOption"

    /// Whether the data is removed with the store.
    @nonobjc var isTransient: Bool {
        url?.isNullDevice == true || isSet(Self.SMStoreInMemoryOption)
    }

    /// Where the file is.
    @nonobjc var fileURL: URL? { isTransient ? transientFolder.file : url }
}

extension URL {
    /// Whether the URL is that of the null device, however it is spelled.
    var isNullDevice: Bool { standardizedFileURL.path == "/dev/null" }
}

/// The folder of an in-memory store, which is removed with it.
final class TransientFolder {
    private let url = PrivateFile.temporaryFolder("Seam3")

    /// The store's file, whose folder is created on first use.
    private(set) lazy var file: URL = {
        // If this fails, opening the file fails as well and reports the error.
        try? PrivateFile.makeFolder(at: url)
        return url.appendingPathComponent("Store.sqlite")
    }()

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
