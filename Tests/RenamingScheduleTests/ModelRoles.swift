import CoreData

/// What stays the same while names change. An entity's role is its first name, a property's role is
/// the entity's and the property's first name, such as `Item.title`, and so on for an element of a
/// composite attribute, such as `Item.place.x`.
enum ModelRoles {
    static let entities = ["Item", "Gadget", "Box", "Tag"]
    static let roots = ["Item", "Box", "Tag"]

    /// Entities whose properties share their names: Gadget is a subentity of Item.
    static let families = [["Item", "Gadget"], ["Box"], ["Tag"]]

    static let attributes = [
        AttributeRole("Item.key", .string), AttributeRole("Item.title", .string),
        AttributeRole("Item.count", .integer), AttributeRole("Item.amount", .double),
        AttributeRole("Item.date", .date), AttributeRole("Item.blob", .blob),
        AttributeRole("Item.secret", .secret), AttributeRole("Item.extra", .string),
        AttributeRole("Gadget.special", .string),
        AttributeRole("Box.key", .string), AttributeRole("Box.label", .string),
        AttributeRole("Box.pic", .blob), AttributeRole("Box.size", .integer),
        AttributeRole("Tag.key", .string), AttributeRole("Tag.color", .string),
        AttributeRole("Item.place", .composite), AttributeRole("Item.words", .words),
        AttributeRole("Item.loud", .uppercase),
    ]

    /// The attributes that not every plan has.
    static let rich: Set = ["Item.place", "Item.words", "Item.loud"]

    static let links =
        pair("Item.box", "Box.items", isToMany: (false, true))
        + pair("Item.shelf", "Box.ranked", isToMany: (false, true), isOrdered: (false, true))
        + pair("Item.parent", "Item.children", isToMany: (false, true))
        + pair("Item.tags", "Tag.items", isToMany: (true, true))
        + pair("Item.labels", "Tag.fans", isToMany: (true, true), isOrdered: (true, false))
        + [LinkRole(role: "Item.friends", inverse: "Item.friends", isToMany: true)]
        + pair("Box.chief", "Item.chiefOf", isToMany: (false, false))

    static let properties = attributes.map(\.role) + links.map(\.role)

    static func attribute(_ role: String) -> AttributeRole? {
        attributes.first { $0.role == role }
    }

    static func link(_ role: String) -> LinkRole? { links.first { $0.role == role } }

    /// The role's entity.
    static func entity(of role: String) -> String { String(role.prefix { $0 != "." }) }

    /// The first name of an entity or a property.
    static func firstName(_ role: String) -> String {
        role.split(separator: ".").last.map(String.init) ?? role
    }

    static let elements = [
        ElementRole("Item.place.x", .string), ElementRole("Item.place.y", .integer),
        ElementRole("Item.place.spot", .composite),
        ElementRole("Item.place.spot.x", .string), ElementRole("Item.place.spot.y", .string),
    ]

    /// What has elements.
    static let composites = ["Item.place", "Item.place.spot"]

    /// The role of an element's attribute.
    static func attribute(ofElement role: String) -> String {
        role.split(separator: ".").prefix(2).joined(separator: ".")
    }

    static func root(of entity: String) -> String { entity == "Gadget" ? "Item" : entity }

    /// The entity of an object, which its key tells.
    static func entity(ofKey key: String) -> String {
        switch key.first {
        case "i": "Item"
        case "g": "Gadget"
        case "b": "Box"
        default: "Tag"
        }
    }

    private static func pair(
        _ role: String, _ inverse: String, isToMany: (Bool, Bool),
        isOrdered: (Bool, Bool) = (false, false)
    ) -> [LinkRole] {
        [
            LinkRole(
                role: role, inverse: inverse, isToMany: isToMany.0, isOrdered: isOrdered.0),
            LinkRole(
                role: inverse, inverse: role, isToMany: isToMany.1, isOrdered: isOrdered.1),
        ]
    }
}

/// A property that is an attribute.
struct AttributeRole {
    enum Kind {
        case string, integer, double, date, blob, secret
        /// With elements.
        case composite
        /// A transformable list of texts.
        case words
        /// Derived from the title.
        case uppercase
    }

    let role: String
    let kind: Kind

    init(_ role: String, _ kind: Kind) {
        self.role = role
        self.kind = kind
    }

    var entity: String { ModelRoles.entity(of: role) }
    var isKey: Bool { ModelRoles.firstName(role) == "key" }
    /// Whether users edit it after an object's insertion.
    var isEditable: Bool { !isKey && kind != .uppercase }

    /// The value with a number. Numbers from 1000 on make blobs that are kept in files.
    func value(_ number: Int?) -> Any? {
        guard let number else { return nil }
        switch kind {
        case .string, .secret: return "v\(number)"
        case .integer: return number
        case .double: return Double(number) * 1.25
        case .date: return Date(timeIntervalSinceReferenceDate: Double(number) * 3.5)
        case .blob:
            let count = number >= 1000 ? 132_000 + number : 40 + number % 7
            return Data(repeating: UInt8(number % 251), count: count)
        case .composite:
            // Now and then an element is nil.
            let spot: [String: Any] =
                number % 5 == 0 ? ["y": "w\(number)"] : ["x": "s\(number)", "y": "w\(number)"]
            var place: [String: Any] = ["x": "v\(number)"]
            if number % 3 != 0 { place["y"] = number }
            if number % 4 != 0 { place["spot"] = spot }
            return place
        case .words: return (0..<(number % 3)).map { "v\(number).\($0)" } as NSArray
        case .uppercase: return nil
        }
    }

    /// The most bytes that a value may have without a file of its own.
    static let inlineLimit = 131_072
}

/// An element of a composite attribute, or of a composite element.
struct ElementRole {
    enum Kind { case string, integer, composite }

    let role: String
    let kind: Kind

    init(_ role: String, _ kind: Kind) {
        self.role = role
        self.kind = kind
    }

    var parent: String { role.split(separator: ".").dropLast().joined(separator: ".") }
    /// Whether only some plans have it.
    var isNested: Bool { kind == .composite || parent != ModelRoles.attribute(ofElement: role) }

    /// The value with a number. That of a composite element has its elements' first names.
    func value(_ number: Int?) -> Any? {
        guard let number else { return nil }
        switch kind {
        case .string: return "e\(number)"
        case .integer: return number
        case .composite: return ["x": "s\(number)", "y": "w\(number)"]
        }
    }
}

/// A property that is a relationship.
struct LinkRole {
    let role: String
    let inverse: String
    let isToMany: Bool
    var isOrdered = false

    var entity: String { ModelRoles.entity(of: role) }
    var destination: String { ModelRoles.entity(of: inverse) }
}
