import CoreData
import SeamSQLite

/// The tables, columns and numbers of a model's parts in Core Data's own store.
struct CoreDataLayout {
    let model: NSManagedObjectModel
    /// Makes the name of an element of a composite attribute, which follows the Z, of the path to it.
    let elementName: ([String]) -> String
    /// Entity → its number: root entities in the order of their names, each followed by its
    /// descendants.
    private(set) var numbers: [String: Int64] = [:]
    /// "Entity.property" → column.
    private var columns: [String: String] = [:]
    /// Root entity → the columns of its table, with their types.
    private var declarations: [String: [String]] = [:]

    init(_ model: NSManagedObjectModel, elementName: @escaping ([String]) -> String) {
        self.model = model
        self.elementName = elementName
        let sorted = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        for root in sorted where root.superentity == nil { number(root) }
        for (name, _) in numbers.sorted(by: { $0.value < $1.value }) {
            if let entity = model.entitiesByName[name] { nameColumns(of: entity) }
        }
    }

    private mutating func number(_ entity: NSEntityDescription) {
        numbers[entity.name ?? ""] = Int64(numbers.count + 1)
        for child in entity.subentities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) {
            number(child)
        }
    }

    private static func root(of entity: NSEntityDescription) -> NSEntityDescription {
        entity.superentity.map(root) ?? entity
    }

    private static func owner(
        of property: String, in entity: NSEntityDescription
    ) -> NSEntityDescription {
        if let parent = entity.superentity, parent.propertiesByName[property] != nil {
            return owner(of: property, in: parent)
        }
        return entity
    }

    func table(of entity: NSEntityDescription) -> String {
        "Z" + (Self.root(of: entity).name ?? "").uppercased()
    }

    /// The column of a property, or of an element of a composite attribute by its path.
    func column(of property: String, in entity: NSEntityDescription) -> String {
        let owner = Self.owner(of: property.components(separatedBy: ".")[0], in: entity)
        return columns["\(owner.name ?? "").\(property)"] ?? ""
    }

    /// The column in the destination's table of a to-many relationship without an inverse.
    func columnWithoutInverse(of relationship: NSRelationshipDescription) -> String {
        let owner = Self.owner(of: relationship.name, in: relationship.entity)
        return "Z\(numbers[owner.name ?? ""] ?? 0)\(relationship.name.uppercased())"
    }

    private mutating func declare(_ column: String, in root: String) {
        declarations[root, default: []].append(column)
    }

    private mutating func nameColumns(of entity: NSEntityDescription) {
        let root = Self.root(of: entity).name ?? ""
        for (name, property) in entity.propertiesByName.sorted(by: { $0.key < $1.key })
        where !property.isTransient && Self.owner(of: name, in: entity) === entity {
            let relationship = property as? NSRelationshipDescription
            if relationship?.isToMany == true {
                if let relationship, relationship.inverseRelationship == nil {
                    declareMembers(of: relationship)
                }
                continue
            }
            if let composite = property as? NSAttributeDescription,
                composite.elementsIfComposite != nil
            {
                for (path, element) in composite.elements(at: [name]) {
                    declare(element, path.joined(separator: "."), elementName(path), of: entity)
                }
                continue
            }
            let column = declare(property, name, name, of: entity)
            guard let relationship, let destination = relationship.destinationEntity else {
                continue
            }
            if !destination.subentities.isEmpty {
                let number = numbers[destination.name ?? ""] ?? 0
                declare("Z\(number)_\(name.uppercased()) INTEGER", in: root)
            }
            if relationship.inverseRelationship?.isOrdered == true {
                declare("Z_FOK_\(column.dropFirst()) INTEGER", in: root)
            }
        }
    }

    /// Declares the column of a property or an element.
    ///
    /// - Returns: Its name, with a number if another column of the table has the name.
    @discardableResult
    private mutating func declare(
        _ property: NSPropertyDescription, _ path: String, _ name: String,
        of entity: NSEntityDescription
    ) -> String {
        let root = Self.root(of: entity).name ?? ""
        let base = "Z" + name.uppercased()
        let taken = Set(
            columns.filter { key, _ in
                let owner = key.split(separator: ".")[0]
                return model.entitiesByName[String(owner)].map(Self.root)?.name == root
            }.values)
        let names = [base] + (1...20).map { base + String($0) }
        let column = names.first { !taken.contains($0) } ?? base
        columns["\(entity.name ?? "").\(path)"] = column
        declare(column.sqlIdentifier + " " + Self.type(of: property), in: root)
        return column
    }

    private mutating func declareMembers(of relationship: NSRelationshipDescription) {
        guard let destination = relationship.destinationEntity else { return }
        let root = Self.root(of: destination).name ?? ""
        let column = columnWithoutInverse(of: relationship)
        declare("\(column) INTEGER", in: root)
        if relationship.isOrdered { declare("Z_FOK_\(column.dropFirst()) INTEGER", in: root) }
    }

    private static func type(of property: NSPropertyDescription) -> String {
        switch (property as? NSAttributeDescription)?.attributeType {
        case .stringAttributeType, .URIAttributeType: "VARCHAR"
        case .doubleAttributeType, .floatAttributeType: "FLOAT"
        case .dateAttributeType: "TIMESTAMP"
        case .decimalAttributeType: "DECIMAL"
        case .binaryDataAttributeType, .transformableAttributeType, .UUIDAttributeType: "BLOB"
        default: "INTEGER"
        }
    }

    /// The table of a many-to-many relationship, and its columns for the owner's and the
    /// destination's key.
    func join(
        of relationship: NSRelationshipDescription
    ) -> (table: String, own: String, other: String)? {
        guard let inverse = relationship.inverseRelationship, inverse.isToMany else { return nil }
        let owner = Self.owner(of: relationship.name, in: relationship.entity)
        let destination = Self.owner(of: inverse.name, in: inverse.entity)
        let (own, other) = (numbers[owner.name ?? ""] ?? 0, numbers[destination.name ?? ""] ?? 0)
        let first = (own, relationship.name) < (other, inverse.name)
        let table =
            first
            ? "Z_\(own)\(relationship.name.uppercased())" : "Z_\(other)\(inverse.name.uppercased())"
        let isReflexive = relationship === inverse
        return (
            table, "Z_\(own)\(inverse.name.uppercased())",
            isReflexive ? "REFLEXIVE" : "Z_\(other)\(relationship.name.uppercased())"
        )
    }

    /// The statements that create the tables.
    var tables: [String] {
        var statements = model.entities.filter { $0.superentity == nil }.map { root in
            let columns =
                ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
                + (declarations[root.name ?? ""] ?? [])
            return "CREATE TABLE \(table(of: root)) (\(columns.joined(separator: ", ")))"
        }
        var made: Set<String> = []
        for entity in model.entities {
            for (name, relationship) in entity.relationshipsByName
            where relationship.isToMany && Self.owner(of: name, in: entity) === entity {
                guard let join = join(of: relationship), made.insert(join.table).inserted else {
                    continue
                }
                var columns = [join.own + " INTEGER", join.other + " INTEGER"]
                if relationship.isOrdered {
                    columns.append("Z_FOK_\(join.other.dropFirst(2)) INTEGER")
                }
                if relationship.inverseRelationship?.isOrdered == true,
                    relationship.inverseRelationship !== relationship
                {
                    columns.append("Z_FOK_\(join.own.dropFirst(2)) INTEGER")
                }
                statements.append(
                    "CREATE TABLE \(join.table) (\(columns.joined(separator: ", ")),"
                        + " PRIMARY KEY (\(join.own), \(join.other)))")
            }
        }
        return statements
    }
}

extension NSAttributeDescription {
    /// The elements of a composite attribute; nil for any other.
    var elementsIfComposite: [NSAttributeDescription]? {
        guard #available(macOS 14, iOS 17, tvOS 17, watchOS 10, *) else { return nil }
        return (self as? NSCompositeAttributeDescription)?.elements
    }

    /// The elements that are not composite themselves, with the names that lead to them.
    fileprivate func elements(at path: [String]) -> [([String], NSAttributeDescription)] {
        guard let elementsIfComposite else { return [(path, self)] }
        return elementsIfComposite.flatMap { $0.elements(at: path + [$0.name]) }
    }
}
