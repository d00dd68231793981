import CoreData

/// A mapping model in the format of Xcode's editor (`.xcmappingmodel`), a Core Data XML store.
public struct MappingModelSource {
    /// An entity mapping with its property mappings.
    public struct EntityMapping: Sendable {
        var attributes: [String: String]
        var properties: [(type: String, attributes: [String: String])] = []

        /// - Parameter attributes: Attributes such as `sourcename` and `destinationname`.
        public init(_ attributes: [String: String]) {
            self.attributes = attributes
        }

        /// Adds a mapping of an attribute.
        public func attribute(_ name: String, _ others: [String: String] = [:]) -> Self {
            adding("XDDEVATTRIBUTEMAPPING", name, others)
        }

        /// Adds a mapping of a relationship.
        public func relationship(_ name: String, _ others: [String: String] = [:]) -> Self {
            adding("XDDEVRELATIONSHIPMAPPING", name, others)
        }

        private func adding(_ type: String, _ name: String, _ others: [String: String]) -> Self {
            var copy = self
            copy.properties.append((type, others.merging(["name": name]) { $1 }))
            return copy
        }
    }

    private let entities: [EntityMapping]
    private let model: [String: String]

    /// - Parameters:
    ///   - entities: The entity mappings, in order.
    ///   - copies: The models that the file contains.
    public init(
        _ entities: [EntityMapping],
        copies: (source: NSManagedObjectModel, destination: NSManagedObjectModel)? = nil
    ) {
        self.entities = entities
        model =
            copies.map {
                [
                    "sourcemodeldata": Self.binary(EditedModelArchive($0.source).data),
                    "destinationmodeldata": Self.binary(EditedModelArchive($0.destination).data),
                ]
            } ?? [:]
    }

    /// An archive in the file's encoding.
    public static func binary(_ value: ArchiveValue) -> String {
        binary(KeyedArchiveWriter.archive(value))
    }

    private static func binary(_ data: Data) -> String {
        data.base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
    }

    /// The contents of `xcmapping.xml`.
    public var xml: String {
        var objects: [String] = []
        var mappings: [String] = []
        for (index, entity) in entities.enumerated() {
            let identifier = "z\(index + 1)00"
            var references: [String: [String]] = [:]
            for property in entity.properties {
                let own = "z\(index + 1)0\(references.values.joined().count + 1)"
                references[property.type, default: []].append(own)
                objects.append(
                    Self.object(
                        property.type, own, property.attributes,
                        ["entitymapping": ("XDDEVENTITYMAPPING", [identifier])]))
            }
            // The objects are unordered; the mappings are numbered.
            let number = ["mappingnumber": "\(index + 1)", "mappingtypename": "Undefined"]
            objects.append(
                Self.object(
                    "XDDEVENTITYMAPPING", identifier, entity.attributes.merging(number) { $1 },
                    [
                        "mappingmodel": ("XDDEVMAPPINGMODEL", ["z1"]),
                        "attributemappings": (
                            "XDDEVATTRIBUTEMAPPING", references["XDDEVATTRIBUTEMAPPING"] ?? []
                        ),
                        "relationshipmappings": (
                            "XDDEVRELATIONSHIPMAPPING", references["XDDEVRELATIONSHIPMAPPING"] ?? []
                        ),
                    ]))
            mappings.insert(identifier, at: 0)
        }
        objects.append(
            Self.object(
                "XDDEVMAPPINGMODEL", "z1", model,
                ["entitymappings": ("XDDEVENTITYMAPPING", mappings)]))
        return """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
            \(objects.joined(separator: "\n"))
            </database>
            """
    }

    private static func object(
        _ type: String, _ identifier: String, _ attributes: [String: String],
        _ relationships: [String: (destination: String, identifiers: [String])]
    ) -> String {
        var lines = ["    <object type=\"\(type)\" id=\"\(identifier)\">"]
        for (name, value) in attributes.sorted(by: { $0.key < $1.key }) {
            lines.append("        <attribute name=\"\(name)\" type=\"string\">\(value)</attribute>")
        }
        for (name, (destination, identifiers)) in relationships.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "        <relationship name=\"\(name)\" type=\"0/0\" destination=\"\(destination)\""
                    + " idrefs=\"\(identifiers.joined(separator: " "))\"></relationship>")
        }
        return (lines + ["    </object>"]).joined(separator: "\n")
    }
}
