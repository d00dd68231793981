import CoreData

/// The join tables in which Core Data stores many-to-many relationships.
extension CoreDataFile {
    /// The table that contains the pairs of a relationship.
    struct JoinTable {
        let table: String
        /// The column with the key of the relationship's owner.
        let own: String
        /// The column with the key of its destination.
        let other: String
        /// The column with the owner's position among the destination's objects.
        let ownOrder: String?
        /// The column with the destination's position among the owner's objects.
        let otherOrder: String?
    }

    /// Finds the table of a relationship by its columns, because its name may come from either end.
    func joinTable(
        of relationship: NSRelationshipDescription, inverse: NSRelationshipDescription
    ) -> JoinTable? {
        let owner = relationship.entity.declaringEntity(of: relationship.name)
        let destination = inverse.entity.declaringEntity(of: inverse.name)
        let ownNames = formerNames(of: inverse).map { "Z_\(number(of: owner))\($0)" }
        let otherNames = formerNames(of: relationship).map { "Z_\(number(of: destination))\($0)" }
        for (table, columns) in tables.sorted(by: { $0.key < $1.key }) where table.hasPrefix("Z_") {
            let owns = columns.filter { column in
                ownNames.contains { Self.isColumn(column, named: $0) }
            }
            let others = columns.filter { column in
                column == "REFLEXIVE" || otherNames.contains { Self.isColumn(column, named: $0) }
            }
            guard let own = owns.first, let other = others.first(where: { $0 != own }) else {
                continue
            }
            func order(_ column: String) -> String? {
                columns.first { $0 == "Z_FOK_" + column.dropFirst(2) }
            }
            return JoinTable(
                table: table, own: own, other: other, ownOrder: order(own),
                otherOrder: order(other))
        }
        return nil
    }

    /// Whether a column has a name, possibly followed by a number.
    static func isColumn(_ column: String, named name: String) -> Bool {
        column.hasPrefix(name)
            && column.dropFirst(name.count).allSatisfy { ("0"..."9").contains($0) }
    }
}
