import FoundationGaps

/// A reference to a version of a model that is read when needed.
open class NSManagedObjectModelReference: NSObject {
    private enum Origin {
        case model(NSManagedObjectModel)
        case file(URL)
        case name(String, Bundle?)
        case hashes([AnyHashable: Any], Bundle?)
    }

    /// The checksum of the version; see `NSManagedObjectModel.versionChecksum`.
    public final let versionChecksum: String

    private let origin: Origin
    private lazy var found: NSManagedObjectModel = find()

    /// Creates a reference to a model in memory.
    public init(model: NSManagedObjectModel, versionChecksum: String) {
        origin = .model(model)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Creates a reference to the file of a version.
    public init(fileURL: URL, versionChecksum: String) {
        origin = .file(fileURL)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Creates a reference to a version in a bundle by its name, such as `Model 2`; nil for the
    /// main bundle.
    public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
        origin = .name(modelName, bundle)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// Creates a reference to a version in a bundle by the version hashes of its entities; nil for
    /// the main bundle.
    public init(
        entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?,
        versionChecksum: String
    ) {
        origin = .hashes(versionHash, bundle)
        self.versionChecksum = versionChecksum
        super.init()
    }

    /// The model. Stops the process if it is not found, or if its checksum differs: as in Apple's
    /// framework, that is a programming error.
    public final var resolvedModel: NSManagedObjectModel { found }

    private func find() -> NSManagedObjectModel {
        guard let model = candidate() else {
            raise(.invalidArgument, "Unable to resolve the model of \(self).")
        }
        guard model.versionChecksum == versionChecksum else {
            raise(
                .invalidArgument,
                "The resolved model's checksum '\(model.versionChecksum)' is not the expected"
                    + " '\(versionChecksum)'.")
        }
        return model
    }

    private func candidate() -> NSManagedObjectModel? {
        switch origin {
        case .model(let model): model
        case .file(let url): NSManagedObjectModel(contentsOf: url)
        case .name(let name, let bundle):
            Self.versions(in: bundle).first {
                $0.deletingPathExtension().lastPathComponent == name
            }.flatMap { NSManagedObjectModel(contentsOf: $0) }
        case .hashes(let hashes, let bundle):
            Self.versions(in: bundle).lazy.compactMap { NSManagedObjectModel(contentsOf: $0) }
                .first { $0.entityVersionHashesByName == hashes as? [String: Data] }
        }
    }

    private static func versions(in bundle: Bundle?) -> [URL] {
        ModelSearch.urls(in: bundle.map { [$0] }).flatMap { url in
            (try? ModelDocument(url: url).versions()) ?? []
        }
    }
}
