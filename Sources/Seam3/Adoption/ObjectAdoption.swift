import CoreData

/// Copies the objects of a file of Core Data into a new store file, in the caller's transaction.
final class ObjectAdoption {
    let file: CoreDataFile
    let database: StoreDatabase
    let mappings: RecordMappings
    private(set) var objectCount = 0
    /// "Entity.attribute" for each value of external data whose file is missing.
    private(set) var missingData: [String] = []
    /// The report about the file's contents.
    let report = AdoptionReport()
    /// The join tables that relationships have used.
    private(set) var usedTables: Set<String> = []
    /// Table → columns that relationships have used, besides those of properties.
    private(set) var usedColumns: [String: Set<String>] = [:]
    /// Root entity → key in the old file → key in the new one.
    private var keys: [String: [Int64: Int64]] = [:]
    /// The objects that the server knows, with their entities.
    private(set) var known: [Int64: EntitySchema] = [:]

    init(file: CoreDataFile, database: StoreDatabase) {
        self.file = file
        self.database = database
        mappings = RecordMappings(database.schema)
    }

    func run() throws {
        let roots = database.schema.tables.compactMap { table in
            file.model.entities.first { $0.name == table.rootName }
        }
        for root in roots { try findElements(ofRoot: root) }
        for root in roots { try takeKeys(ofRoot: root) }
        for root in roots { try copyRows(ofRoot: root) }
        for entity in database.schema.entities {
            for toOne in entity.toOnes where toOne.owner == entity.name {
                try copyOrder(of: toOne, entity)
            }
        }
        for link in database.schema.links { try copyLinks(link) }
        try copyChangeSets()
        try queueReferences()
        try completeOneToOnes()
        try reportLeftovers(roots: roots)
    }

    /// Whether the server knows any of the objects.
    var hasKnownRecords: Bool { !known.isEmpty }

    func isKnown(_ pk: Int64) -> Bool { known[pk] != nil }

    // MARK: - Rows

    /// Finds the columns of composite attributes.
    private func findElements(ofRoot root: NSEntityDescription) throws {
        for attribute in try file.findElements(ofRoot: root) {
            report.note(
                attribute.entity.name ?? "",
                "the columns of the composite attribute \(attribute.name) cannot be told from others"
            )
        }
    }

    /// Assigns numbers to the objects of a hierarchy, in their present order.
    private func takeKeys(ofRoot root: NSEntityDescription) throws {
        let table = file.table(of: root)
        guard file.tables[table] != nil else { return }
        let old = try file.connection.rows("SELECT Z_PK FROM \(table.sqlIdentifier) ORDER BY Z_PK")
        { $0.integer(at: 0) }
        let first = try database.sequence.takeKeys(max(1, old.count))
        // The table of a damaged file may have a number twice.
        keys[root.name ?? ""] = Dictionary(zip(old, first..<first + Int64(old.count))) { key, _ in
            key
        }
    }

    private func key(_ old: Int64?, root: NSEntityDescription?) -> Int64? {
        old.flatMap { keys[root.map { $0.rootEntity.name ?? "" } ?? ""]?[$0] }
    }

    private func copyRows(ofRoot root: NSEntityDescription) throws {
        let table = file.table(of: root)
        guard let columns = file.tables[table] else { return }
        let names = file.columns(ofRoot: root)
        let entities = Dictionary(
            database.schema.entities.filter { $0.rootName == root.name }
                .map { (file.number(of: $0.description), $0) }
        ) { first, _ in first }
        let places = Dictionary(zip(columns, columns.indices)) { first, _ in first }
        let list = columns.map(\.sqlIdentifier).joined(separator: ", ")
        try file.connection.forEachRow(
            "SELECT \(list) FROM \(table.sqlIdentifier) ORDER BY Z_PK"
        ) { statement in
            try autoreleasepool {
                func value(_ column: String?) -> SQLiteValue {
                    column.flatMap { places[$0] }.map(statement.value) ?? .null
                }
                guard let entity = entities[value("Z_ENT").integer ?? 0],
                    let pk = key(value("Z_PK").integer, root: root)
                else {
                    throw SMStoreError.unknownFile(
                        path: file.original.path,
                        reason: "its model does not know an object of \(table)")
                }
                try copyRow(pk, of: entity, columns, names, value)
            }
        }
    }

    /// - Parameters:
    ///   - columns: The table's columns.
    ///   - names: The columns of the properties.
    ///   - value: The row's value of a column.
    private func copyRow(
        _ pk: Int64, of entity: EntitySchema, _ columns: [String], _ names: [String: String],
        _ value: (String?) -> SQLiteValue
    ) throws {
        var row = ObjectRow(pk: pk, entity: entity)
        row.version = min(max(1, value("Z_OPT").integer ?? 1), ObjectRow.lastVersion)
        for attribute in entity.attributes {
            let path = entity.description.qualifiedName(of: attribute.name)
            guard let column = names[path] else {
                // A file without a model may be older than the attribute.
                if !attribute.isOptional {
                    row.values[attribute.index] = try attribute.stored(attribute.defaultValue)
                }
                continue
            }
            let old = value(column)
            var stored = try file.stored(old, attribute)
            if stored == nil { missingData.append(path) }
            // What cannot be read as a value is nil.
            if let value = stored, attribute.kind != .transformable, attribute.value(value) == nil {
                stored = .null
            }
            row.values[attribute.index] = stored ?? .null
            note(stored, for: old, attribute.name, entity)
        }
        for toOne in entity.toOnes {
            let old = value(names["\(toOne.owner).\(toOne.name)"]).integer
            let new = key(old, root: toOne.relationship.destinationEntity)
            row.values[toOne.index] = SQLiteValue(new)
            if new != nil {
                report.noteTaken(entity.name, toOne.name)
            } else if old != nil {
                report.noteLeftOut(
                    entity.name, toOne.name,
                    because: "its destination is not in the file")
            }
        }
        try add(
            row, recordName: first(Seam3.recordID, columns, value).text,
            systemFields: first(Seam3.encodedValues, columns, value).blob)
    }

    private func note(
        _ new: SQLiteValue?, for old: SQLiteValue, _ attribute: String, _ entity: EntitySchema
    ) {
        if old.isNull { return }
        guard let new else {
            return report.noteLeftOut(
                entity.name, attribute, because: "the file of the external data is missing")
        }
        if new.isNull {
            report.noteLeftOut(
                entity.name, attribute, because: "the value does not have the attribute's type")
        } else {
            report.noteTaken(entity.name, attribute)
        }
    }

    typealias Seam3 = CoreDataFile.Seam3Name

    /// The first value among columns with a name, numbered or not.
    private func first(
        _ name: String, _ columns: [String], _ value: (String?) -> SQLiteValue
    ) -> SQLiteValue {
        for column in columns where column.hasPrefix(name) {
            let found = value(column)
            if !found.isNull { return found }
        }
        return .null
    }

    private func add(_ row: ObjectRow, recordName: String?, systemFields: Data?) throws {
        let kept = try recordName.flatMap { try isFree($0) ? $0 : nil }
        try database.objects.insert(
            row.pk, entity: row.entity.number, recordName: kept ?? UUID().uuidString)
        try database.rows.insert(row)
        objectCount += 1
        report.noteTaken(row.entity.name)
        if recordName != nil, kept == nil {
            report.note(
                row.entity.name,
                "an object's record name is invalid, or another's, so it gets a record of its own")
        }
        guard mappings.mapping(of: row.entity) != nil else { return }
        if kept != nil, let systemFields, let record = try? SystemFields.record(from: systemFields)
        {
            try database.objects.setSystemFields(
                systemFields, changeTag: record.changeTag, of: row.pk)
            known[row.pk] = row.entity
        } else {
            try database.outbox.noteInsertion(row.pk)
        }
    }

    /// Whether an object can have a record name.
    func isFree(_ recordName: String) throws -> Bool {
        try RecordNames.isValid(recordName) && database.objects.entry(named: recordName) == nil
    }

    // MARK: - Relationships

    /// Converts the positions in an ordered relationship to order keys.
    private func copyOrder(of toOne: ToOneColumn, _ entity: EntitySchema) throws {
        let root = entity.description.rootEntity
        let table = file.table(of: root)
        guard let newOrder = toOne.orderColumn,
            let column = file.columns(ofRoot: root)["\(toOne.owner).\(toOne.name)"],
            let order = file.orderColumn(ofToOneColumn: column, in: table)
        else { return }
        let name = column.sqlIdentifier
        let members = try file.connection.rows(
            "SELECT Z_PK, \(name) FROM \(table.sqlIdentifier) WHERE \(name) IS NOT NULL"
                + " ORDER BY \(name), \(order.sqlIdentifier), Z_PK"
        ) { (pk: $0.integer(at: 0), owner: $0.integer(at: 1)) }
        var last: (owner: Int64, key: String)?
        for member in members {
            let key = OrderKey.between(last?.owner == member.owner ? last?.key : nil, nil)
            last = (member.owner, key)
            guard let pk = self.key(member.pk, root: root) else { continue }
            try database.references.setOrder(
                key, of: pk, table: entity.table.name, orderColumn: newOrder)
        }
    }

    private func copyLinks(_ link: LinkSchema) throws {
        guard let inverse = link.target else { return try copyMembers(link) }
        guard let join = file.joinTable(of: link.source, inverse: inverse) else { return }
        usedTables.insert(join.table)
        let columns = [join.own, join.other].map(\.sqlIdentifier).joined(separator: ", ")
        let orders = [join.ownOrder, join.otherOrder].map { $0?.sqlIdentifier ?? "NULL" }
        let pairs = try file.connection.rows(
            "SELECT \(columns), \(orders.joined(separator: ", "))"
                + " FROM \(join.table.sqlIdentifier) ORDER BY 1, 2"
        ) {
            (
                source: key($0.integer(at: 0), root: link.source.entity),
                target: key($0.integer(at: 1), root: inverse.entity),
                sourcePlace: $0.integer(at: 2), targetPlace: $0.integer(at: 3)
            )
        }
        let isSynced = mappings.isSynced(link)
        for pair in pairs {
            guard let source = pair.source, let target = pair.target else {
                report.noteLeftOut(
                    link.sourceEntity, link.source.name,
                    because: "one of the two objects is not in the file")
                continue
            }
            try database.links.add(
                link, source: source, target: target, isSynced: isSynced)
            report.noteTaken(link.sourceEntity, link.source.name)
        }
        func rank(
            _ owner: KeyPath<Pair, Int64?>, _ member: KeyPath<Pair, Int64?>,
            _ place: KeyPath<Pair, Int64>
        ) throws {
            for (owner, members) in Dictionary(
                grouping: pairs.map(Pair.init), by: { $0[keyPath: owner] })
            {
                let sorted = members.sorted { $0[keyPath: place] < $1[keyPath: place] }
                let keys = OrderKey.rising(sorted.map { _ in nil })
                for (pair, key) in zip(sorted, keys) {
                    guard owner != nil, let source = pair.source, let target = pair.target else {
                        continue
                    }
                    try setOrder(
                        key, of: link, source, target, inSource: place == \Pair.targetPlace)
                }
            }
        }
        if join.otherOrder != nil { try rank(\.source, \.target, \.targetPlace) }
        if join.ownOrder != nil { try rank(\.target, \.source, \.sourcePlace) }
    }

    /// Copies a to-many relationship without an inverse whose members refer to their owner in their
    /// rows.
    private func copyMembers(_ link: LinkSchema) throws {
        guard let destination = link.source.destinationEntity,
            let column = file.memberColumn(of: link.source)
        else { return }
        let table = file.table(of: destination)
        let order = file.orderColumn(ofToOneColumn: column, in: table)
        usedColumns[table, default: []].insert(column)
        let members = try file.connection.rows(
            "SELECT \(column.sqlIdentifier), Z_PK FROM \(table.sqlIdentifier)"
                + " WHERE \(column.sqlIdentifier) IS NOT NULL"
                + " ORDER BY 1, \((order ?? "Z_PK").sqlIdentifier), Z_PK"
        ) {
            (
                source: key($0.integer(at: 0), root: link.source.entity),
                target: key($0.integer(at: 1), root: destination)
            )
        }
        var last: (owner: Int64, key: String)?
        for member in members {
            guard let source = member.source, let target = member.target else {
                report.noteLeftOut(
                    link.sourceEntity, link.source.name,
                    because: "one of the two objects is not in the file")
                continue
            }
            let place = OrderKey.between(last?.owner == source ? last?.key : nil, nil)
            last = (source, place)
            try database.links.add(
                link, source: source, target: target,
                targetOrder: link.source.isOrdered ? place : nil, isSynced: false)
            report.noteTaken(link.sourceEntity, link.source.name)
        }
    }

    private struct Pair {
        let source: Int64?
        let target: Int64?
        let sourcePlace: Int64
        let targetPlace: Int64

        init(
            _ pair: (source: Int64?, target: Int64?, sourcePlace: Int64, targetPlace: Int64)
        ) {
            (source, target, sourcePlace, targetPlace) = pair
        }
    }

    private func setOrder(
        _ key: String, of link: LinkSchema, _ source: Int64, _ target: Int64, inSource: Bool
    ) throws {
        guard
            let pk = try database.links.key(of: link, source: source, target: target),
            var row = try database.links.row(pk, link)
        else { return }
        if inSource == (row.source == source) {
            row.targetOrder = key
        } else {
            row.sourceOrder = key
        }
        try database.links.set(row, pk, link)
    }
}
