import CoreData

/// Properties whose values no two objects of an entity may share, with nil equal to nothing: a
/// constraint of the model, or a natural key.
///
/// It holds for the entity that declares it and for all its subentities together. It is a check at
/// the end of a save, not an index that refuses a row: two objects may swap their values in one
/// save, and a record from another device is never refused.
struct UniquenessConstraint {
    /// The names of the properties.
    let names: [String]
    /// Whether it is a natural key, whose values count in the form in which all devices have them.
    let isNaturalKey: Bool
    /// The columns' places in the table.
    let indexes: [Int]
    let table: RootTable
    /// The numbers of the entities that it holds for.
    let familyNumbers: [Int64]
    /// The condition, over parameters, that a row shares given values.
    let valuesStatement: String
    /// The condition, over the number of a row, that another one shares its values.
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

    /// What tells it from the table's others.
    var name: String { names.joined(separator: ",") }

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
                let indexes = names.compactMap {
                    entity.attribute(named: $0)?.index ?? entity.toOne(named: $0)?.index
                }
                guard !names.isEmpty, indexes.count == names.count else { continue }
                constraints.append(
                    UniquenessConstraint(
                        names: names, isNaturalKey: names == key, indexes: indexes,
                        table: entity.table, familyNumbers: family(owner)))
            }
        }
        return constraints
    }

    /// The statement that makes the index with which the check finds its rows.
    func indexStatement(entity: String) -> String {
        let columns = indexes.map { table.columns[$0].sqlIdentifier }.joined(separator: ", ")
        return "CREATE INDEX IF NOT EXISTS \("sm_index \(entity) unique \(name)".sqlIdentifier)"
            + " ON \(table.name.sqlIdentifier) (\(columns))"
    }
}
