import CoreData

/// One to-one relationship and the column with its destination's `pk`. A class for the same reason
/// as ``AttributeColumn``.
final class ToOneColumn {
    let relationship: NSRelationshipDescription
    let name: String
    /// The entity that declares the relationship.
    let owner: String
    /// The relationship's index among the values of the entity's objects.
    let place: PropertyPlace?
    /// The column's name, unquoted.
    let column: String
    /// The column's index in the table.
    let index: Int
    /// The column of the order key, if the inverse is an ordered to-many relationship; unquoted.
    let orderColumn: String?
    /// The order key's index in the table.
    let orderIndex: Int?
    /// The name under which the order key is sent.
    var orderName: String { name + "_order" }
    /// The relationship's index among the table's to-one relationships.
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

/// One to-many relationship and the storage of its members.
struct ToManyRelationship {
    /// Where the members are stored.
    enum Storage {
        /// In the destination's table: the rows whose inverse to-one column contains the owner's
        /// `pk`.
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

    /// Whether the members are stored in a link table.
    var isLink: Bool {
        if case .link = storage { return true }
        return false
    }

    /// The index of the owner's `pk` in the rows of unordered members; nil if their rows do not
    /// contain it.
    func indexOfOwner(in rows: [ObjectRow]) -> Int? {
        guard !isOrdered, case .foreignKey(_, let column, _) = storage else { return nil }
        return rows.first?.entity.table.columns.firstIndex(of: column)
    }
}
