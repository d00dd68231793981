import CoreData

/// Properties whose values must be unique among an entity's objects, where nil equals nothing: a
/// constraint of the model, or a natural key.
///
/// It applies to the entity that declares it and to all its subentities together. It is checked at
/// the end of a save, and not enforced by an index: two objects may swap their values in one save,
/// and a record from another device is never refused.
struct UniquenessConstraint {
    /// The names of the properties; an element of a composite attribute by its path.
    let names: [String]
    /// Whether it is a natural key, whose values are compared in the form that all devices have.
    let isNaturalKey: Bool
    /// The indexes of the columns in the table.
    let indexes: [Int]
    let table: RootTable
    /// The numbers of the entities that it applies to.
    let familyNumbers: [Int64]
    /// The condition, with parameters, that a row has given values.
    let valuesStatement: String
    /// The condition, with the number of a row as its parameter, that another row has the same
    /// values.
    let rowStatement: String

    init(
        names: [String], isNaturalKey: Bool, indexes: [Int], table: RootTable,
        familyNumbers: [Int64]
    ) {
        self.names = names
        self.isNaturalKey = isNaturalKey
        self.indexes = indexes
        self.table = table
        self.familyNumbers = familyNumbers
        let columns = indexes.map { table.columns[$0].sqlIdentifier }
        let name = table.name.sqlIdentifier
        let family = familyNumbers.map { String($0) }.joined(separator: ", ")
        let rest = "AND other.entity IN (\(family)) ORDER BY other.pk LIMIT 100"
        let given = columns.map { "other.\($0) = ?" }.joined(separator: " AND ")
        valuesStatement =
            "SELECT other.pk FROM \(name) AS other WHERE \(given) AND other.pk <> ? \(rest)"
        let shared = columns.map { "other.\($0) = own.\($0)" }.joined(separator: " AND ")
        rowStatement =
            "SELECT other.pk FROM \(name) AS own CROSS JOIN \(name) AS other"
            + " WHERE own.pk = ? AND \(shared) AND other.pk <> own.pk \(rest)"
    }

    /// Distinguishes it from the table's other constraints.
    var name: String { names.joined(separator: ",") }

    /// The names for Core Data's conflicts, whose objects are asked for these values by key: a composite attribute stands
    /// for its elements.
    var keys: [String] {
        var keys: [String] = []
        for name in names.map({ $0.components(separatedBy: ".")[0] }) where !keys.contains(name) {
            keys.append(name)
        }
        return keys
    }

    /// The names of the properties of a constraint of the model.
    static func names(_ constraint: [Any]) -> [String] {
        constraint.compactMap { ($0 as? NSPropertyDescription)?.name ?? $0 as? String }
    }

    /// The constraints of an entity, inherited ones first.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - family: The numbers of an entity and its descendants.
    static func all(
        of entity: EntitySchema, family: (NSEntityDescription) -> [Int64]
    ) -> [UniquenessConstraint] {
        var known: Set<[String]> = []
        var constraints: [UniquenessConstraint] = []
        let line = Array(sequence(first: entity.description) { $0.superentity }).reversed()
        for owner in line {
            let key = NaturalKey.names(of: owner).flatMap { $0.owner === owner ? $0.names : nil }
            for names in owner.uniquenessConstraints.map(names) + [key].compactMap({ $0 })
            where known.insert(names).inserted {
                let columns = names.map { entity.constrainedColumns($0) }
                let indexes = columns.flatMap { $0 }
                if columns.isEmpty || columns.contains(where: \.isEmpty) { continue }
                constraints.append(
                    UniquenessConstraint(
                        names: names, isNaturalKey: names == key, indexes: indexes,
                        table: entity.table, familyNumbers: family(owner)))
            }
        }
        return constraints
    }

    /// The statement that creates the index for the check.
    func indexStatement(entity: String) -> String {
        let columns = indexes.map { table.columns[$0].sqlIdentifier }.joined(separator: ", ")
        return "CREATE INDEX IF NOT EXISTS \("sm_index \(entity) unique \(name)".sqlIdentifier)"
            + " ON \(table.name.sqlIdentifier) (\(columns))"
    }
}

extension EntitySchema {
    /// The indexes of the columns of a property in a constraint: all elements of a composite attribute, or one of them.
    fileprivate func constrainedColumns(_ name: String) -> [Int] {
        toOne(named: name).map { [$0.index] }
            ?? attributes.filter { $0.element.isPart(of: name) }.map(\.index)
    }
}
