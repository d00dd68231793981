import CoreData

/// The triggers of a connection that record what each transaction changes.
struct HistoryTriggers {
    private let schema: StoreSchema

    init(_ schema: StoreSchema) {
        self.schema = schema
    }

    /// The statements that create the triggers.
    var statements: [String] {
        schema.tables.flatMap(statements) + schema.links.flatMap(statements)
            // A model without relationships has no referrers.
            + (presence.isEmpty ? [] : [ObjectTable.trigger(ofPresence: presence)])
    }

    // MARK: - Objects

    private func statements(for table: RootTable) -> [String] {
        let entities = schema.entities.filter { $0.table === table }
        let columns = properties(of: entities)
        let change = "INSERT INTO \(HistoryTable.changes) (kind, pk, entity, properties, tombstone)"
        let changed = columns.map { column, property in
            let column = column.sqlIdentifier
            return "CASE WHEN OLD.\(column) IS NOT NEW.\(column) THEN '\(property) ' ELSE '' END"
        }
        let names = changed.isEmpty ? "''" : changed.joined(separator: " || ")
        let toOnes = Self.toOnes(of: entities)
        return [
            trigger(
                "INSERT", table.name,
                ["\(change) VALUES (0, NEW.pk, NEW.entity, NULL, NULL)"]
                    + toOnes.map { relation($0.column, $0.inverse, "NEW") }),
            trigger(
                "UPDATE", table.name,
                [
                    "\(change) SELECT 1, NEW.pk, NEW.entity, names, NULL"
                        + " FROM (SELECT \(names) AS names) WHERE names <> ''"
                ]
                    + toOnes.flatMap { toOne -> [String] in
                        // A new position in an ordered relationship also changes the owner.
                        let isOther = [toOne.column, toOne.orderColumn].compactMap { $0 }
                            .map(\.sqlIdentifier)
                            .map { "OLD.\($0) IS NOT NEW.\($0)" }.joined(separator: " OR ")
                        return ["OLD", "NEW"].map {
                            relation(toOne.column, toOne.inverse, $0) + " AND (\(isOther))"
                        }
                    }),
            trigger(
                "DELETE", table.name,
                ["\(change) VALUES (2, OLD.pk, OLD.entity, NULL, \(tombstone(of: entities)))"]
                    + toOnes.map { relation($0.column, $0.inverse, "OLD") }),
        ]
    }

    /// The properties by column; a composite attribute has several columns.
    private func properties(of entities: [EntitySchema]) -> [(column: String, property: String)] {
        var known: Set<String> = []
        return entities.flatMap { entity in
            entity.attributes.map { ($0.column, $0.root.name) }
                + entity.toOnes.map { ($0.column, $0.name) }
        }.filter { known.insert($0.0).inserted }
    }

    private static func toOnes(
        of entities: [EntitySchema]
    ) -> [(column: String, orderColumn: String?, inverse: String)] {
        var known: Set<String> = []
        return entities.flatMap { entity in
            entity.toOnes.map {
                ($0.column, $0.orderColumn, $0.relationship.inverseRelationship?.name ?? "")
            }
        }.filter { known.insert($0.0).inserted }
    }

    /// Records the destination of a to-one relationship, before or after the change.
    private func relation(_ column: String, _ inverse: String, _ row: String) -> String {
        let column = column.sqlIdentifier
        return "INSERT INTO \(HistoryTable.changes) (kind, pk, properties)"
            + " SELECT 3, \(row).\(column), '\(inverse)' WHERE \(row).\(column) IS NOT NULL"
    }

    // MARK: - Destinations

    /// Statements that record a change of each object whose relationships contain an object: the object
    /// appears or disappears, while what refers to it stays.
    private var presence: [String] {
        let toOnes = schema.tables.flatMap { table -> [String] in
            let entities = schema.entities.filter { $0.table === table }
            return Self.toOneNames(of: entities).map { column, name in
                change(of: "pk", name, in: table.name, where: column)
            }
        }
        return toOnes
            + schema.links.flatMap { link -> [String] in
                [("source", link.source.name, "target"), ("target", link.target?.name, "source")]
                    .compactMap { end, name, other in
                        name.map { change(of: end, $0, in: link.table, where: other) }
                    }
            }
    }

    private static func toOneNames(of entities: [EntitySchema]) -> [(column: String, name: String)]
    {
        var known: Set<String> = []
        return entities.flatMap { $0.toOnes.map { ($0.column, $0.name) } }
            .filter { known.insert($0.0).inserted }
    }

    private func change(
        of end: String, _ name: String, in table: String, where column: String
    ) -> String {
        "INSERT INTO \(HistoryTable.changes) (kind, pk, properties)"
            + " SELECT 1, \(end.sqlIdentifier), '\(name)' FROM \(table.sqlIdentifier)"
            + " WHERE \(column.sqlIdentifier) = NEW.pk AND \(end.sqlIdentifier) IS NOT NULL"
    }

    // MARK: - Tombstones

    /// The values of the attributes that a tombstone preserves, as a JSON object; NULL if there are
    /// none.
    private func tombstone(of entities: [EntitySchema]) -> String {
        var known: Set<String> = []
        let preserved = entities.flatMap(\.attributes).filter {
            $0.root.preservesValueInHistoryOnDeletion && !$0.isExternal && !$0.isElement
                && known.insert($0.name).inserted
        }
        guard !preserved.isEmpty else { return "NULL" }
        let values = preserved.map { attribute in
            let value = "OLD.\(attribute.column.sqlIdentifier)"
            return """
                '\(attribute.name)', CASE typeof(\(value)) WHEN 'null' THEN NULL \
                WHEN 'blob' THEN 'x' || hex(\(value)) \
                WHEN 'real' THEN 'r' || printf('%!.17g', \(value)) \
                WHEN 'integer' THEN 'i' || \(value) ELSE 't' || \(value) END
                """
        }
        return "json_object(\(values.joined(separator: ", ")))"
    }

    /// The values of a tombstone in Core Data's form.
    static func values(of tombstone: String, _ entity: EntitySchema) -> [AnyHashable: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(tombstone.utf8))
        guard let stored = object as? [String: Any] else { return [:] }
        var values: [AnyHashable: Any] = [:]
        for attribute in entity.attributes {
            let entry = stored[attribute.name] ?? stored[attribute.element.identity]
            guard let text = entry as? String, let value = value(text),
                let object = attribute.kind.attributeValue(value).object
            else { continue }
            values[attribute.name] = object
        }
        return values
    }

    private static func value(_ text: String) -> SQLiteValue? {
        let rest = text.dropFirst()
        switch text.first {
        case "i": return Int64(rest).map { .integer($0) }
        case "r": return Double(rest).map { .real($0) }
        case "t": return .text(String(rest))
        case "x": return ListParameter.decoded(.text(text.lowercased()))
        default: return nil
        }
    }

    // MARK: - Links

    private func statements(for link: LinkSchema) -> [String] {
        let ends = [("source", link.source), ("target", link.target)]
        func note(_ row: String, ifMoved: Bool = false) -> [String] {
            ends.compactMap { end, property in property.map { (end, $0.name) } }.map {
                end, property in
                "INSERT INTO \(HistoryTable.changes) (kind, pk, properties)"
                    + " SELECT 1, \(row).\(end), '\(property)' WHERE \(row).\(end) IS NOT NULL"
                    + (ifMoved ? " AND OLD.\(end) IS NOT NEW.\(end)" : "")
            }
        }
        return [
            trigger("INSERT", link.table, note("NEW")),
            // A link passes to another object whose record gets the name of its end.
            trigger("UPDATE", link.table, note("NEW") + note("OLD", ifMoved: true)),
            trigger("DELETE", link.table, note("OLD")),
        ]
    }

    private func trigger(_ event: String, _ table: String, _ notes: [String]) -> String {
        let name = "sm_history \(table) \(event)".sqlIdentifier
        return "CREATE TEMP TRIGGER IF NOT EXISTS \(name) AFTER \(event)"
            + " ON main.\(table.sqlIdentifier) BEGIN \(notes.joined(separator: "; ")); END"
    }
}
