/// The value of an asset field: a file that the server stores outside the record.
public struct AssetDictionary: Hashable, Sendable, Codable {
    /// The server's signature of the content.
    public var fileChecksum: String?
    /// The size in bytes.
    public var size: Int64?
    /// Proves the upload when the record is saved.
    public var receipt: String?
    /// The signature of the encrypted content, in private databases.
    public var referenceChecksum: String?
    /// The key of the encrypted content, in private databases.
    public var wrappingKey: String?
    /// The URL of the content, in records that were fetched.
    public var downloadURL: String?

    /// Creates an asset value.
    public init(
        fileChecksum: String? = nil,
        size: Int64? = nil,
        receipt: String? = nil,
        referenceChecksum: String? = nil,
        wrappingKey: String? = nil,
        downloadURL: String? = nil
    ) {
        self.fileChecksum = fileChecksum
        self.size = size
        self.receipt = receipt
        self.referenceChecksum = referenceChecksum
        self.wrappingKey = wrappingKey
        self.downloadURL = downloadURL
    }
}
