/// The parts of an entity in a source model that its class depends on.
struct ModelEntity {
    /// The kind of code that Xcode generates.
    enum Generation: String {
        case `class`, category
    }

    var name: String
    /// The class in the model's notation: `Clock`, `.Clock`, `Module.Clock`; nil if there is none.
    var representedClass: String?
    var parent: String?
    var generation: Generation?
    var attributes: [Attribute]
    var relationships: [Relationship]
    var fetchedProperties: [FetchedProperty]
    var file: String
    var line: Int

    struct Attribute {
        var name: String
        var type: String
        var usesScalar: Bool
        var customClass: String?
        var line: Int
    }

    struct Relationship {
        var name: String
        var destination: String?
        var isToMany: Bool
        var isOrdered: Bool
    }

    struct FetchedProperty {
        var name: String
        var destination: String?
    }

    /// Reads an element of a model file.
    init(_ element: XMLNode, file: String) throws {
        self.file = file
        line = element.line
        name = try Self.name(of: element, file: file)
        representedClass = Self.text("representedClassName", of: element)
        parent = Self.text("parentEntity", of: element)
        generation = Self.text("codeGenerationType", of: element).flatMap(Generation.init)
        attributes = try element.children(named: "attribute").map {
            Attribute(
                name: try Self.name(of: $0, file: file),
                type: Self.text("attributeType", of: $0) ?? "Undefined",
                usesScalar: $0["usesScalarValueType"] == "YES",
                customClass: Self.text("customClassName", of: $0), line: $0.line)
        }
        relationships = try element.children(named: "relationship").map {
            Relationship(
                name: try Self.name(of: $0, file: file),
                destination: Self.text("destinationEntity", of: $0),
                isToMany: $0["toMany"] == "YES", isOrdered: $0["ordered"] == "YES")
        }
        fetchedProperties = try element.children(named: "fetchedProperty").map {
            FetchedProperty(
                name: try Self.name(of: $0, file: file),
                destination: $0.children(named: "fetchRequest").first.flatMap {
                    Self.text("entity", of: $0)
                })
        }
    }

    /// The class without its module; nil if the objects are plain managed objects.
    ///
    /// - Parameter module: The module being built; a class of another module does not belong to
    ///   this target.
    func className(in module: String) -> String? {
        guard let written = representedClass else { return nil }
        let steps = written.split(separator: ".").map(String.init)
        guard let name = steps.last, name != "NSManagedObject" else { return nil }
        return steps.count == 1 || steps == [module, name] ? name : nil
    }

    private static func text(_ attribute: String, of element: XMLNode) -> String? {
        element[attribute].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func name(of element: XMLNode, file: String) throws -> String {
        guard let name = text("name", of: element) else {
            throw Diagnostic(
                file: file, line: element.line, message: "the \(element.name) has no name")
        }
        return name
    }
}
