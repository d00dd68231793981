import CoreData

/// A property that devices with a former model store in another field: an attribute, a composite
/// attribute with its elements, or a reference with its order key.
struct FormerProperty {
    /// The fields of its values.
    private(set) var parts: [ValueField] = []

    /// The values' names in ``PropertyValues``.
    var names: [String] { parts.map(\.name) }

    /// Only the order key, if it has one.
    var onlyOrder: FormerProperty { FormerProperty(parts: parts.filter(\.isOrderKey)) }

    /// Everything but the order key.
    var withoutOrder: FormerProperty { FormerProperty(parts: parts.filter { !$0.isOrderKey }) }

    /// Whether a change that sends some properties removes its value.
    func isRemoved(by fields: PropertyValues, sending keys: Set<String>) -> Bool {
        !keys.isDisjoint(with: names) && names.allSatisfy { fields[$0].isNull }
    }

    /// All former fields of an entity's properties, for each property the oldest first. A field that
    /// a property uses now is not among them.
    static func all(
        of mapping: RecordMapping, _ assignedNames: AssignedNames
    ) -> [FormerProperty] {
        guard !assignedNames.formerFields.isEmpty else { return [] }
        let description = mapping.entity.description
        let used = mapping.fieldsInUse
        var generations: [String: [FormerProperty]] = [:]
        func add(_ parts: [[ValueField]], of root: String) {
            // The newest fields of a composite attribute's elements belong together.
            for (age, parts) in parts.reversed().enumerated()
            where !parts.contains(where: { used.contains($0.field) }) {
                while generations[root, default: []].count <= age {
                    generations[root, default: []].append(FormerProperty())
                }
                generations[root]?[age].parts += parts
            }
        }
        for attribute in mapping.attributes {
            let former = assignedNames.formerFields(of: attribute.column.name, in: description)
            add(
                former.map { [ValueField($0, of: attribute.column)].compactMap { $0 } },
                of: attribute.column.root.name)
        }
        // Only one end of a one-to-one relationship counts.
        for reference in mapping.references where !reference.isDecidedByInverse {
            let former = assignedNames.formerFields(of: reference.column.name, in: description)
            add(former.map { ValueField.all($0, of: reference) }, of: reference.column.name)
        }
        return generations.sorted { $0.key < $1.key }
            .flatMap { $0.value.reversed().filter { !$0.parts.isEmpty } }
    }
}

extension ValueField {
    /// - Returns: nil for a type that only a newer version knows.
    fileprivate convenience init?(_ former: AssignedNames.FormerField, of column: AttributeColumn) {
        guard let kind = former.type.flatMap(AttributeKind.init) else { return nil }
        self.init(
            name: column.name, field: former.name,
            content: .attribute(
                RecordMapping.Attribute(
                    column: column, field: former.name, kind: kind,
                    isEncrypted: former.isEncrypted)), isFormer: true)
    }

    fileprivate static func all(
        _ former: AssignedNames.FormerField, of reference: RecordMapping.Reference
    ) -> [ValueField] {
        let field = ValueField(
            name: reference.column.name, field: former.name, content: .reference, isFormer: true)
        guard reference.isOrdered else { return [field] }
        return [
            field,
            ValueField(
                name: reference.column.orderName, field: former.name + "_order",
                content: .orderKey, isFormer: true),
        ]
    }
}
