import CoreData
import Seam3
import SeamSQLite

/// One edit of a user's, with the objects named by their records. Those that are made in the same save
/// go by names that hold until then.
enum Change {
    case insert(String, Kind, title: String)
    case set(Field, of: String, to: String?)
    case move(String, to: String?)
    case place(String, in: String?, at: Int?)
    case tag(String, String, Bool)
    case delete(String)
}

extension Table {
    /// What an edit makes of what the user sees.
    mutating func apply(_ change: Change) {
        switch change {
        case .insert(let name, let kind, let title): insert(name, kind, title: title)
        case .set(let field, let name, let text): set(field, of: name, to: text)
        case .move(let item, let parent): move(item, to: parent)
        case .place(let item, let list, let index): place(item, in: list, at: index)
        case .tag(let item, let other, let isTagged): tag(item, other, isTagged)
        case .delete(let name): delete(name)
        }
    }
}

/// What a user does with the objects, and sees of them.
extension SimulatedDevice {
    private func perform<T>(_ body: (NSManagedObjectContext) throws -> T) throws -> T {
        guard let context else {
            throw SimulationError.broken("device \(number) is not running")
        }
        return try withoutActuallyEscaping(body) { body in
            nonisolated(unsafe) let body = body
            return try context.performAndWait { try body(context) }
        }
    }

    /// Makes edits, and saves them.
    ///
    /// - Returns: The record names of the new objects, by the names that they had in the edits.
    func save(_ changes: [Change]) throws -> [String: String] {
        let keys = try perform { context in
            var new: [String: NSManagedObject] = [:]
            for change in changes { try make(change, in: context, &new) }
            try context.save()
            return try new.filter { !$0.value.objectID.isTemporaryID }
                .mapValues { try Self.key(of: $0.objectID) }
        }
        guard !keys.isEmpty else { return [:] }
        let names = try rows().mapValues(\.name)
        return keys.compactMapValues { names[$0] }
    }

    /// Forgets the values of all objects, which another process may have changed.
    func forgetObjects() throws {
        try perform { $0.reset() }
    }

    private func make(
        _ change: Change, in context: NSManagedObjectContext, _ new: inout [String: NSManagedObject]
    ) throws {
        let made = new
        func object(_ name: String) throws -> NSManagedObject {
            if let object = made[name] { return object }
            guard let id = objectIDs[name] else {
                throw SimulationError.broken("device \(number) has no object \(name)")
            }
            return try context.existingObject(with: id)
        }
        switch change {
        case .insert(let name, let kind, let title):
            let object = NSEntityDescription.insertNewObject(
                forEntityName: kind.rawValue, into: context)
            object.setValue(title, forKey: Field.title.rawValue)
            if kind == .item { object.setValue(title, forKey: SimulatedModel.transient) }
            new[name] = object
        case .set(let field, let name, let text):
            try object(name).setValue(text.flatMap(field.value), forKey: field.rawValue)
        case .move(let item, let parent):
            try object(item).setValue(parent.map(object), forKey: Values.parent)
        case .place(let item, let list, let index):
            guard let list, let index else {
                return try object(item).setValue(list.map(object), forKey: Values.list)
            }
            let (item, members) = (
                try object(item), try object(list).mutableOrderedSetValue(forKey: "items")
            )
            members.remove(item)
            members.insert(item, at: index)
        case .tag(let item, let tag, let isTagged):
            let (tags, tag) = (
                try object(item).mutableSetValue(forKey: "tags"), try object(tag)
            )
            if isTagged { tags.add(tag) } else { tags.remove(tag) }
        case .delete(let name):
            context.delete(try object(name))
            // So that the delete rules have done their work before the next edit of the save.
            context.processPendingChanges()
        }
    }

    // MARK: - What is seen

    /// All objects and links as the application sees them.
    func table() throws -> Table {
        let rows = try rows()
        return try perform { context in
            var table = Table()
            objectIDs = [:]
            for kind in Kind.allCases {
                let request = NSFetchRequest<NSManagedObject>(entityName: kind.rawValue)
                for object in try context.fetch(request) {
                    guard let row = rows[try Self.key(of: object.objectID)] else {
                        throw SimulationError.broken("\(object.objectID) has no record name")
                    }
                    objectIDs[row.name] = object.objectID
                    try read(object, kind, row, rows, &table)
                }
            }
            return table
        }
    }

    private func read(
        _ object: NSManagedObject, _ kind: Kind, _ row: Row, _ rows: [Int64: Row],
        _ table: inout Table
    ) throws {
        var values = Values(kind)
        for field in Field.of(kind) {
            values[field.rawValue] = field.text(of: object.value(forKey: field.rawValue))
        }
        func name(_ value: Any?) throws -> String? {
            try (value as? NSManagedObject).flatMap { rows[try Self.key(of: $0.objectID)]?.name }
        }
        switch kind {
        case .item:
            values[Values.parent] = try name(object.value(forKey: Values.parent))
            values[Values.list] = try name(object.value(forKey: Values.list))
            values[Values.place] = row.place
            let tags = object.value(forKey: "tags") as? Set<NSManagedObject> ?? []
            for tag in tags {
                let tag = try name(tag) ?? "unknown"
                table.rows[Values.linkName(row.name, tag)] = Values(linking: row.name, with: tag)
            }
            try checkDerived(row.derived, values)
        case .list:
            let items = object.value(forKey: "items") as? NSOrderedSet ?? NSOrderedSet()
            table.members[row.name] = try items.array.map { try name($0) ?? "unknown" }
        case .tag: break
        }
        table.rows[row.name] = values
    }

    private func checkDerived(_ derived: String?, _ values: Values) throws {
        guard derived == values[Field.title.rawValue]?.uppercased() else {
            throw SimulationError.violation(
                "device \(number) derives \(derived ?? "nil") from (\(values))")
        }
    }

    // MARK: - What the file has

    /// What the file has of a record beside what an application sees.
    struct Row {
        let name: String
        let place: String?
        let derived: String?
        /// Whether a change of it waits.
        let isPending: Bool
    }

    /// The number by which the file knows an object.
    private static func key(of id: NSManagedObjectID) throws -> Int64 {
        let last = id.uriRepresentation().lastPathComponent
        guard let key = Int64(last.drop { !$0.isNumber }) else {
            throw SimulationError.broken("\(id) has no number")
        }
        return key
    }

    private func connection() throws -> SQLiteConnection {
        if let file { return file }
        let connection = try SQLiteConnection(
            path: storeURL.path, options: SQLiteConnection.Options(readOnly: true))
        file = connection
        return connection
    }

    private func rows() throws -> [Int64: Row] {
        let pairs = try connection().rows(
            """
            SELECT o.pk, o.record_name, i.list_order, c.pk, i.capitals FROM sm_object AS o \
            LEFT JOIN "Item" AS i ON i.pk = o.pk LEFT JOIN sm_outbox AS c ON c.pk = o.pk
            """
        ) { row in
            (
                row.integer(at: 0),
                Row(
                    name: row.text(at: 1), place: row.isNull(at: 2) ? nil : row.text(at: 2),
                    derived: row.isNull(at: 4) ? nil : row.text(at: 4),
                    isPending: !row.isNull(at: 3))
            )
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// The names of the records of which a change waits.
    func pendingNames() throws -> Set<String> {
        Set(try rows().values.filter(\.isPending).map(\.name))
    }

    /// The record name of the user whose data the file holds.
    func owner() throws -> String? {
        try connection().firstRow("SELECT user_name FROM sm_sync") {
            $0.text(at: 0)
        }
    }
}
