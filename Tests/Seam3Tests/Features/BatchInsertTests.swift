import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A batch insertion", .tags(.batchRequestsSync)) struct BatchInsertTests {
    let cloud = LocalCloud.inMemory()

    private func device(_ name: String = "device") throws -> Device {
        try Device(name, on: cloud, model: BatchModel.make())
    }

    @Test("inserts dictionaries, with defaults for the attributes they omit")
    func dictionaries() throws {
        let device = try device()
        let request = NSBatchInsertRequest(
            entityName: "Book",
            objects: [["name": "a", "pages": 3], ["name": "b"], ["name": "c", "price": 1.5]])
        request.resultType = .count
        #expect(try device.execute(request, as: NSBatchInsertResult.self).result as? Int == 3)
        #expect(try device.values("pages", of: "Book") == ["a": 3, "b": 10, "c": 10])
        #expect(
            try device.values("price", of: "Book", as: NSDecimalNumber.self)
                == ["c": NSDecimalNumber(string: "1.5")])
    }

    @Test(
        "refuses an integer that its attribute's type cannot hold, whichever way it is given",
        arguments: [
            (40_000_000_000 as NSNumber, 1610), (NSNumber(value: -40_000_000_000), 1620),
            (NSNumber(value: UInt64.max), 1610), (NSNumber(value: 1e300), 1610),
            (NSNumber(value: -1e300), 1620),
        ])
    func range(number: NSNumber, code: Int) throws {
        let device = try device()
        let dictionaries = NSBatchInsertRequest(
            entityName: "Book", objects: [["name": "a"], ["name": "b", "pages": number]])
        nonisolated(unsafe) var count = 0
        let handler = NSBatchInsertRequest(entityName: "Book") {
            (dictionary: NSMutableDictionary) in
            count += 1
            dictionary["pages"] = number
            return count > 1
        }
        // Foundation's dictionaries on Linux convert larger numbers to other ones.
        let isRepresentable = number.doubleValue.magnitude < 0x1p63
        for request in isRepresentable ? [dictionaries, handler] : [dictionaries] {
            let error = #expect(throws: CocoaError.self) {
                try device.execute(request, as: NSBatchInsertResult.self)
            }
            #expect(error?.code.rawValue == code)
            #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "pages")
        }
        #expect(try device.count("Book") == 0)
    }

    @Test("refuses an integer that an object cannot save") func rangeOfObject() throws {
        let device = try device()
        nonisolated(unsafe) var count = 0
        let request = NSBatchInsertRequest(
            entityName: "Book",
            managedObjectHandler: { object in
                object.setValue(Int(Int32.max) + 1, forKey: "pages")
                count += 1
                return count > 1
            })
        let error = #expect(throws: CocoaError.self) {
            try device.execute(request, as: NSBatchInsertResult.self)
        }
        #expect(error?.code == .validationNumberTooLarge)
        #expect(try device.count("Book") == 0)
    }

    @Test("does not check the model's rules, as on Apple's systems") func validation() throws {
        let model = BatchModel.make()
        model.entitiesByName["Book"]?.attributesByName["name"]?.setValidationPredicates(
            [NSPredicate(format: "length <= 3")], withValidationWarnings: ["too long"])
        let device = try Device(on: cloud, model: model)
        _ = try device.execute(
            NSBatchInsertRequest(entityName: "Book", objects: [["name": "long"]]),
            as: NSBatchInsertResult.self)
        #expect(try device.names(of: "Book") == ["long"])
    }

    @Test("asks a handler for dictionaries until it has no more")
    func dictionaryHandler() throws {
        let device = try device()
        nonisolated(unsafe) var rest = ["c", "b", "a"]
        let request = NSBatchInsertRequest(entityName: "Author") {
            (dictionary: NSMutableDictionary) in
            guard let name = rest.popLast() else { return true }
            dictionary["name"] = name
            return false
        }
        let result = try device.execute(request, as: NSBatchInsertResult.self)
        #expect(result.resultType == .statusOnly)
        #expect(result.result as? Bool == true)
        #expect(try device.names(of: "Author") == ["a", "b", "c"])
    }

    @Test("asks a handler for objects until it has no more")
    func objectHandler() throws {
        let device = try device()
        nonisolated(unsafe) var next = 0
        let request = NSBatchInsertRequest(
            entityName: "Book",
            managedObjectHandler: { object in
                if next == 2500 { return true }
                object.setValue("\(next)", forKey: "name")
                next += 1
                return false
            })
        request.resultType = .objectIDs
        let ids = try #require(
            try device.execute(request, as: NSBatchInsertResult.self).result as? [NSManagedObjectID]
        )
        #expect(Set(ids).count == 2500)
        #expect(try device.count("Book") == 2500)
        try device.read { context in
            let first = try context.existingObject(with: try #require(ids.first))
            #expect(first.value(forKey: "name") as? String == "0")
            #expect(first.value(forKey: "pages") as? Int == 10)
        }
    }

    @Test("reaches another device") func sync() async throws {
        let (a, b) = (try device("a"), try device("b"))
        _ = try a.execute(
            NSBatchInsertRequest(entityName: "Draft", objects: [["name": "x", "note": "n"]]),
            as: NSBatchInsertResult.self)
        try await Device.settle(a, b)
        #expect(try b.values("note", of: "Draft") == ["x": "n"])
    }

    @Test("of an unknown attribute is an error that names it, and inserts nothing")
    func unknownKey() throws {
        let device = try device()
        let request = NSBatchInsertRequest(
            entityName: "Book", objects: [["name": "a"], ["nmae": "b"]])
        let error = #expect(throws: SMStoreError.self) {
            _ = try device.execute(request, as: NSBatchInsertResult.self)
        }
        #expect(error?.description.contains("Book.nmae") == true)
        #expect(try device.count("Book") == 0)
        // The keys of the rolled-back rows are used for other rows, each once.
        try device.add("Book", ["name": "c"])
        try device.add("Book", ["name": "d"])
        #expect(try device.names(of: "Book") == ["c", "d"])
    }
}
