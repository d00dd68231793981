import CoreData

/// Stores whose data go with them.
extension SMStore {
    /// Store option: whether the store keeps its data only as long as it is open, as one at the URL
    /// `/dev/null` does. Everything else works as with a file, synchronisation included. The data are in
    /// a folder of the temporary directory that is removed with the store.
    @nonobjc public static let SMStoreInMemoryOption = "SMStoreInMemoryOption"

    /// Whether the data go with the store.
    @nonobjc var isTransient: Bool { url?.path == "/dev/null" || isSet(Self.SMStoreInMemoryOption) }

    /// Where the file is.
    @nonobjc var fileURL: URL? { isTransient ? transientFolder.file : url }
}

/// The folder of a store that keeps nothing, removed with it.
final class TransientFolder {
    private let url = FileManager.default.temporaryDirectory
        .appendingPathComponent("Seam3-\(UUID().uuidString)")

    /// The store's file, whose folder is made when it is first asked for.
    private(set) lazy var file: URL = {
        // If this fails, opening the file does, too, and says so.
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url.appendingPathComponent("Store.sqlite")
    }()

    deinit {
        try? FileManager.default.removeItem(at: url)
    }
}
