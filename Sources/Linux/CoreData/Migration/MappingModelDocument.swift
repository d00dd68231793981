import FoundationGaps

/// The file of a mapping model: a compiled one (`.cdm`) or its source (`.xcmappingmodel`).
struct MappingModelDocument {
    let url: URL

    /// The extensions of the files and folders that contain a mapping model.
    static let extensions: Set<String> = ["cdm", "xcmappingmodel"]

    /// The name without an extension.
    var name: String { url.deletingPathExtension().lastPathComponent }

    /// Whether Xcode's editor wrote the file. The plugin ManagedObjectClasses also puts such a file under
    /// the name of a compiled one.
    var isSource: Bool { SourceMappingModelReader.file(at: url) != nil }

    /// The mappings of the entities.
    ///
    /// - Throws: A `ManagedObjectModelFileError` that names the file and what is wrong with it.
    func mappings() throws -> [NSEntityMapping] {
        guard isSource else { return try CompiledMappingModelReader.read(from: url) }
        let source = try SourceMappingModelReader.read(from: url)
        guard let old = source.sourceModel, let new = source.destinationModel else {
            throw ManagedObjectModelFileError(
                url: url, line: nil, element: "XDDEVMAPPINGMODEL", attribute: nil,
                reason: "it has no copies of its models that can be read, without which its "
                    + "mappings are not complete; with the models themselves, "
                    + "NSMappingModel(from:forSourceModel:destinationModel:) reads it")
        }
        return try checked(source.mappings(from: old, to: new), from: old, to: new)
    }

    /// The mappings between two models; nil if the file's mappings are between other models.
    ///
    /// - Throws: A `ManagedObjectModelFileError` that names the file and the problem.
    func mappings(
        from source: NSManagedObjectModel, to destination: NSManagedObjectModel
    ) throws -> [NSEntityMapping]? {
        guard isSource else {
            let mappings = try CompiledMappingModelReader.read(from: url)
            return mappings.fit(from: source, to: destination) ? mappings : nil
        }
        let model = try SourceMappingModelReader.read(from: url)
        let mappings = model.mappings(from: source, to: destination)
        switch model.fitsByVersionHashes(from: source, to: destination) {
        case true?: return try checked(mappings, from: source, to: destination)
        case false?: return nil
        case nil: return mappings.fit(from: source, to: destination) ? mappings : nil
        }
    }

    /// Refuses mappings of entities or properties that the models lack, because no migration could
    /// carry them out.
    private func checked(
        _ mappings: [NSEntityMapping], from source: NSManagedObjectModel,
        to destination: NSManagedObjectModel
    ) throws -> [NSEntityMapping] {
        for mapping in mappings {
            guard let name = mapping.unknownName(from: source, to: destination) else { continue }
            throw ManagedObjectModelFileError(
                url: url, line: nil, element: "entity mapping \(mapping.name ?? "")",
                attribute: nil, reason: "its models have no '\(name)' where it refers to it")
        }
        return mappings
    }
}
