import CoreData

/// The names and numbers that a store file gave to the model's entities and properties.
///
/// SQL identifiers ignore case, siblings in one table may share a property name, and a property
/// may be called `pk`; so a column's name is chosen once, when the column is made, and remembered
/// in the file.
struct AssignedNames: Codable, Equatable {
    /// Entity name → its number in the file, which never changes.
    var entityNumbers: [String: Int64] = [:]
    /// Root entity name → table.
    var tables: [String: String] = [:]
    /// Root entity name → key of the property → column.
    var columns: [String: [String: String]] = [:]
    /// Link record type of a many-to-many relationship → table.
    var linkTables: [String: String] = [:]

    /// Entity name → its record type, where a renamed entity keeps its old one.
    var recordTypes: [String: String] = [:]
    /// "Entity.property" → its field, where a renamed property keeps its old one.
    var fields: [String: String] = [:]

    /// Tables that a migration still reads, whose names are not free yet; not kept in the file.
    var retiredTables: Set<String> = []
    /// Root entity name → columns that a migration still reads; not kept in the file.
    var retiredColumns: [String: Set<String>] = [:]

    private enum CodingKeys: CodingKey {
        case entityNumbers, tables, columns, linkTables, recordTypes, fields
    }

    private static let reservedColumns = ["pk", "entity", "version", "rowid", "oid", "_rowid_"]

    /// The number of an entity or a link type, given out on first use.
    mutating func number(ofEntity name: String) -> Int64 {
        if let number = entityNumbers[name] { return number }
        let number = (entityNumbers.values.max() ?? 0) + 1
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
    ///   - owner: The entity that declares it, so that siblings' equally named properties differ.
    ///   - root: The root entity whose table holds the column.
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
        // SQLite keeps names that begin with "sqlite_" for itself.
        let base = name.lowercased().hasPrefix("sqlite_") ? "x_" + name : name
        if !taken.contains(base.lowercased()) { return base }
        var suffix = 2
        while taken.contains("\(base)_\(suffix)".lowercased()) { suffix += 1 }
        return "\(base)_\(suffix)"
    }
}

extension AssignedNames {
    /// The record type of an entity, as the model or a migration has pinned it, or else its name.
    func recordType(of entity: NSEntityDescription) -> String {
        let name = entity.name ?? ""
        return entity.pinnedRecordType ?? recordTypes[name] ?? name
    }

    /// The field of a property, by the same rule.
    func field(of property: NSPropertyDescription, in entity: NSEntityDescription) -> String {
        property.pinnedField ?? fields[entity.qualifiedName(of: property.name)] ?? property.name
    }
}
