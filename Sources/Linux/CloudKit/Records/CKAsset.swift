import CloudKitService

/// A field's value that is a file, stored beside the record rather than in it.
///
/// The file is read when the record is saved, not before. An asset that was fetched has a file in
/// the container's cache: copy or move it if it is needed for longer than the record.
open class CKAsset: NSObject, NSSecureCoding, @unchecked Sendable {
    // Unchecked because NSObject subclasses cannot be checked; all properties are constants.

    /// Where the file is, or nil if it was not downloaded, as in the server's record of a conflict.
    public let fileURL: URL?

    /// What the service knows of the file, if the asset came from there.
    let uploaded: AssetDictionary?

    /// Creates an asset from a local file, which is left where it is. The URL of anything else is
    /// an exception, as on Apple's systems.
    public init(fileURL: URL) {
        guard fileURL.isFileURL else { _raise("NSInvalidArgumentException", "Non-file URL") }
        self.fileURL = fileURL
        uploaded = nil
    }

    /// An asset as it came from the service or out of an archived record.
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
        uploaded = coder.decode(NSData.self, forKey: Key.uploaded).flatMap { data in
            try? PropertyListDecoder().decode(
                AssetDictionary.self, from: Data(referencing: data))
        }
        super.init()
        if fileURL == nil, uploaded == nil { return nil }
    }

    /// Encodes the file's place, not its bytes, for a keyed archive.
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

    /// Where the file is.
    open override var description: String {
        "<CKAsset; path=\(fileURL?.path ?? "(not downloaded)")>"
    }
}
