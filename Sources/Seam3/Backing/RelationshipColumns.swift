import CoreData

/// One to-one relationship and the column that keeps its destination's `pk`. A class, as
/// ``AttributeColumn`` is.
final class ToOneColumn {
    let relationship: NSRelationshipDescription
    let name: String
    /// The entity that declares the relationship.
    let owner: String
    /// The relationship's place among the values of the entity's objects.
    let place: PropertyPlace?
    /// The column's name, unquoted.
    let column: String
    /// The column's place among the table's columns.
    let index: Int
    /// The column of the order key, where the inverse is an ordered to-many; unquoted.
    let orderColumn: String?
    /// The order key's place among the table's columns.
    let orderIndex: Int?
    /// The name under which the order key is sent.
    var orderName: String { name + "_order" }
    /// The relationship's place among the table's to-one relationships.
    let destinationIndex: Int
    let destinationName: String

    init(
        _ relationship: NSRelationshipDescription, of entity: NSEntityDescription, owner: String,
        table: RootTable, column: String, orderColumn: String?
    ) {
        self.relationship = relationship
        self.name = relationship.name
        self.owner = owner
        place = RowSnapshot.place(of: relationship.name, in: entity)
        self.column = column
        self.orderColumn = orderColumn
        self.destinationName = relationship.destinationEntity?.name ?? ""
        index = table.index(of: column, declaration: "INTEGER", isToOne: true)
        destinationIndex = table.destinationIndex(ofColumnAt: index)
        orderIndex = orderColumn.map { table.index(of: $0, declaration: "TEXT", isToOne: false) }
    }
}

/// One to-many relationship and where its members are found.
struct ToManyRelationship {
    /// Where the members are found.
    enum Storage {
        /// In the destination's table: the rows whose inverse to-one column holds our `pk`.
        case foreignKey(table: String, column: String, orderColumn: String?)
        /// In a link table, as its source or its target side.
        case link(LinkSchema, isSource: Bool)
    }

    let relationship: NSRelationshipDescription
    let name: String
    let storage: Storage
    let isOrdered: Bool
    let destinationName: String

    init(_ relationship: NSRelationshipDescription, storage: Storage) {
        self.relationship = relationship
        self.name = relationship.name
        self.storage = storage
        self.isOrdered = relationship.isOrdered
        self.destinationName = relationship.destinationEntity?.name ?? ""
    }

    /// Whether the members are found in a table of links.
    var isLink: Bool {
        if case .link = storage { return true }
        return false
    }

    /// The place of the owner's `pk` in the rows of members that have no order; nil where it is not in
    /// their rows.
    func indexOfOwner(in rows: [ObjectRow]) -> Int? {
        guard !isOrdered, case .foreignKey(_, let column, _) = storage else { return nil }
        return rows.first?.entity.table.columns.firstIndex(of: column)
    }
}
