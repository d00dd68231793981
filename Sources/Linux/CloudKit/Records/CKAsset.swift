import CloudKitService
import FoundationGaps

/// A field's value that is a file, stored beside the record instead of in it.
///
/// The file is read when the record is saved, not before. The file of a fetched asset is in the
/// container's cache: copy or move it if you need it longer than the record.
open class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// The URL of the file; nil if it was not downloaded, as in the server's record of a conflict.
    public let fileURL: URL?

    /// The service's description of the file, if the asset came from the service.
    let uploaded: AssetDictionary?

    /// Creates an asset from a local file, which is not moved. Any other URL raises an exception,
    /// as on Apple's systems.
    public init(fileURL: URL) {
        guard fileURL.isFileURL else { _raise("NSInvalidArgumentException", "Non-file URL") }
        self.fileURL = fileURL
        uploaded = nil
    }

    /// An asset from the service or from an archived record.
    init(fileURL: URL?, uploaded: AssetDictionary?) {
        self.fileURL = fileURL
        self.uploaded = uploaded
    }

    // MARK: - NSSecureCoding

    private enum Key {
        static let fileURL = "FileURL"
        static let uploaded = "Uploaded"
    }

    /// Assets decode securely.
    public static var supportsSecureCoding: Bool { true }

    /// Decodes an asset that ``encode(with:)`` wrote. Its file may be gone by then.
    public required init?(coder: NSCoder) {
        fileURL = coder.decodeString(forKey: Key.fileURL).map { URL(fileURLWithPath: $0) }
        uploaded = coder.decode(NSData.self, forKey: Key.uploaded).flatMap { archived in
            let data = Data(referencing: archived)
            guard BinaryPropertyListReader.isModest(data) else { return nil }
            return try? PropertyListDecoder().decode(AssetDictionary.self, from: data)
        }
        super.init()
        if fileURL == nil, uploaded == nil { return nil }
    }

    /// Encodes the file's URL, not its bytes, for a keyed archive.
    public func encode(with coder: NSCoder) {
        if let fileURL { coder.encode(fileURL.path, forKey: Key.fileURL) }
        guard let uploaded else { return }
        do {
            let data = try PropertyListEncoder().encode(uploaded)
            coder.encode(NSData(data: data), forKey: Key.uploaded)
        } catch {
            coder.failWithError(error)
        }
    }

    /// The URL of the file.
    open override var description: String {
        "<CKAsset; path=\(fileURL?.path ?? "(not downloaded)")>"
    }
}
