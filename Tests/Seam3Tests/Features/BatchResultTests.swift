import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The result of a batch request") struct BatchResultTests {
    /// The result of a request with a result type for certain objects.
    private enum Answer {
        case status
        case count
        case objectIDs

        /// Expects the result of a request for the objects with certain names.
        func expect(
            _ result: Any?, _ names: [String], _ ids: [String: NSManagedObjectID],
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            switch self {
            case .status:
                #expect(result as? Bool == true, sourceLocation: sourceLocation)
            case .count:
                #expect(result as? Int == names.count, sourceLocation: sourceLocation)
            case .objectIDs:
                let found = result as? [NSManagedObjectID]
                #expect(found?.count == names.count, sourceLocation: sourceLocation)
                #expect(
                    Set(found ?? []) == Set(names.compactMap { ids[$0] }),
                    sourceLocation: sourceLocation)
            }
        }
    }

    /// The objects of a request.
    static let selections: [[String]] = [[], ["a"], ["a", "draft", "b"]]

    private let device: Device

    init() throws {
        device = try Device(on: LocalCloud.inMemory(), model: BatchModel.make())
    }

    private func fill() throws -> [String: NSManagedObjectID] {
        var ids: [String: NSManagedObjectID] = [:]
        for name in ["a", "b", "c"] { ids[name] = try device.add("Book", ["name": name]) }
        ids["draft"] = try device.add("Draft", ["name": "draft"])
        return ids
    }

    private func ids(of entity: String) throws -> [String: NSManagedObjectID] {
        try device.read { context in
            try Device.all(entity, in: context).reduce(into: [:]) { ids, object in
                ids[object.value(forKey: "name") as? String ?? ""] = object.objectID
            }
        }
    }

    @Test("is that of its type for insertions", arguments: selections)
    func insertion(names: [String]) throws {
        let types: [(NSBatchInsertRequestResultType, Answer)] = [
            (.statusOnly, .status), (.count, .count), (.objectIDs, .objectIDs),
        ]
        for (type, answer) in types {
            let before = Set(try ids(of: "Tag").values)
            let request = NSBatchInsertRequest(
                entityName: "Tag", objects: names.map { ["name": "\(type.rawValue)\($0)"] })
            request.resultType = type
            let result = try device.execute(request, as: NSBatchInsertResult.self)
            #expect(result.resultType == type)
            let inserted = try ids(of: "Tag").filter { !before.contains($0.value) }
            answer.expect(result.result, names.map { "\(type.rawValue)\($0)" }, inserted)
        }
    }

    @Test("is that of its type for updates", arguments: selections)
    func update(names: [String]) throws {
        let ids = try fill()
        let types: [(NSBatchUpdateRequestResultType, Answer)] = [
            (.statusOnlyResultType, .status), (.updatedObjectsCountResultType, .count),
            (.updatedObjectIDsResultType, .objectIDs),
        ]
        for (type, answer) in types {
            let request = NSBatchUpdateRequest(entityName: "Book")
            request.predicate = NSPredicate(format: "name IN %@", names)
            request.propertiesToUpdate = ["pages": type.rawValue]
            request.resultType = type
            let result = try device.execute(request, as: NSBatchUpdateResult.self)
            #expect(result.resultType == type)
            answer.expect(result.result, names, ids)
        }
    }

    @Test("is that of its type for deletions", arguments: selections)
    func deletion(names: [String]) throws {
        let types: [(NSBatchDeleteRequestResultType, Answer)] = [
            (.resultTypeStatusOnly, .status), (.resultTypeCount, .count),
            (.resultTypeObjectIDs, .objectIDs),
        ]
        for (type, answer) in types {
            let ids = try fill()
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            fetch.predicate = NSPredicate(format: "name IN %@", names)
            let request = NSBatchDeleteRequest(fetchRequest: fetch)
            request.resultType = type
            let result = try device.execute(request, as: NSBatchDeleteResult.self)
            #expect(result.resultType == type)
            answer.expect(result.result, names, ids)
            try device.edit { context in
                for book in try Device.all("Book", in: context) { context.delete(book) }
            }
        }
    }
}
