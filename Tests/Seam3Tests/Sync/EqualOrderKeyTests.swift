import CloudKit
import CoreData
import CoreDataFiles
import LocalCloud
import Seam3
import SeamSQLite
import Testing

/// Members of an ordered to-many relationship whose order keys are equal or missing, so that the keys of several have to
/// change as soon as one is put beside them. Nobody has edited those.
@Suite("A member whose order key changes because another one was put beside it")
struct EqualOrderKeyTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    let cloud = LocalCloud.inMemory()

    static func model() -> NSManagedObjectModel {
        let list = NSEntityDescription(
            "List", [NSAttributeDescription("name", .stringAttributeType)])
        let item = NSEntityDescription(
            "Item", ["name", "title"].map { NSAttributeDescription($0, .stringAttributeType) })
        NSRelationshipDescription.join((list, "items", 0), (item, "list", 1))
        list.relationshipsByName["items"]?.isOrdered = true
        return NSManagedObjectModel(list, item)
    }

    // MARK: - How the keys came to be equal

    /// Where the members of the list come from.
    enum Origin: String, CaseIterable, Sendable, CustomTestStringConvertible {
        /// Two devices each append one to an empty list while they are offline.
        case appendedToEmptyList
        /// The same, to a list with a member.
        case appendedToMember
        /// Two records have the same key.
        case twoEqualKeys
        /// Two records between others have the same key.
        case equalKeysAmongOthers
        /// An older app has written two records without keys.
        case twoWithoutKeys
        /// An older app has written four.
        case fourWithoutKeys
        /// An older app has written two, and a newer one two others.
        case halfWithoutKeys
        /// One device has adopted a file of Core Data that has no order.
        case adoptedWithoutOrder

        var testDescription: String { rawValue }

        /// The keys of the records that are in the cloud before any device syncs; nil for none.
        var keys: [String?]? {
            switch self {
            case .appendedToEmptyList, .appendedToMember, .adoptedWithoutOrder: nil
            case .twoEqualKeys: ["V", "V"]
            case .equalKeysAmongOthers: ["F", "V", "V", "k"]
            case .twoWithoutKeys: [nil, nil]
            case .fourWithoutKeys: [nil, nil, nil, nil]
            case .halfWithoutKeys: ["V", nil, nil, "V"]
            }
        }
    }

    /// Two devices with the list and the same members in the same order.
    private func devices(
        _ origin: Origin, _ policy: Policy
    ) async throws -> (a: Device, b: Device) {
        let a =
            origin == .adoptedWithoutOrder
            ? try adoptingDevice(policy)
            : try Device("a", on: cloud, policy: policy, model: Self.model())
        let b = try Device("b", on: cloud, policy: policy, model: Self.model())
        if let keys = origin.keys {
            try await a.store.sync()
            try await Self.write(keys, to: RawClient(cloud))
        } else if origin != .adoptedWithoutOrder {
            try a.add("List", ["name": "list"])
            if origin == .appendedToMember { try Self.append("m0", on: a) }
            try await Device.settle(a, b)
            try Self.append("m1", on: a)
            try Self.append("m2", on: b)
        }
        try await Device.settle(a, b)
        let shown = try Self.names(on: a)
        try #require(try Self.names(on: b) == shown)
        try #require(shown.count >= 2)
        for device in [a, b] {
            device.store.recordConflictResolutionBlock = { server, _, _ in
                Issue.record("The app is asked about a key.")
                return server
            }
        }
        return (a, b)
    }

    private static func write(_ keys: [String?], to client: RawClient) async throws {
        try await client.save(client.record("List", named: "list", ["name": "list"]))
        for (index, key) in keys.enumerated() {
            let item = client.record("Item", named: "item \(index)", ["name": "m\(index)"])
            item["list"] = client.reference(to: "list")
            if let key { item["list_order"] = key }
            try await client.save(item)
        }
    }

    private func adoptingDevice(_ policy: Policy) throws -> Device {
        let rows =
            [CoreDataFileWriter.Row("List", 1, ["name": .text("list")])]
            + (0..<4).map { index in
                var row = CoreDataFileWriter.Row(
                    "Item", Int64(index + 1), ["name": .text("m\(index)")])
                row.toOnes = ["list": 1]
                return row
            }
        let file = try AdoptedFile(Self.model(), rows)
        return try Device(
            "a", on: cloud, policy: policy, model: Self.model(), file: file.url,
            options: [SMStore.SMStoreAdoptionOption: true as NSNumber])
    }

    // MARK: - What devices do

    private static func items(in context: NSManagedObjectContext) throws -> NSMutableOrderedSet {
        try Device.object("List", "list", in: context).mutableOrderedSetValue(forKey: "items")
    }

    private static func insert(_ name: String, at index: Int?, on device: Device) throws {
        try device.edit { context in
            let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
            item.setValue(name, forKey: "name")
            let items = try items(in: context)
            items.insert(item, at: index ?? items.count)
        }
    }

    private static func append(_ name: String, on device: Device) throws {
        try insert(name, at: nil, on: device)
    }

    private static func editTitle(of name: String, on device: Device) throws {
        try device.edit {
            try Device.object("Item", name, in: $0).setValue("edited", forKey: "title")
        }
    }

    private static func delete(_ name: String, on device: Device) throws {
        try device.edit { $0.delete(try Device.object("Item", name, in: $0)) }
    }

    private static func moveOut(_ name: String, on device: Device) throws {
        try device.edit {
            try Device.object("Item", name, in: $0).setValue(nil, forKey: "list")
        }
    }

    /// Moves an item to the beginning of a new list, "other".
    private static func moveToOtherList(_ name: String, on device: Device) throws {
        try device.edit { context in
            let other = NSEntityDescription.insertNewObject(forEntityName: "List", into: context)
            other.setValue("other", forKey: "name")
            other.setValue(
                NSOrderedSet(object: try Device.object("Item", name, in: context)), forKey: "items")
        }
    }

    // MARK: - What devices show

    /// The names of the list's members, in order, as they are read from the file.
    private static func names(of list: String = "list", on device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            let items = try Device.object("List", list, in: context).value(forKey: "items")
            return ((items as? NSOrderedSet)?.array ?? []).compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            }
        }
    }

    /// The titles of all items with a name.
    private static func titles(of name: String, on device: Device) throws -> [String] {
        try device.read { context in
            context.refreshAllObjects()
            return try Device.all("Item", in: context)
                .filter { $0.value(forKey: "name") as? String == name }
                .map { $0.value(forKey: "title") as? String ?? "-" }
        }
    }

    /// Expects that devices have these members in this order, and this number of items, also on a new device.
    private func expect(
        _ members: [String], of count: Int, on devices: Device...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let fresh = try Device("fresh", on: cloud, model: Self.model())
        try await fresh.store.sync()
        for device in devices + [fresh] {
            #expect(
                try Self.names(on: device) == members, "\(device.name)",
                sourceLocation: sourceLocation)
            #expect(
                try device.count("Item") == count, "\(device.name)", sourceLocation: sourceLocation)
            #expect(try device.store.checkInvariants() == [], sourceLocation: sourceLocation)
            #expect(
                try device.store.syncStatus().pendingChangeCount == 0,
                sourceLocation: sourceLocation)
        }
    }

    // MARK: - The matrix

    /// An origin, and which of the old members the other device edits.
    struct Row: Sendable, CustomTestStringConvertible {
        let origin: Origin
        let isLast: Bool

        var testDescription: String { "\(origin), the \(isLast ? "last" : "first") one" }

        func member(of names: [String]) throws -> String {
            try #require(isLast ? names.last : names.first)
        }

        static let all = Origin.allCases.flatMap { origin in
            [false, true].map { Row(origin: origin, isLast: $0) }
        }
    }

    /// Appends a member on one device and edits an old one on the other, and syncs the first one first.
    ///
    /// - Returns: The devices, the members before, and the name of the old one.
    private func appendAndEdit(
        _ row: Row, _ policy: Policy, _ edit: (String, Device) throws -> Void
    ) async throws -> (a: Device, b: Device, before: [String], old: String) {
        let (a, b) = try await devices(row.origin, policy)
        let before = try Self.names(on: a)
        let old = try row.member(of: before)
        try Self.append("new", on: a)
        try edit(old, b)
        try await Device.settle(a, b)
        return (a, b, before, old)
    }

    @Test(
        "takes no edit of a title from another device, and is not copied",
        .tags(.threeWayConflicts), arguments: Row.all, Policy.allCases)
    func title(row: Row, policy: Policy) async throws {
        let (a, b, before, old) = try await appendAndEdit(row, policy, Self.editTitle)
        for device in [a, b] { #expect(try Self.titles(of: old, on: device) == ["edited"]) }
        try await expect(before + ["new"], of: before.count + 1, on: a, b)
    }

    @Test(
        "does not come back if another device has deleted it",
        .tags(.threeWayConflicts), arguments: Row.all, Policy.allCases)
    func deletion(row: Row, policy: Policy) async throws {
        let (a, b, before, old) = try await appendAndEdit(row, policy, Self.delete)
        try await expect(before.filter { $0 != old } + ["new"], of: before.count, on: a, b)
    }

    @Test(
        "stays out of the list if another device has moved it out",
        .tags(.threeWayConflicts), arguments: Row.all, Policy.ofEachKind)
    func movedOut(row: Row, policy: Policy) async throws {
        let (a, b, before, old) = try await appendAndEdit(row, policy, Self.moveOut)
        for device in [a, b] { #expect(try Self.titles(of: old, on: device) == ["-"]) }
        try await expect(before.filter { $0 != old } + ["new"], of: before.count + 1, on: a, b)
    }

    @Test(
        "stays in the other list to which another device has moved it",
        .tags(.threeWayConflicts), arguments: Row.all, Policy.ofEachKind)
    func movedToOtherList(row: Row, policy: Policy) async throws {
        let (a, b, before, old) = try await appendAndEdit(row, policy, Self.moveToOtherList)
        for device in [a, b] {
            #expect(try Self.names(of: "other", on: device) == [old])
        }
        try await expect(before.filter { $0 != old } + ["new"], of: before.count + 1, on: a, b)
    }

    // MARK: - Other orders of the same events

    @Test(
        "competes with no edit that has reached the server before",
        arguments: Origin.allCases, Policy.allCases)
    func editFirst(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        try Self.append("new", on: a)
        try Self.editTitle(of: before[0], on: b)
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try Self.titles(of: before[0], on: device) == ["edited"]) }
        try await expect(before + ["new"], of: before.count + 1, on: a, b)
    }

    @Test(
        "does not undo a deletion that has reached the server before",
        // Without keys, both devices give some to the members, and these do not agree.
        arguments: Origin.allCases.filter { $0 != .fourWithoutKeys }, Policy.allCases)
    func deletionFirst(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        try Self.append("new", on: a)
        try Self.delete(before[0], on: b)
        try await Device.settle(b, a)
        try await expect(Array(before.dropFirst()) + ["new"], of: before.count, on: a, b)
    }

    @Test(
        "competes with no edit that arrives between this device's fetch and its request",
        arguments: Origin.allCases, Policy.ofEachKind)
    func interleaved(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        let old = try #require(before.last)
        try Self.append("new", on: a)
        try Self.editTitle(of: old, on: b)
        a.interleaveSync(of: b)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try Self.titles(of: old, on: device) == ["edited"]) }
        try await expect(before + ["new"], of: before.count + 1, on: a, b)
    }

    @Test(
        "keeps the edits of all old members on one device",
        arguments: Origin.allCases, Policy.ofEachKind)
    func allEdited(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        try Self.append("new", on: a)
        try b.edit { context in
            for name in before {
                try Device.object("Item", name, in: context).setValue("edited", forKey: "title")
            }
        }
        try await Device.settle(a, b)
        for name in before {
            for device in [a, b] { #expect(try Self.titles(of: name, on: device) == ["edited"]) }
        }
        try await expect(before + ["new"], of: before.count + 1, on: a, b)
    }

    @Test(
        "takes no edit from another device if the new member is put between equal ones",
        arguments: Origin.allCases, Policy.ofEachKind)
    func between(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        let place = before.count / 2
        try Self.insert("new", at: place, on: a)
        try b.edit { context in
            for name in before {
                try Device.object("Item", name, in: context).setValue("edited", forKey: "title")
            }
        }
        try await Device.settle(a, b)
        for name in before {
            for device in [a, b] { #expect(try Self.titles(of: name, on: device) == ["edited"]) }
        }
        var expected = before
        expected.insert("new", at: place)
        try await expect(expected, of: before.count + 1, on: a, b)
    }

    @Test(
        "takes no edit from another device if an old member is moved beside it",
        arguments: [Origin.equalKeysAmongOthers, .fourWithoutKeys, .halfWithoutKeys],
        Policy.allCases)
    func oldMemberMoved(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        // The last one gets the place between the two in the middle, which only make room.
        try a.edit { context in
            let items = try Self.items(in: context)
            items.moveObjects(at: [before.count - 1], to: 2)
        }
        for name in before[1...2] { try Self.editTitle(of: name, on: b) }
        try await Device.settle(a, b)
        for name in before[1...2] {
            for device in [a, b] { #expect(try Self.titles(of: name, on: device) == ["edited"]) }
        }
        try await expect(
            [before[0], before[1], before[3], before[2]], of: before.count, on: a, b)
    }

    @Test(
        "is in the same place on both devices if both have appended again, and is not copied",
        arguments: Origin.allCases, Policy.ofEachKind)
    func bothAppend(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        try Self.append("of a", on: a)
        try Self.append("of b", on: b)
        try await Device.settle(a, b)
        let after = try Self.names(on: a)
        #expect(Array(after.prefix(before.count)) == before)
        #expect(Set(after.dropFirst(before.count)) == ["of a", "of b"])
        try await expect(after, of: before.count + 2, on: a, b)
    }

    @Test(
        "takes no edit from another device if the answer to its request is lost",
        .tags(.sentIsTheAncestor), arguments: Policy.ofEachKind, LostAnswer.allCases)
    func lostAnswer(policy: Policy, loss: LostAnswer) async throws {
        let (a, b) = try await devices(.fourWithoutKeys, policy)
        let before = try Self.names(on: a)
        try Self.append("new", on: a)
        try await a.syncLosingAnswer(loss, on: cloud, model: Self.model())
        try Self.editTitle(of: before[1], on: b)
        try Self.delete(before[2], on: b)
        try await Device.settle(b, a)
        for device in [a, b] { #expect(try Self.titles(of: before[1], on: device) == ["edited"]) }
        try await expect(
            [before[0], before[1], before[3], "new"], of: before.count, on: a, b)
    }

    // MARK: - An older app that writes no keys

    /// Records that an older app has written, which has no idea of an order.
    static let ofOlderApp = [Origin.twoEqualKeys, .twoWithoutKeys, .fourWithoutKeys]

    @Test(
        "takes no edit from an older app, which writes no keys",
        arguments: ofOlderApp, Policy.allCases)
    func editOfOlderApp(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        try Self.append("new", on: a)
        let client = RawClient(cloud)
        let record = try await client.record(named: "item 0")
        record["title"] = "edited"
        try await client.save(record)
        try await Device.settle(a, b)
        for device in [a, b] { #expect(try Self.titles(of: "m0", on: device) == ["edited"]) }
        try await expect(before + ["new"], of: before.count + 1, on: a, b)
    }

    @Test(
        "does not undo a deletion by an older app, which writes no keys",
        arguments: ofOlderApp, Policy.allCases)
    func deletionByOlderApp(origin: Origin, policy: Policy) async throws {
        let (a, b) = try await devices(origin, policy)
        let before = try Self.names(on: a)
        try Self.append("new", on: a)
        try await RawClient(cloud).delete("item 0")
        try await Device.settle(a, b)
        try await expect(before.filter { $0 != "m0" } + ["new"], of: before.count, on: a, b)
    }

    @Test(
        "has the same place on all devices as long as nobody moves it", arguments: Origin.allCases)
    func shown(origin: Origin) async throws {
        let (a, b) = try await devices(origin, .serverRecordWins)
        let before = try Self.names(on: a)
        for device in [a, b] { try device.relaunch(model: Self.model()) }
        try await Device.settle(a, b)
        try await expect(before, of: before.count, on: a, b)
    }
}
