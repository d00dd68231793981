import CoreData

/// The names and numbers that a store file has assigned to the model's entities and properties.
///
/// SQL identifiers are case-insensitive, siblings in one table may have properties of the same
/// name, and a property may be called `pk`. A column's name is therefore chosen once, when the
/// column is created, and stored in the file.
struct AssignedNames: Codable, Equatable {
    /// A field in which devices with a former model store a property.
    struct FormerField: Codable, Equatable {
        let name: String
        /// The raw value of the attribute's kind; nil for a relationship.
        let type: UInt?
        /// Whether it is in the record's encrypted values.
        let isEncrypted: Bool
    }

    /// Entity name → its number in the file, which never changes.
    var entityNumbers: [String: Int64] = [:]
    /// Root entity name → table.
    var tables: [String: String] = [:]
    /// Root entity name → key of the property → column.
    var columns: [String: [String: String]] = [:]
    /// Link record type of a many-to-many relationship → table.
    var linkTables: [String: String] = [:]

    /// Entity name → record type, if a renamed entity keeps its old one.
    var recordTypes: [String: String] = [:]
    /// "Entity.property" → field, if a renamed property keeps its old one; "Entity.property.element" → the name in the
    /// field, if a renamed element of a composite attribute keeps its old one.
    var fields: [String: String] = [:]
    /// "Entity.property" → the property's former fields, the oldest first.
    var formerFields: [String: [FormerField]] = [:]

    /// Tables that a migration still reads, whose names are still taken; not stored in the file.
    var retiredTables: Set<String> = []
    /// Root entity name → columns that a migration still reads; not stored in the file.
    var retiredColumns: [String: Set<String>] = [:]

    private enum CodingKeys: CodingKey {
        case entityNumbers, tables, columns, linkTables, recordTypes, fields, formerFields
    }

    private static let reservedColumns = ["pk", "entity", "version", "rowid", "oid", "_rowid_"]

    /// The number of an entity or a link type, assigned on first use.
    mutating func number(ofEntity name: String) -> Int64 {
        if let number = entityNumbers[name] { return number }
        // What is larger was not assigned here.
        let assigned = entityNumbers.values.filter { $0 < Int64.max >> 1 }
        let number = max(0, assigned.max() ?? 0) + 1
        entityNumbers[name] = number
        return number
    }

    /// The table of a root entity, named on first use.
    mutating func table(ofRoot root: String) -> String {
        if let table = tables[root] { return table }
        let table = Self.freeName(like: root, taken: takenTables)
        tables[root] = table
        return table
    }

    /// The table of a many-to-many relationship, named on first use.
    mutating func linkTable(_ recordType: String) -> String {
        if let table = linkTables[recordType] { return table }
        let table = Self.freeName(like: recordType, taken: takenTables)
        linkTables[recordType] = table
        return table
    }

    /// The column of a property, named on first use.
    ///
    /// - Parameters:
    ///   - name: The property's name, or a name derived from it.
    ///   - owner: The entity that declares it, which distinguishes properties of siblings with the
    ///     same name.
    ///   - root: The root entity whose table contains the column.
    mutating func column(_ name: String, ofEntity owner: String, root: String) -> String {
        let key = "\(owner).\(name)"
        if let column = columns[root]?[key] { return column }
        let taken =
            Array((columns[root] ?? [:]).values) + Array(retiredColumns[root] ?? [])
            + Self.reservedColumns
        let column = Self.freeName(like: name, taken: taken)
        columns[root, default: [:]][key] = column
        return column
    }

    private var takenTables: [String] {
        Array(tables.values) + Array(linkTables.values) + Array(retiredTables)
            + FileLayout.fixedNames
    }

    private static func freeName(like name: String, taken: [String]) -> String {
        let taken = Set(taken.map { $0.lowercased() })
        // SQLite reserves names that begin with "sqlite_".
        let base = name.lowercased().hasPrefix("sqlite_") ? "x_" + name : name
        if !taken.contains(base.lowercased()) { return base }
        var suffix = 2
        while taken.contains("\(base)_\(suffix)".lowercased()) { suffix += 1 }
        return "\(base)_\(suffix)"
    }
}

extension AssignedNames {
    /// The record type of an entity: as pinned by the model or by a migration, or else its name.
    func recordType(of entity: NSEntityDescription) -> String {
        let name = entity.name ?? ""
        return entity.pinnedRecordType ?? recordTypes[name] ?? name
    }

    /// The field of a property, by the same rule.
    func field(of property: NSPropertyDescription, in entity: NSEntityDescription) -> String {
        property.pinnedField ?? fields[entity.qualifiedName(of: property.name)] ?? property.name
    }

    /// The field of an element: that of its attribute, followed by the names of the elements that lead to it.
    func field(of element: AttributeElement, in entity: NSEntityDescription) -> String {
        ([field(of: element.root, in: entity)] + fieldNames(of: element, in: entity))
            .joined(separator: "_")
    }

    /// The names in its field of an element and of those that lead to it, by the same rule.
    func fieldNames(of element: AttributeElement, in entity: NSEntityDescription) -> [String] {
        element.attributes.indices.dropFirst().map { index in
            let path = element.path[...index].joined(separator: ".")
            return element.attributes[index].formerName ?? fields[entity.qualifiedName(of: path)]
                ?? element.path[index]
        }
    }

    /// The record type and the field of a relationship, which stay if the model renames it or its entity.
    func path(of relationship: NSRelationshipDescription) -> String {
        let entity = relationship.entity.declaringEntity(of: relationship.name)
        return "\(recordType(of: entity)).\(field(of: relationship, in: entity))"
    }

    /// The former fields of an attribute, an element, or a relationship, the oldest first.
    func formerFields(of name: String, in entity: NSEntityDescription) -> [FormerField] {
        formerFields[entity.qualifiedName(of: name)] ?? []
    }
}

extension [AssignedNames.FormerField] {
    /// A property's former fields in a new model.
    ///
    /// - Parameters:
    ///   - left: The field that the property leaves; nil if it has none to leave.
    ///   - present: The field that it has now; nil for a to-many relationship.
    func adding(_ left: AssignedNames.FormerField?, present: String?) -> Self {
        filter { $0.name != left?.name && $0.name != present }
            + [left].compactMap { $0 }.filter { $0.name != present }
    }
}
