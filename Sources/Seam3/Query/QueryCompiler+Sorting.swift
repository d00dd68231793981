import CoreData

extension QueryCompiler {
    /// A term of ORDER BY, or nil if the descriptor considers all rows equal.
    ///
    /// - Throws: ``Inexpressible`` for a comparison that SQL does not support.
    func orderingTerm(_ descriptor: NSSortDescriptor) throws -> SQL? {
        guard let key = descriptor.key, let selector = descriptor.selector else {
            throw Inexpressible("a sort descriptor with a closure")
        }
        let direction: SQL = descriptor.ascending ? "" : " DESC"
        switch try operand(keyPath: key) {
        case .scalar(let sql, let kind):
            return "\(sql)\(try Self.collation(NSStringFromSelector(selector), kind))\(direction)"
        case .object(let source):
            return "\(source.key)\(direction)"
        case .constant:
            return nil
        case .members, .list:
            throw Inexpressible("sorting by a to-many relationship")
        }
    }

    private static func collation(_ selector: String, _ kind: ValueKind) throws -> SQL {
        if kind == .opaque { throw Inexpressible("sorting by a transformed value") }
        if selector == "compare:" || kind != .string { return "" }
        guard let collation = QueryFunctions.collations[selector] else {
            throw Inexpressible("the comparison \(selector)")
        }
        return " COLLATE \(verbatim: collation)"
    }
}
