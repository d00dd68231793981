import CoreData

/// The FROM clause of one SELECT. It grows while the expressions of the SELECT are compiled.
final class FromClause {
    /// The first table with its alias.
    private let first: SQL
    private var joins: [SQL] = []

    init(_ first: SQL) {
        self.first = first
    }

    /// Whether there is more than one table.
    var hasJoins: Bool { !joins.isEmpty }

    func append(_ join: SQL) {
        joins.append(join)
    }

    /// The clause's text, complete once everything that uses its rows is compiled.
    var sql: SQL {
        ([first] + joins).joined(separator: " ")
    }
}

/// One object of each row of a SELECT: a table with its alias, and the joins that start from it.
///
/// A key path has one source, however often it occurs, so conditions on `zone.name` and
/// `zone.comment` refer to the same joined row.
final class RowSource {
    let entity: EntitySchema
    let alias: String
    /// The column that refers to this source, if it is the destination of a to-one relationship. An
    /// index on the column finds the referring rows; only ``key`` shows whether the destination is
    /// present.
    let reference: SQL?
    private let clause: FromClause
    private let aliases: AliasSequence
    private var destinations: [String: RowSource] = [:]

    init(
        entity: EntitySchema, alias: String, reference: SQL? = nil, clause: FromClause,
        aliases: AliasSequence
    ) {
        self.entity = entity
        self.alias = alias
        self.reference = reference
        self.clause = clause
        self.aliases = aliases
    }

    /// The object's `pk`; NULL if a to-one relationship has no destination or leads to a
    /// placeholder.
    var key: SQL { "\(verbatim: alias).pk" }

    /// The number of the object's entity.
    var entityNumber: SQL { "\(verbatim: alias).entity" }

    func column(_ name: String) -> SQL {
        .column(name, of: alias, isJoined: reference != nil)
    }

    /// The destination of a to-one relationship, joined on first use.
    ///
    /// The join is an outer join: a row without a destination stays, and the destination reads as
    /// nil.
    func destination(of toOne: ToOneColumn, entity: EntitySchema) -> RowSource {
        if let known = destinations[toOne.name] { return known }
        let reference = column(toOne.column)
        let source = RowSource(
            entity: entity, alias: aliases.next(), reference: reference, clause: clause,
            aliases: aliases)
        clause.append(
            "LEFT JOIN \(name: entity.table.name) AS \(verbatim: source.alias)"
                + " ON \(source.key) = \(reference)"
        )
        destinations[toOne.name] = source
        return source
    }

    /// The members of a to-many relationship, as a subselect that is correlated with this source.
    func members(of toMany: ToManyRelationship, entity: EntitySchema) -> MemberSelect {
        let alias = aliases.next()
        let optionalOwner = reference == nil ? nil : key
        switch toMany.storage {
        case .foreignKey(let table, let column, _):
            let clause = FromClause("\(name: table) AS \(verbatim: alias)")
            return MemberSelect(
                clause: clause, optionalOwner: optionalOwner,
                member: RowSource(entity: entity, alias: alias, clause: clause, aliases: aliases),
                conditions: ["\(verbatim: alias).\(name: column) = \(key)"])
        case .link(let link, let isSource):
            let near = isSource ? "source" : "target"
            let far = isSource ? "target" : "source"
            let clause = FromClause("\(name: link.table) AS \(verbatim: alias)")
            let member = RowSource(
                entity: entity, alias: aliases.next(), clause: clause, aliases: aliases)
            clause.append(
                "JOIN \(name: entity.table.name) AS \(verbatim: member.alias)"
                    + " ON \(member.key) = \(verbatim: alias).\(verbatim: far)"
            )
            return MemberSelect(
                clause: clause, optionalOwner: optionalOwner, member: member,
                conditions: ["\(verbatim: alias).\(verbatim: near) = \(key)"])
        }
    }
}

/// A subselect over the members of a to-many relationship.
struct MemberSelect {
    let clause: FromClause
    /// The number of the owner if it may be NULL because a to-one relationship is nil: `@count` and
    /// other collection operators are then nil instead of 0.
    var optionalOwner: SQL?
    let member: RowSource
    /// The correlation of the members with their owner, and the conditions of a SUBQUERY.
    var conditions: [SQL]

    /// Whether there is a member, or one that meets an additional condition.
    func exists(where condition: SQL? = nil) -> SQL {
        "EXISTS (\(select("1", where: condition)))"
    }

    /// The subselect of an aggregate function over the members, as an expression.
    func aggregate(_ function: SQL) -> SQL {
        guard let optionalOwner else { return "(\(select(function)))" }
        return "CASE WHEN \(optionalOwner) IS NOT NULL THEN (\(select(function))) END"
    }

    /// The subselect of an expression for each member.
    func select(_ expression: SQL, where condition: SQL? = nil) -> SQL {
        let conditions = self.conditions + (condition.map { [$0] } ?? [])
        return
            "SELECT \(expression) FROM \(clause.sql) WHERE \(conditions.joined(separator: " AND "))"
    }
}
