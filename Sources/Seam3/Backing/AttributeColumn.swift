import CoreData

/// One persistent attribute, or one element of a composite attribute, and its column.
///
/// A class, because it is accessed for every value of every row, and copying a structure would
/// retain each of its parts.
final class AttributeColumn {
    let element: AttributeElement
    /// The attribute, or the element.
    let attribute: NSAttributeDescription
    /// The entity's attribute; `attribute` may be an element of it.
    let root: NSAttributeDescription
    /// The attribute's name, followed by the names of the elements that lead to this one.
    let path: [String]
    /// The path as a key path.
    let name: String
    /// The index of the entity's attribute among the values of its objects.
    let place: PropertyPlace?
    /// The column's name, unquoted.
    let column: String
    /// The column's index in the table.
    let index: Int
    let kind: AttributeKind
    let isOptional: Bool
    /// Whether this is an element of a composite attribute.
    let isElement: Bool
    /// Whether the store computes the attribute.
    let isDerived: Bool
    /// Whether values are binary data, which may be large.
    let isBinary: Bool
    /// Whether large values are stored in files beside the store.
    let isExternal: Bool
    /// The form of values without a transformer; nil for other attributes than transformable ones.
    let archive: KeyedArchive?

    init(
        _ element: AttributeElement, _ kind: AttributeKind, of entity: NSEntityDescription,
        table: RootTable, column: String
    ) {
        self.element = element
        attribute = element.attribute
        root = element.root
        path = element.path
        name = element.name
        place = RowSnapshot.place(of: element.path[0], in: entity)
        self.column = column
        self.kind = kind
        // An element that is nil cannot be distinguished from a composite that is nil.
        isElement = path.count > 1
        isOptional = root.isOptional || isElement
        isBinary = kind.isBinary
        isExternal = isBinary && attribute.allowsExternalBinaryDataStorage
        isDerived = attribute is NSDerivedAttributeDescription
        archive = kind == .transformable ? KeyedArchive(of: attribute, entity) : nil
        index = table.index(of: column, declaration: Self.declaration(kind), isToOne: false)
    }

    /// Whether the field is in the record's encrypted values.
    var isEncrypted: Bool { root.allowsCloudEncryption || attribute.allowsCloudEncryption }

    /// The expression that the store computes the attribute from; nil if the app sets it.
    var derivation: NSExpression? {
        (attribute as? NSDerivedAttributeDescription)?.derivationExpression
    }

    /// The value of an object.
    func value(of object: NSManagedObject) -> AttributeValue {
        guard let place else { return .none }
        let value = object.attributeValue(at: place)
        guard isElement else { return value }
        return element(of: value.object).map(AttributeValue.init(keeping:)) ?? .none
    }

    /// This element of a value of the entity's attribute.
    func element(of value: Any?) -> Any? {
        guard isElement else { return value }
        return path.dropFirst().reduce(value) { value, key in (value as? [String: Any])?[key] }
    }

    /// The model's default.
    var defaultValue: Any? { element(of: root.defaultValue) ?? attribute.defaultValue }

    /// The SQL type of a column, with its collation.
    private static func declaration(_ kind: AttributeKind) -> String {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean: return "INTEGER"
        case .double, .float, .date: return "REAL"
        case .decimal: return "TEXT COLLATE \(DecimalCollation.name)"
        case .string, .uri: return "TEXT"
        case .binaryData, .uuid, .transformable: return "BLOB"
        }
    }
}

/// A column that stores an attribute's value unchanged. It avoids the cost of asking an
/// ``AttributeColumn``, because it is used for every value of every object.
struct PlainColumn {
    /// The attribute's index among the values of the entity's objects.
    let place: PropertyPlace
    /// The column's index in the table.
    let index: Int
    let kind: AttributeKind

    /// The column of an attribute; nil if its values may be in files, come from a transformer, or
    /// are elements of a composite value.
    init?(_ attribute: AttributeColumn) {
        guard let place = attribute.place, !attribute.isElement, !attribute.isExternal,
            attribute.kind != .transformable
        else { return nil }
        self.place = place
        index = attribute.index
        kind = attribute.kind
    }
}
