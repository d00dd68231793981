import CoreData

/// An attribute that has a column of its own: one of the entity, or an element of a composite one.
struct AttributeElement {
    let attribute: NSAttributeDescription
    /// The attribute of the entity.
    let root: NSAttributeDescription
    let path: [String]

    /// The path as a key path.
    var name: String { path.joined(separator: ".") }

    /// The field that carries the element, for an attribute with a field.
    func field(of rootField: String) -> String {
        ([rootField] + path.dropFirst()).joined(separator: "_")
    }

    /// The elements of an attribute, by name; only the attribute itself if it is not composite.
    static func all(of attribute: NSAttributeDescription) -> [AttributeElement] {
        elements(of: attribute, root: attribute, path: [attribute.name])
    }

    private static func elements(
        of attribute: NSAttributeDescription, root: NSAttributeDescription, path: [String]
    ) -> [AttributeElement] {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *),
            let composite = attribute as? NSCompositeAttributeDescription
        {
            return composite.elements.sorted { $0.name < $1.name }.flatMap {
                elements(of: $0, root: root, path: path + [$0.name])
            }
        }
        return [AttributeElement(attribute: attribute, root: root, path: path)]
    }
}
