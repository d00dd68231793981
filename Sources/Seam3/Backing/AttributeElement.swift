import CoreData

/// An attribute that has a column of its own: one of the entity, or an element of a composite one.
struct AttributeElement {
    /// The attribute of the entity, and the elements that lead to this one, which is the last.
    let attributes: [NSAttributeDescription]
    let attribute: NSAttributeDescription
    /// The attribute of the entity.
    let root: NSAttributeDescription
    let path: [String]

    /// The path as a key path.
    var name: String { path.joined(separator: ".") }

    /// Identifies the element across versions of the model: the path of renaming identifiers, or names.
    var identity: String { attributes.map(\.identity).joined(separator: ".") }

    /// Whether it is what a key path names: itself, or the composite attribute or element that contains it.
    func isPart(of name: String) -> Bool {
        self.name == name || self.name.hasPrefix(name + ".")
    }

    /// The elements of an attribute, by name; only the attribute itself if it is not composite.
    static func all(of attribute: NSAttributeDescription) -> [AttributeElement] {
        elements(of: attribute, after: [])
    }

    private static func elements(
        of attribute: NSAttributeDescription, after parents: [NSAttributeDescription]
    ) -> [AttributeElement] {
        let attributes = parents + [attribute]
        if let elements = attribute.elementsIfComposite {
            return elements.sorted { $0.name < $1.name }.flatMap {
                Self.elements(of: $0, after: attributes)
            }
        }
        return [
            AttributeElement(
                attributes: attributes, attribute: attribute, root: attributes[0],
                path: attributes.map(\.name))
        ]
    }

    /// Matches the elements of an attribute with those of its predecessor in an older version of the model.
    ///
    /// - Returns: Path → path in the older version.
    static func oldNames(
        of attribute: NSAttributeDescription, from former: NSAttributeDescription
    ) -> [String: String] {
        oldNames(of: attribute, formerly: former.name) { path in
            let composite = path.components(separatedBy: ".").dropFirst()
                .reduce(Optional(former)) { attribute, name in
                    attribute?.elementsIfComposite?.first { $0.name == name }
                }
            return composite?.elementsIfComposite?.map(\.versionedName) ?? []
        }
    }

    /// Matches the elements of an attribute with those that it had in an older version of the model, level by level.
    ///
    /// - Parameters:
    ///   - attribute: The attribute.
    ///   - oldName: Its name in the older version.
    ///   - oldElements: Returns the elements at a path of the older version; none for what is not composite.
    /// - Returns: Path → path in the older version.
    static func oldNames(
        of attribute: NSAttributeDescription, formerly oldName: String,
        _ oldElements: (_ path: String) -> [VersionedName]
    ) -> [String: String] {
        let former = oldElements(oldName)
        guard let elements = attribute.elementsIfComposite else {
            return former.isEmpty ? [attribute.name: oldName] : [:]
        }
        // Earlier versions of the framework ignored the renaming identifiers of elements.
        let matches = VersionMatches(
            of: elements.map(\.versionedName), with: former, keepsNames: true
        ).oldNames
        var oldNames: [String: String] = [:]
        for element in elements {
            guard let oldElement = matches[element.name] else { continue }
            let paths = self.oldNames(
                of: element, formerly: "\(oldName).\(oldElement)", oldElements)
            for (path, oldPath) in paths { oldNames["\(attribute.name).\(path)"] = oldPath }
        }
        return oldNames
    }
}

extension NSAttributeDescription {
    /// The elements of a composite attribute; nil for any other.
    var elementsIfComposite: [NSAttributeDescription]? {
        guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, *) else { return nil }
        return (self as? NSCompositeAttributeDescription)?.elements
    }
}
