import CloudKit
import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("The edge values of each attribute type", .tags(.everyAttributeRoundTrips))
struct EdgeValueTests {
    let cloud = LocalCloud.inMemory()

    private func devices(_ model: () -> NSManagedObjectModel) throws -> (Device, Device) {
        (
            try Device("a", on: cloud, model: model()), try Device("b", on: cloud, model: model())
        )
    }

    /// The values of the items in the device's context, by index.
    private func contextValues(on device: Device) throws -> [Int: Any?] {
        try device.read { try Self.values(in: $0) }
    }

    /// The values of the items in the file, by index.
    private func values(on device: Device) throws -> [Int: Any?] {
        let context = device.container.newBackgroundContext()
        return try context.performAndWait { try Self.values(in: context) }
    }

    private static func values(in context: NSManagedObjectContext) throws -> [Int: Any?] {
        var values: [Int: Any?] = [:]
        for item in try Device.all("Item", in: context) {
            values[item.value(forKey: "index") as? Int ?? -1] = item.value(forKey: "value")
        }
        return values
    }

    @Test(
        "are read as they were saved, after the file is opened again", arguments: EdgeValues.all)
    func reopened(edge: EdgeValues) throws {
        let device = try Device(on: cloud, model: edge.model())
        let expected = edge.values + edge.localValues
        for (index, value) in expected.enumerated() {
            try device.add("Item", ["index": index, "value": value])
        }
        try device.add("Item", ["index": -1])
        try device.relaunch(model: edge.model())
        let found = try values(on: device)
        #expect(found.count == expected.count + 1)
        #expect(found[-1].flatMap { $0 } == nil)
        for (index, value) in expected.enumerated() {
            #expect(
                EdgeValues.isSame(found[index].flatMap { $0 }, value),
                "\(String("\(value)".prefix(80))) at \(index)")
        }
    }

    @Test("are found by a fetch for them", arguments: EdgeValues.all)
    func found(edge: EdgeValues) throws {
        // A fetch cannot compare transformed values.
        guard edge.type != .transformableAttributeType else { return }
        let device = try Device(on: cloud, model: edge.model())
        let all = edge.values + edge.localValues
        for (index, value) in all.enumerated() {
            try device.add("Item", ["index": index, "value": value])
        }
        try device.read { context in
            let items = try Device.all("Item", in: context)
            for value in all {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
                let predicate = NSPredicate(format: "value == %@", argumentArray: [value])
                request.predicate = predicate
                let found = Set(try context.fetch(request).map(\.objectID))
                let expected = Set(items.filter { predicate.evaluate(with: $0) }.map(\.objectID))
                #expect(found == expected, "\(String("\(value)".prefix(80)))")
                if (value as? NSNumber)?.doubleValue.isNaN != true { #expect(!found.isEmpty) }
            }
        }
    }

    @Test("that a secure transformer does not accept fail the save") func secure() throws {
        let edge = EdgeValues(
            name: "", type: .transformableAttributeType,
            transformer: .secureUnarchiveFromDataTransformerName, values: [])
        let device = try Device(on: cloud, model: edge.model())
        try device.add("Item", ["index": 0, "value": NSArray(array: [NSString(string: "a")])])
        #expect(throws: (any Error).self) {
            try device.add("Item", ["index": 1, "value": GridPoint(1, 2)])
        }
        try device.relaunch(model: edge.model())
        let found = try values(on: device)
        #expect(found.count == 1)
        #expect((found[0] ?? nil) as? NSArray == NSArray(array: [NSString(string: "a")]))
    }

    @Test("100 MB are kept in a file, and removed with their object") func largeData() throws {
        let edge = EdgeValues(
            name: "", type: .binaryDataAttributeType, isExternal: true, values: [])
        let device = try Device(on: cloud, model: edge.model())
        let data = Data(count: 50_000_000) + Data(repeating: 0xA5, count: 50_000_000)
        try device.add("Item", ["index": 0, "value": data])
        let storeSize = try device.directory.appendingPathComponent("Clocks.sqlite-wal")
            .resourceValues(forKeys: [.fileSizeKey]).fileSize
        #expect(try #require(storeSize) < 1_000_000)
        try device.relaunch(model: edge.model())
        #expect(try values(on: device)[0].flatMap { $0 } as? Data == data)
        #expect(try device.externalFileNames().count == 1)
        try device.edit { context in
            for item in try Device.all("Item", in: context) { context.delete(item) }
        }
        #expect(try device.externalFileNames().isEmpty)
    }

    @Test("A string in another encoding is another value, here and on another device")
    func encodings() async throws {
        let edge = EdgeValues(name: "", type: .stringAttributeType, values: [])
        let (a, b) = (
            try Device("a", on: cloud, model: edge.model()),
            try Device("b", on: cloud, model: edge.model())
        )
        try a.add("Item", ["index": 0, "value": "\u{E9}"])
        try await Device.settle(a, b)
        try a.edit { context in
            try Device.all("Item", in: context).first?.setValue("e\u{301}", forKey: "value")
        }
        try await Device.settle(a, b)
        for device in [a, b] {
            #expect(
                EdgeValues.isSame(try values(on: device)[0] ?? nil, NSString(string: "e\u{301}")))
        }
    }

    // MARK: - On another device

    @Test("reach another device, and so does nil", arguments: EdgeValues.all)
    func roundTrip(example: EdgeValues) async throws {
        let (a, b) = try devices { example.model() }
        for (index, value) in example.values.enumerated() {
            try a.add("Item", ["index": index, "value": value])
        }
        try a.add("Item", ["index": -1])
        try await Device.settle(a, b)
        let received = try contextValues(on: b)
        for (index, value) in example.values.enumerated() {
            let found = try #require(received[index] ?? nil)
            #expect(
                EdgeValues.isSame(found, value)
                    || !(value is NSString) && "\(found)" == "\(value)",
                "\(example.name): \(String("\(value)".prefix(80))) became \(String("\(found)".prefix(80)))"
            )
        }
        #expect(received[-1].flatMap { $0 } == nil)
        // Values are set to nil, and nil values are set.
        try b.edit { context in
            for item in try Device.all("Item", in: context) {
                let isNil = item.value(forKey: "value") == nil
                item.setValue(isNil ? example.values.last : nil, forKey: "value")
            }
        }
        let summary = try await b.store.sync()
        #expect(summary.savedRecordCount == example.values.count + 1)
        try await a.store.sync()
        let returned = try contextValues(on: a)
        for index in example.values.indices { #expect(returned[index].flatMap { $0 } == nil) }
        #expect(returned[-1].flatMap { $0 } != nil)
    }

    @Test(
        "queue nothing when they are set to their present values",
        arguments: EdgeValues.all)
    func unchanged(example: EdgeValues) async throws {
        let (a, b) = try devices { example.model() }
        for (index, value) in example.values.enumerated()
        where ((value as? NSData)?.length ?? 0) < 1_000_000 {
            try a.add("Item", ["index": index, "value": value])
        }
        try await Device.settle(a, b)
        try b.edit { context in
            for item in try Device.all("Item", in: context) {
                item.setValue(item.value(forKey: "index"), forKey: "index")
                let value = item.value(forKey: "value")
                item.setValue(value, forKey: "value")
            }
        }
        #expect(try b.store.syncStatus().pendingChangeCount == 0)
    }

    @Test(
        "Two large binary attributes reach another device, whichever grows, shrinks or is removed")
    func twoLargeAttributes() async throws {
        func model() -> NSManagedObjectModel {
            NSManagedObjectModel(
                NSEntityDescription(
                    "Item",
                    [
                        NSAttributeDescription("first", .binaryDataAttributeType),
                        NSAttributeDescription("second", .binaryDataAttributeType),
                    ]))
        }
        let (a, b) = try devices(model)
        func data(_ kilobytes: Int) -> Data { Data(repeating: 1, count: kilobytes * 1000) }
        try a.add("Item", ["first": data(600), "second": data(500)])
        let steps: [(String, Data?)] = [
            ("second", nil), ("first", nil), ("first", data(600)), ("second", data(650)),
            ("first", data(1)), ("second", data(2)), ("first", nil),
        ]
        for (key, value) in steps {
            try a.edit { try Device.all("Item", in: $0).first?.setValue(value, forKey: key) }
            try await Device.settle(a, b)
            let both = try [a, b].map { device in
                try device.read { context -> [Data?] in
                    let item = try #require(try Device.all("Item", in: context).first)
                    return ["first", "second"].map { item.value(forKey: $0) as? Data }
                }
            }
            #expect(both[0] == both[1])
        }
    }

    @Test("An attribute of a type that CloudKit cannot store is refused by its name")
    func refusal() throws {
        let model = NSManagedObjectModel(
            NSEntityDescription("Item", [NSAttributeDescription("odd", .objectIDAttributeType)]))
        let error = #expect(throws: SMStoreError.self) {
            try Device(on: LocalCloud.inMemory(), model: model)
        }
        #expect(error?.description.contains("Item.odd") == true)
    }

    // MARK: - Numbers that CloudKit does not support

    @Test(
        "NaN and infinity stay on their device, and change nothing on another",
        arguments: [Double.nan, .infinity])
    func notANumber(number: Double) async throws {
        let example = EdgeValues(name: "Double", type: .doubleAttributeType, values: [])
        let (a, b) = try devices { example.model() }
        try a.add("Item", ["index": 1, "value": number])
        try await Device.settle(a, b)
        #expect(try contextValues(on: b)[1].flatMap { $0 } == nil)
        try b.edit { context in
            try Device.all("Item", in: context).first?.setValue(1, forKey: "index")
        }
        try await Device.settle(b, a)
        let kept = try #require(try contextValues(on: a)[1] as? Double)
        #expect(kept.isNaN == number.isNaN && kept.isInfinite == number.isInfinite)
    }

    /// Counts the store's reports for one entity.
    private final class Reports: @unchecked Sendable {
        // Unchecked because the lock guards the state.

        private let lock = NSLock()
        private var properties: [String] = []
        private var observer: (any NSObjectProtocol)?

        init(of entity: String) {
            observer = NotificationCenter.default.addObserver(
                forName: .smSyncOperationError, object: nil, queue: nil
            ) { [weak self] note in
                guard let self,
                    case .valueNotSynced(entity, let property)? =
                        note.userInfo?[SMStore.SMStoreErrorDomain] as? SMStoreError
                else { return }
                lock.withLock { self.properties.append(property) }
            }
        }

        deinit {
            if let observer { NotificationCenter.default.removeObserver(observer) }
        }

        /// The reports of all finished passes.
        func all() async -> [String] {
            await withCheckedContinuation { continuation in
                OperationQueue.main.addOperation { continuation.resume() }
            }
            return lock.withLock { properties.sorted() }
        }
    }

    @Test("NaN and infinity are reported once, however often their object is sent")
    func reports() async throws {
        let entity = "Reading\(UUID().uuidString.prefix(8))"
        let model = NSManagedObjectModel(
            NSEntityDescription(
                entity,
                [
                    NSAttributeDescription("name", .stringAttributeType),
                    NSAttributeDescription("low", .doubleAttributeType),
                    NSAttributeDescription("high", .floatAttributeType),
                    NSAttributeDescription("mean", .doubleAttributeType),
                ]))
        let reports = Reports(of: entity)
        let device = try Device(on: cloud, model: model)
        try device.add(entity, ["name": "a", "low": Double.nan, "high": Float.infinity, "mean": 1])
        for _ in 1...2 {
            cloud.faults.add(
                .fail(.networkFailure),
                for: .kind(.modifyRecords, device: device.cloudContainer.device))
            await #expect(throws: CKError.self) { try await device.store.sync() }
        }
        try await device.store.sync()
        #expect(await reports.all() == ["high", "low"])
        try device.edit { context in
            try Device.object(entity, "a", in: context).setValue("b", forKey: "name")
        }
        try await device.store.sync()
        #expect(await reports.all() == ["high", "low"])
        try device.edit { context in
            try Device.object(entity, "b", in: context).setValue(-Double.infinity, forKey: "mean")
        }
        try await device.store.sync()
        #expect(await reports.all() == ["high", "low", "mean"])
        let error = SMStoreError.valueNotSynced(entity: entity, property: "low")
        #expect((error as NSError).code == 20)
        #expect(error.description.contains("\(entity).low"))
    }
}
