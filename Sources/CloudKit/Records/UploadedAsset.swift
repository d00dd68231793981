/// What the service knows of an asset that it holds: enough to name it again without its bytes.
struct UploadedAsset: Codable, Hashable, Sendable {
    /// The service's signature of the bytes.
    var fileChecksum: String?

    /// The number of bytes.
    var size: Int64?

    /// The proof that the bytes were uploaded.
    var receipt: String?

    /// Where the bytes can be downloaded.
    var downloadURL: String?

    init(
        fileChecksum: String? = nil, size: Int64? = nil, receipt: String? = nil,
        downloadURL: String? = nil
    ) {
        self.fileChecksum = fileChecksum
        self.size = size
        self.receipt = receipt
        self.downloadURL = downloadURL
    }

    /// Reads the text that ``archived`` gave.
    init?(archived: String) {
        guard let asset = try? JSONDecoder().decode(Self.self, from: Data(archived.utf8)) else {
            return nil
        }
        self = asset
    }

    /// The asset as JSON, for a keyed archive.
    var archived: String {
        // Four optional scalars always encode; an empty object decodes to an unknown asset.
        (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
