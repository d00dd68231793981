import CoreData
import NotificationStreams
import Testing

@Suite("The history of an in-memory store") struct PersistentHistoryTests {
    private let coordinator: NSPersistentStoreCoordinator
    private let context: NSManagedObjectContext
    private let store: NSPersistentStore

    init() throws {
        let model = TestModel.make()
        let label = model.entitiesByName["Clock"]?.attributesByName["label"]
        label?.preservesValueInHistoryOnDeletion = true
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.name = "editor"
        context.transactionAuthor = "app"
    }

    private func history(
        _ request: NSPersistentHistoryChangeRequest,
        _ type: NSPersistentHistoryResultType = .transactionsAndChanges
    ) throws -> Any? {
        request.resultType = type
        let result = try context.execute(request) as? NSPersistentHistoryResult
        #expect(result?.resultType == type)
        return result?.result
    }

    private func transactions(
        after token: NSPersistentHistoryToken?
    ) throws -> [NSPersistentHistoryTransaction] {
        try #require(
            try history(.fetchHistory(after: token)) as? [NSPersistentHistoryTransaction])
    }

    private func clock(_ label: String) -> Clock {
        let clock = Clock(context: context)
        clock.label = label
        return clock
    }

    @Test("records each save with what it changed, who made it and where")
    func saves() throws {
        let clock = clock("noon")
        let gone = self.clock("gone")
        try context.save()
        clock.note = "noted"
        context.delete(gone)
        context.transactionAuthor = nil
        try context.save()
        try context.save()
        let found = try transactions(after: nil)
        #expect(found.count == 2)
        #expect(found.map(\.author) == ["app", nil])
        #expect(found.map(\.contextName) == ["editor", "editor"])
        #expect(found.allSatisfy { $0.storeID == store.identifier && !$0.processID.isEmpty })
        #expect(found[0].transactionNumber < found[1].transactionNumber)
        #expect(found[0].timestamp <= found[1].timestamp)
        #expect(found[0].changes?.map(\.changeType) == [.insert, .insert])
        #expect(
            Set(found[0].changes?.map(\.changedObjectID) ?? []) == [clock.objectID, gone.objectID])
        let changes = try #require(found[1].changes)
        #expect(changes.map(\.changeType) == [.update, .delete])
        #expect(changes[0].updatedProperties?.map(\.name) == ["note"])
        #expect(changes[0].tombstone == nil)
        #expect(changes[1].tombstone as? [String: String] == ["label": "gone"])
        #expect(changes[1].updatedProperties == nil)
        #expect(changes[1].transaction === found[1])
    }

    @Test("begins after a token, a transaction or a time")
    func beginnings() throws {
        _ = clock("a")
        try context.save()
        let token = coordinator.currentPersistentHistoryToken(fromStores: [store])
        #expect(try transactions(after: nil).last?.token == token)
        let before = Date()
        _ = clock("b")
        try context.save()
        let later = try transactions(after: token)
        #expect(later.count == 1)
        let first = try transactions(after: nil)[0]
        for request in [
            NSPersistentHistoryChangeRequest.fetchHistory(after: first),
            .fetchHistory(after: before),
        ] {
            let found = try history(request) as? [NSPersistentHistoryTransaction]
            #expect(found?.map(\.transactionNumber) == later.map(\.transactionNumber))
        }
        #expect(try transactions(after: later[0].token).isEmpty)
    }

    @Test("is returned in the requested form")
    func forms() throws {
        let clocks = [clock("a"), clock("b")]
        try context.save()
        let all = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        #expect(try history(all, .count) as? Int == 2)
        #expect(try history(all, .statusOnly) as? Bool == true)
        #expect(
            Set(try history(all, .objectIDs) as? [NSManagedObjectID] ?? [])
                == Set(clocks.map(\.objectID)))
        #expect((try history(all, .changesOnly) as? [NSPersistentHistoryChange])?.count == 2)
        let bare = try history(all, .transactionsOnly) as? [NSPersistentHistoryTransaction]
        #expect(bare?.count == 1)
        #expect(bare?[0].changes == nil)
        #expect(bare?[0].author == "app")
    }

    @Test("is searched by a fetch of transactions or of changes")
    func fetches() throws {
        let clock = clock("a")
        try context.save()
        context.transactionAuthor = "import"
        clock.label = "b"
        _ = self.clock("c")
        try context.save()
        let byAuthor = try #require(NSPersistentHistoryTransaction.fetchRequest)
        byAuthor.predicate = NSPredicate(format: "%K != %@", "author", "app")
        let found =
            try history(.fetchHistory(withFetch: byAuthor)) as? [NSPersistentHistoryTransaction]
        #expect(found?.map(\.author) == ["import"])
        let byObject = try #require(NSPersistentHistoryChange.fetchRequest)
        byObject.predicate = NSPredicate(format: "changedObjectID == %@", clock.objectID)
        let changes =
            try history(.fetchHistory(withFetch: byObject), .changesOnly)
            as? [NSPersistentHistoryChange]
        #expect(changes?.map(\.changeType) == [.insert, .update])
        let entity = NSPersistentHistoryTransaction.entityDescription(with: context)
        #expect(entity?.attributesByName["author"] != nil)
    }

    @Test("is searched by the order of tokens")
    func tokenOrder() throws {
        for label in ["a", "b", "c"] {
            _ = clock(label)
            try context.save()
        }
        let tokens = try transactions(after: nil).map(\.token)
        func count(_ format: String) throws -> Int {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: format, argumentArray: [tokens[1]])
            let found = try history(.fetchHistory(withFetch: fetch))
            return try #require(found as? [NSPersistentHistoryTransaction]).count
        }
        #expect(try count("token > %@") == 1)
        #expect(try count("token >= %@") == 2)
        #expect(try count("token < %@") == 1)
        #expect(try count("token == %@") == 1)
        #expect(try count("token != %@") == 2)
    }

    @Test("has a point of which the notification of a save tells")
    func tokenOfSave() throws {
        let recorder = NotificationRecorder(context, [.NSManagedObjectContextDidSave])
        _ = clock("a")
        try context.save()
        let token = recorder.all.first?.userInfo?["newChangeToken"]
        #expect(
            token as? NSPersistentHistoryToken
                == coordinator.currentPersistentHistoryToken(fromStores: nil))
    }

    @Test("is deleted on request, and an earlier token is an error")
    func forgetting() throws {
        _ = clock("a")
        try context.save()
        let old = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
        for label in ["b", "c"] {
            _ = clock(label)
            try context.save()
        }
        let last = try #require(try transactions(after: old).last)
        #expect(try history(.deleteHistory(before: last), .statusOnly) as? Bool == true)
        #expect(try transactions(after: nil).count == 1)
        let error = #expect(throws: CocoaError.self) { try transactions(after: old) }
        #expect(error?.code.rawValue == NSPersistentHistoryTokenExpiredError)
        _ = try history(.deleteHistory(before: Date.distantFuture), .statusOnly)
        #expect(try transactions(after: nil).isEmpty)
        #expect(try transactions(after: last.token).isEmpty)
    }

    @Test("is kept in a token's archive")
    func archive() throws {
        _ = clock("a")
        try context.save()
        let token = try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSPersistentHistoryToken.self, from: data)
        #expect(copy == token)
        _ = clock("b")
        try context.save()
        #expect(try transactions(after: copy).count == 1)
    }

    @Test("of several stores is in the order of time, and begins after the token of all or of one")
    func severalStores() throws {
        let other = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        func save(in stores: NSPersistentStore...) throws {
            for store in stores {
                context.assign(clock("a"), to: store)
                try context.save()
            }
        }
        try save(in: store, other)
        let token = coordinator.currentPersistentHistoryToken(fromStores: nil)
        let own = coordinator.currentPersistentHistoryToken(fromStores: [store])
        try save(in: other, store, other)
        func owners(after token: NSPersistentHistoryToken?) throws -> [String] {
            try transactions(after: token).map(\.storeID)
        }
        let (first, second) = (store.identifier ?? "", other.identifier ?? "")
        #expect(try owners(after: nil) == [first, second, second, first, second])
        #expect(try owners(after: token) == [second, first, second])
        #expect(try owners(after: own) == [first])
    }

    @Test("is merged by its notification")
    func merging() throws {
        let clock = clock("a")
        try context.save()
        let other = NSManagedObjectContext(.privateQueue)
        other.persistentStoreCoordinator = coordinator
        let copy = try #require(try other.existingObject(with: clock.objectID) as? Clock)
        clock.label = "b"
        try context.save()
        for transaction in try transactions(after: nil) {
            other.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(copy.label == "b")
    }

    @Test("is kept only if the store was added for it")
    func withoutTracking() throws {
        let plain = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        try plain.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = plain
        #expect(plain.currentPersistentHistoryToken(fromStores: nil) == nil)
        let error = #expect(throws: CocoaError.self) {
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: Date()))
        }
        #expect(error?.code == .persistentStoreUnsupportedRequestType)
    }

    @Test("Every save is announced by the coordinator if the store was added for that")
    func remoteChange() async throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make())
        let store = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil,
            options: [
                NSPersistentHistoryTrackingKey: true as NSNumber,
                NSPersistentStoreRemoteChangeNotificationPostOptionKey: true as NSNumber,
            ])
        let notifications = NotificationStream(.NSPersistentStoreRemoteChange, of: coordinator)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            _ = Clock(context: context)
            try context.save()
        }
        let userInfo = await notifications.next()
        #expect(userInfo?[NSStoreUUIDKey] as? String == store.identifier)
        #expect(
            userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
                == coordinator.currentPersistentHistoryToken(fromStores: nil))
    }
}
