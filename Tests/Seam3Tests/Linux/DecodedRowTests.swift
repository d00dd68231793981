import CoreData
import SeamSQLite
import Testing

@testable import Seam3

/// On Linux a fetch decodes rows into the form that objects share; see ``CachedRow``.
@Suite("A row that a fetch has decoded") struct DecodedRowTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func store(of stack: StoreStack) throws -> SMStore {
        try #require(
            stack.container.persistentStoreCoordinator.persistentStores.first as? SMStore)
    }

    /// Fetches all items, and checks that the cache's rows are those of the file.
    ///
    /// - Returns: How many of them are in the form of objects.
    private func compareRows(of stack: StoreStack) throws -> Int {
        let store = try store(of: stack)
        return try stack.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            return try context.fetch(request).filter { item in
                let pk = try #require(store.key(of: item.objectID))
                return try store.answer {
                    let database = try store.database()
                    let entity = try store.entity(of: item.objectID, in: database)
                    let cached = try #require(store.rowCache.row(pk))
                    let inFile = try #require(try database.rows.row(pk, of: entity))
                    let again = try store.stored(cached, in: database)
                    #expect(again.version == inFile.version)
                    #expect(again.values == inFile.values)
                    if case .decoded = cached { return true }
                    return false
                }
            }.count
        }
    }

    @Test("is the file's row again when a save needs it", arguments: EdgeValues.all)
    func everyType(kind: EdgeValues) throws {
        let values = kind.values + kind.localValues
        let stack = try StoreStack(at: folder.store, model: kind.model())
        try stack.perform { context in
            for value in values + [nil] {
                NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
                    .setValue(value, forKey: "value")
            }
            try context.save()
            context.reset()
        }
        let decoded = try compareRows(of: stack)
        switch kind.type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .booleanAttributeType, .stringAttributeType, .dateAttributeType, .UUIDAttributeType:
            #expect(decoded == values.count + 1)
        case .transformableAttributeType: #expect(decoded == 0)
        default: #expect(kind.isExternal ? decoded == 0 : decoded > 0)
        }
        try stack.close()
    }

    /// What another program may have written: values that no object has.
    private static let foreign: [(NSAttributeType, String)] = [
        (.integer16AttributeType, "1.5"), (.integer64AttributeType, "'seven'"),
        (.booleanAttributeType, "2"), (.booleanAttributeType, "'yes'"),
        (.doubleAttributeType, "'nan'"), (.floatAttributeType, "0.1"),
        (.floatAttributeType, "1e300"), (.dateAttributeType, "'today'"),
        (.stringAttributeType, "x'00ff'"), (.binaryDataAttributeType, "'text'"),
        (.UUIDAttributeType, "x'00ff'"),
    ]

    @Test("leaves what no object can have as it is in the file", arguments: foreign)
    func foreignValue(type: NSAttributeType, literal: String) throws {
        let model = EdgeValues(name: "", type: type, values: []).model()
        let stack = try StoreStack(at: folder.store, model: model)
        try stack.perform { context in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            try context.save()
            context.reset()
        }
        let entity = try #require(
            try store(of: stack).openedDatabase().schema.entity(named: "Item"))
        let column = try #require(entity.attribute(named: "value")).column
        let other = try SQLiteConnection(path: folder.store.path)
        try other.execute(
            "UPDATE \(entity.table.name.sqlIdentifier) SET \(column.sqlIdentifier) = \(literal)")
        func typeAndText() throws -> [String] {
            let sql = """
                SELECT typeof(\(column.sqlIdentifier)), quote(\(column.sqlIdentifier))
                FROM \(entity.table.name.sqlIdentifier)
                """
            return try other.firstRow(sql) { [$0.text(at: 0), $0.text(at: 1)] } ?? []
        }
        let before = try typeAndText()
        #expect(try compareRows(of: stack) == 0)
        try stack.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            try #require(try context.fetch(request).first).setValue(7, forKey: "index")
            try context.save()
        }
        #expect(try typeAndText() == before)
        try stack.close()
    }
}
