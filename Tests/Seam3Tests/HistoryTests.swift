import CoreData
import LocalCloud
import NotificationStreams
import Testing

@testable import Seam3

/// Persistent history, and remote changes between processes.
@Suite("A store's history") struct HistoryTests {
    private typealias Request = NSPersistentHistoryChangeRequest

    private static let tracking: [String: NSObject] = [
        NSPersistentHistoryTrackingKey: true as NSNumber,
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
    ]

    private static func model() -> NSManagedObjectModel {
        let label = NSAttributeDescription("label", .stringAttributeType)
        let count = NSAttributeDescription("count", .integer64AttributeType)
        let weight = NSAttributeDescription("weight", .doubleAttributeType)
        let code = NSAttributeDescription("code", .UUIDAttributeType)
        for attribute in [label, count, weight, code] {
            attribute.preservesValueInHistoryOnDeletion = true
        }
        let note = NSAttributeDescription("note", .stringAttributeType)
        let thing = NSEntityDescription("Thing", [label, count, weight, code, note])
        let box = NSEntityDescription(
            "Box", [NSAttributeDescription("label", .stringAttributeType)])
        let tag = NSEntityDescription(
            "Tag", [NSAttributeDescription("label", .stringAttributeType)])
        NSRelationshipDescription.join((thing, "box", 1), (box, "things", 0))
        NSRelationshipDescription.join((thing, "tags", 0), (tag, "things", 0))
        return NSManagedObjectModel(thing, box, tag)
    }

    let cloud = LocalCloud.inMemory()

    func device(
        _ name: String = "device", options: [String: NSObject] = Self.tracking
    ) throws -> Device {
        try Device(name, on: cloud, model: Self.model(), options: options)
    }

    private func history(
        _ request: Request, _ type: NSPersistentHistoryResultType = .transactionsAndChanges,
        in context: NSManagedObjectContext
    ) throws -> Any? {
        request.resultType = type
        let result = try context.execute(request) as? NSPersistentHistoryResult
        #expect(result?.resultType == type)
        return result?.result
    }

    func transactions(
        after token: NSPersistentHistoryToken? = nil, _ device: Device
    ) throws -> [NSPersistentHistoryTransaction] {
        try device.read { context in
            try #require(
                try history(.fetchHistory(after: token), in: context)
                    as? [NSPersistentHistoryTransaction])
        }
    }

    func insert(
        _ entity: String, _ label: String, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(label, forKey: "label")
        return object
    }

    @Test("records each save with what it changed, who made it and where") func saves() throws {
        let device = try device()
        let code = UUID()
        let objects = try device.edit { context in
            context.name = "editor"
            context.transactionAuthor = "app"
            let thing = insert("Thing", "a", in: context)
            thing.setValue(insert("Box", "box", in: context), forKey: "box")
            let gone = insert("Thing", "gone", in: context)
            gone.setValue(7, forKey: "count")
            gone.setValue(0.1, forKey: "weight")
            gone.setValue(code, forKey: "code")
            return [thing, gone]
        }
        try device.edit { context in
            context.transactionAuthor = nil
            objects[0].setValue("noted", forKey: "note")
            objects[0].setValue(nil, forKey: "box")
            context.delete(objects[1])
        }
        let found = try transactions(device)
        #expect(found.map(\.author) == ["app", nil])
        #expect(found.map(\.contextName) == ["editor", "editor"])
        #expect(found.allSatisfy { $0.storeID == device.store.identifier })
        #expect(found.map(\.transactionNumber) == found.map(\.transactionNumber).sorted())
        #expect(found[0].changes?.map(\.changeType) == [.insert, .insert, .insert])
        let ids = Set(found[0].changes?.map(\.changedObjectID) ?? [])
        #expect(ids.isSuperset(of: objects.map(\.objectID)))
        let changes = try #require(found[1].changes)
        #expect(Set(changes.map(\.changeType)) == [.update, .delete])
        let update = try #require(
            changes.first { $0.changedObjectID == objects[0].objectID })
        #expect(Set(update.updatedProperties?.map(\.name) ?? []) == ["note", "box"])
        #expect(update.transaction === found[1])
        let deletion = try #require(changes.first { $0.changeType == .delete })
        let tombstone = try #require(deletion.tombstone)
        #expect(tombstone["label"] as? String == "gone")
        #expect(tombstone["count"] as? Int == 7)
        #expect(tombstone["weight"] as? Double == 0.1)
        #expect(tombstone["code"] as? UUID == code)
        #expect(tombstone["note"] == nil)
    }

    @Test("records what batch requests changed") func batches()
        throws
    {
        let device = try device()
        try device.edit { context in
            context.transactionAuthor = "import"
            let request = NSBatchInsertRequest(
                entityName: "Thing", objects: [["label": "a"], ["label": "b"]])
            _ = try context.execute(request)
        }
        try device.edit { context in
            let request = NSBatchUpdateRequest(entityName: "Thing")
            request.predicate = NSPredicate(format: "label == 'a'")
            request.propertiesToUpdate = ["note": "noted"]
            _ = try context.execute(request)
        }
        try device.edit { context in
            let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Thing")
            _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        }
        let found = try transactions(device)
        #expect(
            found.map { $0.changes?.map(\.changeType) ?? [] } == [
                [.insert, .insert], [.update], [.delete, .delete],
            ])
        #expect(found.first?.author == "import")
        #expect(found[1].changes?.first?.updatedProperties?.map(\.name) == ["note"])
    }

    @Test("names sync as the author of pulled changes") func pull() async throws {
        let one = try device("one")
        let two = try device("two")
        try one.edit { context in
            let thing = insert("Thing", "a", in: context)
            thing.setValue(NSSet(object: insert("Tag", "tag", in: context)), forKey: "tags")
        }
        try await one.store.sync()
        try await two.store.sync()
        let found = try transactions(two)
        #expect(!found.isEmpty)
        #expect(found.allSatisfy { $0.author == SMStore.SMSyncTransactionAuthor })
        let request = try #require(NSPersistentHistoryTransaction.fetchRequest)
        request.predicate = NSPredicate(
            format: "author != %@", SMStore.SMSyncTransactionAuthor)
        let others = try two.read { context in
            try history(.fetchHistory(withFetch: request), .count, in: context) as? Int
        }
        #expect(others == 0)
        let own = try transactions(one)
        #expect(own.allSatisfy { $0.author == nil })
    }

    @Test("is searched by the order of tokens") func tokenOrder() throws {
        let device = try device()
        for label in ["a", "b", "c"] { try device.edit { insert("Thing", label, in: $0) } }
        let tokens = try transactions(device).map(\.token)
        func count(_ format: String) throws -> Int? {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: format, argumentArray: [tokens[1]])
            return try device.read {
                try history(.fetchHistory(withFetch: fetch), .count, in: $0) as? Int
            }
        }
        #expect(try count("token > %@") == 1)
        #expect(try count("%@ > token") == 1)
        #expect(try count("token >= %@ AND author == nil") == 2)
        #expect(try count("NOT (token == %@)") == 2)
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        fetch.predicate = NSPredicate(format: "transaction.token > %@", tokens[0])
        try device.read {
            let changes =
                try history(.fetchHistory(withFetch: fetch), .changesOnly, in: $0)
                as? [NSPersistentHistoryChange]
            #expect(changes?.count == 2)
        }
    }

    @Test("is searched by a fetch, and returned in the requested form") func forms() throws {
        let device = try device()
        let thing = try device.edit { insert("Thing", "a", in: $0) }
        try device.edit { _ in thing.setValue("b", forKey: "label") }
        try device.read { context in
            let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
            fetch.predicate = NSPredicate(format: "changedObjectID == %@", thing.objectID)
            let all = Request.fetchHistory(withFetch: fetch)
            #expect(try history(all, .count, in: context) as? Int == 2)
            #expect(try history(all, .statusOnly, in: context) as? Bool == true)
            let ids = try history(all, .objectIDs, in: context) as? [NSManagedObjectID]
            #expect(ids == [thing.objectID, thing.objectID])
            let changes =
                try history(all, .changesOnly, in: context) as? [NSPersistentHistoryChange]
            #expect(changes?.map(\.changeType) == [.insert, .update])
            let bare =
                try history(all, .transactionsOnly, in: context)
                as? [NSPersistentHistoryTransaction]
            #expect(bare?.count == 2)
            #expect(bare?.first?.changes == nil)
        }
    }

    @Test("has tokens, transactions and changes whose copies say the same") func copies() throws {
        let device = try device()
        try device.edit { _ = insert("Thing", "a", in: $0) }
        let transaction = try #require(try transactions(device).first)
        let token = transaction.token
        #expect(token.copy() as? NSPersistentHistoryToken == token)
        #expect((transaction.copy() as? NSPersistentHistoryTransaction)?.token == token)
        let change = try #require(transaction.changes?.first)
        #expect((change.copy() as? NSPersistentHistoryChange)?.changeID == change.changeID)
    }

    @Test("begins after a token, also an archived one, and is deleted on request")
    func tokens() throws {
        let device = try device()
        for label in ["a", "b", "c"] { try device.edit { _ = insert("Thing", label, in: $0) } }
        let all = try transactions(device)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: all[0].token, requiringSecureCoding: true)
        let token = try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClasses: [NSPersistentHistoryToken.self, HistoryToken.self], from: data)
                as? NSPersistentHistoryToken)
        #expect(token == all[0].token)
        #expect(
            try transactions(after: token, device).map(\.transactionNumber)
                == all.dropFirst().map(\.transactionNumber))
        try device.relaunch(model: Self.model())
        #expect(try transactions(after: token, device).count == 2)
        try device.read { context in
            let deletion = Request.deleteHistory(before: all[2])
            let count = try history(deletion, .count, in: context) as? Int
            #expect(count == 2)
        }
        #expect(try transactions(device).count == 1)
        let error = #expect(throws: CocoaError.self) { try transactions(after: token, device) }
        #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        try device.read { context in
            _ = try history(.deleteHistory(before: Date.distantFuture), .statusOnly, in: context)
        }
        #expect(try transactions(device).isEmpty)
        #expect(try transactions(after: all[2].token, device).isEmpty)
        try device.edit { _ = insert("Thing", "d", in: $0) }
        let later = try transactions(after: all[2].token, device)
        #expect(later.map(\.transactionNumber) == [all[2].transactionNumber + 1])
        let other = try self.device("other")
        #expect(throws: CocoaError.self) { try transactions(after: later[0].token, other) }
    }

    @Test(
        "contains both ends of a relationship, whichever was changed, also after they are deleted")
    func bothEnds() throws {
        let device = try device()
        let (thing, box, tag) = try device.edit { context in
            (
                insert("Thing", "a", in: context), insert("Box", "box", in: context),
                insert("Tag", "tag", in: context)
            )
        }
        let start = try #require(try transactions(device).last).token
        try device.edit { _ in thing.setValue(box, forKey: "box") }
        try device.edit { _ in tag.setValue(NSSet(object: thing), forKey: "things") }
        try device.edit { _ in box.setValue(NSSet(), forKey: "things") }
        let ids = [thing, box, tag].map(\.objectID)
        try device.edit { context in [thing, box, tag].forEach(context.delete) }
        let names = try transactions(after: start, device).map { transaction in
            (transaction.changes ?? []).filter { $0.changeType == .update }.map { change in
                let place = ids.firstIndex(of: change.changedObjectID) ?? -1
                return "\(place) \((change.updatedProperties ?? []).map(\.name).sorted())"
            }.sorted()
        }
        let linked = ["0 [\"box\"]", "1 [\"things\"]"]
        #expect(names == [linked, ["0 [\"tags\"]", "2 [\"things\"]"], linked, []])
    }

    @Test("Contexts follow saves of another process", .tags(.twoProcesses))
    func secondProcess() async throws {
        let folder = try TestFolder()
        let stack = try StoreStack(
            at: folder.store, model: Self.model(), options: Self.tracking)
        let thing: NSManagedObject = try stack.perform { context in
            context.automaticallyMergesChangesFromParent = true
            let thing = insert("Thing", "a", in: context)
            try context.save()
            return thing
        }
        let known = try #require(try lastTransaction(stack)).token
        let coordinator = stack.container.persistentStoreCoordinator
        let notifications = NotificationStream(.NSPersistentStoreRemoteChange, of: coordinator)
        await #expect(processExitsWith: .success) { [url = folder.store as URL] in
            try HistoryTests.saveElsewhere(at: url)
        }
        var token: NSPersistentHistoryToken?
        repeat {
            let userInfo = await notifications.next()
            token = userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
        } while token == known  // the notification of the own save
        let last = try #require(try lastTransaction(stack))
        #expect(last.token == token)
        #expect(last.author == "another process")
        #expect(last.changes?.map(\.changedObjectID) == [thing.objectID])
        try stack.perform { _ in
            #expect(thing.value(forKey: "label") as? String == "theirs")
        }
    }

    private func lastTransaction(
        _ stack: StoreStack
    ) throws -> NSPersistentHistoryTransaction? {
        try stack.perform { context in
            let found = try history(
                .fetchHistory(after: NSPersistentHistoryToken?.none), in: context)
            return (found as? [NSPersistentHistoryTransaction])?.last
        }
    }

    private static func saveElsewhere(at url: URL) throws {
        let stack = try StoreStack(at: url, model: model(), options: tracking)
        try stack.perform { context in
            context.transactionAuthor = "another process"
            for thing in try Device.all("Thing", in: context) {
                thing.setValue("theirs", forKey: "label")
            }
            try context.save()
        }
    }

    @Test("is kept only if the store was added for it") func withoutTracking() throws {
        let device = try device(options: [:])
        try device.edit { _ = insert("Thing", "a", in: $0) }
        let error = #expect(throws: CocoaError.self) { try transactions(device) }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }

    @Test("Contexts follow changes of another process", .tags(.twoProcesses))
    func otherProcess() throws {
        let device = try device()
        let (thing, box) = try device.edit { context in
            (insert("Thing", "a", in: context), insert("Box", "box", in: context))
        }
        let gone = try device.edit { insert("Thing", "gone", in: $0) }
        try device.read { _ in #expect((box.value(forKey: "things") as? NSSet)?.count == 0) }
        let other = try device.anotherContainer(model: Self.model())
        let otherContext = other.newBackgroundContext()
        let (uri, goneURI, boxURI) = (
            thing.objectID.uriRepresentation(), gone.objectID.uriRepresentation(),
            box.objectID.uriRepresentation()
        )
        try otherContext.performAndWait {
            func object(_ uri: URL) throws -> NSManagedObject {
                let coordinator = other.persistentStoreCoordinator
                let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
                return try otherContext.existingObject(with: id)
            }
            let copy = try object(uri)
            copy.setValue("theirs", forKey: "label")
            copy.setValue(try object(boxURI), forKey: "box")
            otherContext.delete(try object(goneURI))
            try otherContext.save()
        }
        device.store.lookForRemoteChanges()
        try device.read { _ in
            #expect(thing.value(forKey: "label") as? String == "theirs")
            #expect(thing.value(forKey: "box") as? NSManagedObject === box)
            #expect(box.value(forKey: "things") as? Set<NSManagedObject> == [thing])
            #expect(gone.isDeleted)
        }
        #expect(try device.store.changesOfOthers() == nil)
        try device.edit { _ in thing.setValue("mine", forKey: "label") }
        #expect(try device.store.changesOfOthers() == nil)
    }

    @Test(
        "Changes by every writer of the file are announced", arguments: ["here", "other", "server"])
    func remoteChange(writer: String) async throws {
        let device = try device("one")
        let other = try device.anotherContainer(model: Self.model())
        let two = try self.device("two")
        try two.edit { _ = insert("Thing", "server", in: $0) }
        try await two.store.sync()
        let notifications = NotificationStream(
            .NSPersistentStoreRemoteChange, of: device.container.persistentStoreCoordinator)
        switch writer {
        case "here":
            try device.edit { _ = insert("Thing", "a", in: $0) }
        case "other":
            let context = other.newBackgroundContext()
            try context.performAndWait {
                let thing = NSEntityDescription.insertNewObject(
                    forEntityName: "Thing", into: context)
                thing.setValue("b", forKey: "label")
                try context.save()
            }
        default:
            try await device.store.sync()
        }
        let userInfo = await notifications.next()
        #expect(userInfo?[NSStoreUUIDKey] as? String == device.store.identifier)
        #expect((userInfo?[NSPersistentStoreURLKey] as? URL)?.path == device.store.url?.path)
        let token = try #require(
            userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken)
        #expect(try transactions(after: token, device).isEmpty)
    }
}
