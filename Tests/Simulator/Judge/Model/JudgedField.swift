import CoreData

/// A field of an object's record, as a version of the model describes it.
struct JudgedField: Hashable {
    let name: String
    /// The property whose value it has, or a part of it.
    let property: String
    var isDecimal = false
    var isBinary = false
    /// Whether it has the place of an object in an order.
    var isOrder = false
    /// The field that the property had in a former version.
    var former: String?

    /// The fields that have a part of its value.
    var companions: [String] {
        (isDecimal ? [name + "_decimal"] : []) + (isBinary ? [name + "_asset"] : [])
    }
}

extension ModelVersion {
    /// The fields of the records of an entity, without the end of a one-to-one relationship that the other end
    /// decides.
    func fields(of kind: Kind) -> [JudgedField] {
        guard kind != .draft || syncs("", of: kind) else { return [] }
        var fields = [JudgedField(name: "ident", property: "ident")]
        for attribute in kind.attributes
        where attribute.since <= number && syncs(attribute.name, of: kind) {
            fields += self.fields(of: attribute, of: kind)
        }
        for name in kind.toOne.keys where !Self.isDecidedElsewhere(name, of: kind) {
            fields.append(JudgedField(name: name, property: name))
        }
        if kind.isNode {
            fields.append(JudgedField(name: "list_order", property: "list_order", isOrder: true))
        }
        return fields
    }

    private func fields(of attribute: Kind.Attribute, of kind: Kind) -> [JudgedField] {
        let name = field(of: attribute.name, of: kind)
        let parts = attribute.elements.isEmpty ? [nil] : attribute.elements.map(Optional.some)
        return parts.map { part in
            let type = part?.type ?? attribute.type
            return JudgedField(
                name: part.map { "\(name)_\($0.name)" } ?? name, property: attribute.name,
                isDecimal: type == .decimalAttributeType,
                isBinary: [.binaryDataAttributeType, .transformableAttributeType].contains(type),
                former: name == attribute.name ? nil : attribute.name)
        }
    }

    /// Of a cover and its node, the cover's reference decides, because its record type sorts first.
    static func isDecidedElsewhere(_ name: String, of kind: Kind) -> Bool {
        kind.isNode && name == "cover"
    }
}
