import FoundationGaps

/// Reads a mapping model as saved by Xcode's editor (`.xcmappingmodel`): a folder with one file, a
/// Core Data XML store of the editor's objects. The file alone may have the extension `.cdm`.
struct SourceMappingModelReader {
    private let file: URL
    private var objects: [String: XMLStoreObject] = [:]

    /// The mapping models that were read, with the versions of their files. An app that migrates through many versions
    /// searches all of its mapping models for each step.
    private static let known = Locked<[URL: (version: FileVersion, model: SourceMappingModel)]>([:])

    /// The file that Xcode's editor wrote, in a folder or by itself.
    ///
    /// - Returns: nil if the mapping model is a compiled one.
    static func file(at url: URL) -> URL? {
        if url.pathExtension == "xcmappingmodel" {
            return url.appendingPathComponent("xcmapping.xml")
        }
        // A file that cannot be opened is reported when it is read.
        guard let handle = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? handle.close() }
        return (try? handle.read(upToCount: 1)) == Data("<".utf8) ? url : nil
    }

    /// The mapping model in a folder or a file.
    ///
    /// - Throws: A `ManagedObjectModelFileError` that names the file and the object at fault.
    static func read(from url: URL) throws -> SourceMappingModel {
        let file = file(at: url) ?? url
        let version = FileVersion(of: file)
        if let version, let known = known.value[file], known.version == version {
            return known.model
        }
        var reader = SourceMappingModelReader(file: file)
        try reader.readObjects()
        let model = try reader.model()
        // Several threads may share them from now on.
        model.sourceModel?.freeze()
        model.destinationModel?.freeze()
        if let version { known.withLock { $0[file] = (version, model) } }
        return model
    }

    /// What changes when a file is written.
    private struct FileVersion: Equatable {
        private let date: Date?
        private let size: UInt64?
        private let number: UInt64?

        /// - Returns: nil if there is no such file.
        init?(of file: URL) {
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            else { return nil }
            date = attributes[.modificationDate] as? Date
            size = attributes[.size] as? UInt64
            number = attributes[.systemFileNumber] as? UInt64
        }
    }

    private init(file: URL) {
        self.file = file
    }

    private mutating func readObjects() throws {
        for node in try database().children(named: "object") {
            let object = XMLStoreObject(node: node, file: file)
            guard objects.updateValue(object, forKey: node["id"] ?? "") == nil else {
                throw object.failure("there are two objects of this identifier")
            }
        }
    }

    private func database() throws -> XMLNode {
        do {
            let root = try XMLReader.root(of: Array(Data(contentsOf: file)))
            if root.name == "database" { return root }
            throw failure("the root element is not 'database'", line: root.line)
        } catch let error as XMLSyntaxError {
            throw failure(error.reason, line: error.line)
        } catch let error as CocoaError {
            throw failure("it cannot be read: \(error.localizedDescription)", line: nil)
        }
    }

    // MARK: - Objects

    private func model() throws -> SourceMappingModel {
        let models = objects.values.filter { $0.type == "XDDEVMAPPINGMODEL" }
        guard models.count == 1, let object = models.first else {
            throw failure("it has \(models.count) mapping models instead of one", line: nil)
        }
        var model = SourceMappingModel()
        model.sourceModel = try copy("sourcemodeldata", of: object)
        model.destinationModel = try copy("destinationmodeldata", of: object)
        let mappings = try related("entitymappings", of: object)
        // Mappings are numbered from 1; one without a number comes last.
        let numbered = try mappings.map { ($0, try $0.integer("mappingnumber") ?? .max) }
        model.entities = try numbered.sorted { $0.1 < $1.1 }.map { try entity($0.0) }
            // Xcode leaves empty mappings behind.
            .filter { $0.sourceName != nil || $0.destinationName != nil }
        return model
    }

    private func copy(
        _ name: String, of object: XMLStoreObject
    ) throws -> NSManagedObjectModel? {
        try object.archive(name).map { archive in
            do {
                return try EditedModelReader.read(archive)
            } catch {
                throw object.failure(
                    "the copy of a model cannot be read: \(error)", attribute: name)
            }
        } ?? nil
    }

    private func entity(_ object: XMLStoreObject) throws -> SourceMappingModel.EntityMapping {
        var mapping = SourceMappingModel.EntityMapping()
        mapping.name = try object.text("name")
        mapping.sourceName = try object.text("sourcename")
        mapping.destinationName = try object.text("destinationname")
        mapping.policyClassName = try object.text("migrationpolicyclassname")
        mapping.filter = try object.text("sourcefilterpredicatestring")
        if let filter = mapping.filter {
            try object.parsing("sourcefilterpredicatestring") {
                _ = try NSPredicate._parsing(filter)
            }
        }
        mapping.sourceExpression = try object.expression("sourceexpressiondata")
        mapping.userInfo = try object.archive("userinfodata")?.object()?.dictionary
        mapping.attributes = try related("attributemappings", of: object).map(property)
        mapping.relationships = try related("relationshipmappings", of: object).map(property)
        return mapping
    }

    private func property(_ object: XMLStoreObject) throws -> SourceMappingModel.PropertyMapping {
        guard let name = try object.text("name") else {
            throw object.failure("a value is required", attribute: "name")
        }
        var mapping = SourceMappingModel.PropertyMapping(name: name)
        mapping.expression = try object.expression("valueexpressiondata")
        mapping.userInfo = try object.archive("userinfodata")?.object()?.dictionary
        mapping.mappingName = try object.text("sourcemappingname")
        if let path = try object.text("sourcekeypath") {
            mapping.sourceObjects = try object.parsing("sourcekeypath") {
                try NSExpression._parsing(path.hasPrefix("$") ? path : "$source.\(path)")
            }
        }
        return mapping
    }

    /// The objects that a relationship leads to.
    private func related(_ name: String, of object: XMLStoreObject) throws -> [XMLStoreObject] {
        try object.references(name).map { reference in
            guard let found = objects[reference] else {
                throw object.failure("there is no object '\(reference)'", attribute: name)
            }
            return found
        }
    }

    private func failure(_ reason: String, line: Int?) -> ManagedObjectModelFileError {
        ManagedObjectModelFileError(
            url: file, line: line, element: nil, attribute: nil, reason: reason)
    }
}
