import CoreData
import LocalCloud
import Seam3
import Testing

/// Two stores of one coordinator. Both have notes; labels are unique, and in the second one only. Apple's
/// coordinator combines what its own stores return.
@Suite("Two stores of one coordinator") struct SeveralStoresTests {
    private typealias History = NSPersistentHistoryChangeRequest

    private let folder: TestFolder
    private let coordinator: NSPersistentStoreCoordinator
    private let context = NSManagedObjectContext(.privateQueue)
    private let stores: [SMStore]

    init() throws {
        folder = try TestFolder()
        let note = NSEntityDescription(
            "Note", [NSAttributeDescription("text", .stringAttributeType)])
        let label = NSEntityDescription(
            "Label", [NSAttributeDescription("name", .stringAttributeType)])
        label.uniquenessConstraints = [["name"]]
        let model = NSManagedObjectModel(note, label)
        model.setEntities([note], forConfigurationName: "First")
        model.setEntities([note, label], forConfigurationName: "Second")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        SMStore.registerStoreClass()
        let cloud = LocalCloud.inMemory()
        let (folder, coordinator) = (folder, coordinator)
        stores = try ["First", "Second"].map { name in
            let store = try coordinator.addPersistentStore(
                ofType: SMStore.type, configurationName: name,
                at: folder.url.appendingPathComponent("\(name).sqlite"),
                options: [
                    SMStore.SMStoreContainerOption: CloudPath.current.container(
                        on: cloud, identifier: "iCloud.\(name)"),
                    NSPersistentHistoryTrackingKey: true as NSNumber,
                ])
            let smStore = try #require(store as? SMStore)
            smStore.syncAutomatically = false
            return smStore
        }
        context.persistentStoreCoordinator = coordinator
    }

    @discardableResult
    private func add(
        _ entity: String, _ key: String, _ value: String, to store: Int
    ) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(value, forKey: key)
        context.assign(object, to: stores[store])
        return object
    }

    @discardableResult
    private func addNote(_ text: String, to store: Int) -> NSManagedObject {
        add("Note", "text", text, to: store)
    }

    private func texts(_ store: Int? = nil) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        if let store { request.affectedStores = [stores[store]] }
        return try context.fetch(request).compactMap { $0.value(forKey: "text") as? String }
            .sorted()
    }

    /// Two notes in the first store, three in the second.
    private func fill() throws -> [NSManagedObjectID] {
        let notes =
            [addNote("a", to: 0), addNote("b", to: 0)]
            + ["c", "d", "e"].map { addNote($0, to: 1) }
        try context.save()
        return notes.map(\.objectID)
    }

    // MARK: - Saving

    @Test("save what can be saved, and the rest with the next save")
    func incompleteSave() throws {
        add("Label", "name", "taken", to: 1)
        try context.save()
        addNote("new", to: 0)
        let label = add("Label", "name", "taken", to: 1)
        let error = #expect(throws: CocoaError.self) { try context.save() }
        #expect(error?.code == .persistentStoreIncompleteSave)
        #expect(error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stores[1]])
        let reason = error?.userInfo[NSUnderlyingErrorKey] as? CocoaError
        #expect(reason?.code == .managedObjectConstraintMerge)
        label.setValue("free", forKey: "name")
        try context.save()
        #expect(!context.hasChanges)
        #expect(try texts() == ["new"])
        #expect(try stores[0].syncStatus().pendingChangeCount == 1)
        #expect(try stores[1].syncStatus().pendingChangeCount == 2)
    }

    @Test("save everything once if the merge policy resolves the second one's conflict")
    func policy() throws {
        add("Label", "name", "taken", to: 1)
        try context.save()
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        addNote("new", to: 0)
        add("Label", "name", "taken", to: 1)
        try context.save()
        #expect(try texts() == ["new"])
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Label")) == 1)
    }

    // MARK: - Batch requests

    @Test("tell all objects that a batch update changed")
    func batchUpdate() throws {
        let notes = try fill()
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.propertiesToUpdate = ["text": "same"]
        update.resultType = .updatedObjectIDsResultType
        var result = try context.execute(update) as? NSBatchUpdateResult
        #expect(result?.resultType == .updatedObjectIDsResultType)
        #expect(Set(result?.result as? [NSManagedObjectID] ?? []) == Set(notes))
        update.resultType = .updatedObjectsCountResultType
        result = try context.execute(update) as? NSBatchUpdateResult
        #expect(result?.result as? Int == 5)
        update.resultType = .statusOnlyResultType
        result = try context.execute(update) as? NSBatchUpdateResult
        #expect(result?.result as? Bool == true)
        context.reset()
        #expect(try texts() == Array(repeating: "same", count: 5))
    }

    @Test(
        "tell all objects that a batch deletion removed",
        arguments: [
            NSBatchDeleteRequestResultType.resultTypeStatusOnly, .resultTypeObjectIDs,
            .resultTypeCount,
        ])
    func batchDelete(type: NSBatchDeleteRequestResultType) throws {
        let notes = try fill()
        let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Note"))
        delete.resultType = type
        let result = try context.execute(delete) as? NSBatchDeleteResult
        #expect(result?.resultType == type)
        switch type {
        case .resultTypeStatusOnly: #expect(result?.result as? Bool == true)
        case .resultTypeObjectIDs:
            #expect(Set(result?.result as? [NSManagedObjectID] ?? []) == Set(notes))
        case .resultTypeCount: #expect(result?.result as? Int == 5)
        }
        context.reset()
        #expect(try texts() == [])
    }

    @Test("get the objects of a batch insertion in the first of them, or in the affected one")
    func batchInsert() throws {
        let insert = NSBatchInsertRequest(entityName: "Note", objects: [["text": "a"]])
        insert.resultType = .count
        let result = try context.execute(insert) as? NSBatchInsertResult
        #expect(result?.result as? Int == 1)
        #expect(try texts(0) == ["a"])
        #expect(try texts(1) == [])
        let second = NSBatchInsertRequest(entityName: "Note", objects: [["text": "b"]])
        second.affectedStores = [stores[1]]
        _ = try context.execute(second)
        #expect(try texts(0) == ["a"])
        #expect(try texts(1) == ["b"])
    }

    // MARK: - History

    private func history(
        _ request: History, _ type: NSPersistentHistoryResultType = .transactionsAndChanges
    ) throws -> Any? {
        request.resultType = type
        let result = try context.execute(request) as? NSPersistentHistoryResult
        #expect(result?.resultType == type)
        return result?.result
    }

    /// The number of the store of each transaction.
    private func owners(_ request: History) throws -> [Int?] {
        let transactions = try history(request) as? [NSPersistentHistoryTransaction]
        return transactions?.map { transaction in
            stores.firstIndex { $0.identifier == transaction.storeID }
        } ?? []
    }

    private var token: NSPersistentHistoryToken? {
        coordinator.currentPersistentHistoryToken(fromStores: nil)
    }

    @Test("have one history, in the order of time")
    func historyOrder() throws {
        for store in [0, 1, 1, 0] {
            addNote("note", to: store)
            try context.save()
        }
        #expect(try owners(.fetchHistory(after: Date.distantPast)) == [0, 1, 1, 0])
        let counted = History.fetchHistory(after: Date.distantPast)
        #expect(try history(counted, .count) as? Int == 4)
        let objectIDs = try history(counted, .objectIDs) as? [NSManagedObjectID]
        #expect(Set(objectIDs ?? []).count == 4)
        #expect((try history(counted, .changesOnly) as? [NSPersistentHistoryChange])?.count == 4)
        #expect(try history(counted, .statusOnly) as? Bool == true)
    }

    @Test("continue after the token of both, also an archived one")
    func tokens() throws {
        for store in 0...1 {
            addNote("old", to: store)
            try context.save()
        }
        let token = try #require(token)
        #expect(token == self.token)
        #expect(try owners(.fetchHistory(after: token)) == [])
        addNote("new", to: 1)
        try context.save()
        #expect(token != self.token)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let copy = try #require(
            try NSKeyedUnarchiver.unarchivedObject(
                ofClass: NSPersistentHistoryToken.self, from: data))
        #expect(copy == token)
        #expect(try owners(.fetchHistory(after: copy)) == [1])
        addNote("newer", to: 0)
        try context.save()
        #expect(try owners(.fetchHistory(after: copy)) == [1, 0])
    }

    @Test("answer for the affected store after the token of both")
    func affectedStore() throws {
        for store in 0...1 {
            addNote("old", to: store)
            try context.save()
        }
        let request = History.fetchHistory(after: token)
        for store in 0...1 {
            addNote("new", to: store)
            try context.save()
        }
        for store in 0...1 {
            request.affectedStores = [stores[store]]
            #expect(try owners(request) == [store])
        }
    }

    @Test("answer for one store after the token of one")
    func tokenOfOne() throws {
        addNote("old", to: 1)
        try context.save()
        let token = coordinator.currentPersistentHistoryToken(fromStores: [stores[1]])
        for store in 0...1 {
            addNote("new", to: store)
            try context.save()
        }
        #expect(try owners(.fetchHistory(after: token)) == [1])
    }

    @Test("give the whole history of a store that was added after the token")
    func addedStore() throws {
        addNote("old", to: 0)
        try context.save()
        let other = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "First", at: nil,
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        let token = coordinator.currentPersistentHistoryToken(fromStores: [stores[0], other])
        addNote("new", to: 1)
        try context.save()
        #expect(try owners(.fetchHistory(after: token)) == [1])
    }

    @Test("leave out a store without a history")
    func withoutHistory() throws {
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "First", at: nil)
        addNote("note", to: 1)
        try context.save()
        #expect(try owners(.fetchHistory(after: nil as NSPersistentHistoryToken?)) == [1])
        #expect(try owners(.fetchHistory(after: token)) == [])
    }

    @Test("are searched by a fetch whose order and limit hold for both")
    func search() throws {
        for store in [0, 1, 0, 1] {
            context.transactionAuthor = "author \(store)"
            addNote("note", to: store)
            try context.save()
        }
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.sortDescriptors = [NSSortDescriptor(key: "author", ascending: false)]
        fetch.fetchOffset = 1
        fetch.fetchLimit = 2
        #expect(try owners(.fetchHistory(withFetch: fetch)) == [1, 0])
        fetch.fetchOffset = 0
        fetch.fetchLimit = 3
        #expect(try owners(.fetchHistory(withFetch: fetch)) == [1, 1, 0])
    }

    @Test("are searched by a fetch with an offset, also beside a store without a history")
    func searchWithOffset() throws {
        _ = try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: "First", at: nil)
        let token = coordinator.currentPersistentHistoryToken(fromStores: stores)
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.sortDescriptors = [NSSortDescriptor(key: "timestamp", ascending: true)]
        (fetch.fetchOffset, fetch.fetchLimit) = (1, 2)
        for store in [0, 1, 1, 0] {
            addNote("note", to: store)
            try context.save()
        }
        let after = History.fetchHistory(after: token)
        after.fetchRequest = fetch
        #expect(try owners(after) == [1, 1])
        #expect(try owners(.fetchHistory(withFetch: fetch)) == [1, 1])
        try coordinator.remove(stores[1])
        #expect(try owners(.fetchHistory(withFetch: fetch)) == [0])
    }

    @Test("delete their history before the token of both")
    func deletion() throws {
        for store in 0...1 {
            addNote("old", to: store)
            try context.save()
        }
        let token = token
        for store in 0...1 {
            addNote("new", to: store)
            try context.save()
        }
        #expect(try history(.deleteHistory(before: token), .statusOnly) as? Bool == true)
        let left = try history(.fetchHistory(after: Date.distantPast))
        #expect((left as? [NSPersistentHistoryTransaction])?.count == 4)
        #expect(try history(.deleteHistory(before: self.token), .count) as? Int == 2)
    }
}
