import CoreData
import NotificationStreams
import Seam3
import Testing

/// The current point of the history, and the order of `NSPersistentStoreRemoteChange`.
extension HistoryTests {
    @Test("has a current point, after which only what is new follows")
    func currentPoint() throws {
        let device = try device()
        for label in ["a", "b"] {
            let token = try #require(try device.store.currentHistoryToken())
            try device.edit { _ = insert("Thing", label, in: $0) }
            let new = try transactions(after: token, device)
            #expect(new.count == 1)
            #expect(new.last?.token == (try device.store.currentHistoryToken()))
            #if !canImport(ObjectiveC)
            let coordinator = device.container.persistentStoreCoordinator
            #expect(
                coordinator.currentPersistentHistoryToken(fromStores: [device.store])
                    == new.last?.token)
            #expect(
                coordinator.currentPersistentHistoryToken(fromStores: nil) == new.last?.token)
            #endif
        }
        let untracked = try self.device("untracked", options: [:])
        #expect(try untracked.store.currentHistoryToken() == nil)
    }

    @Test("Saves at the same time are announced in the order of the history")
    func announcementOrder() async throws {
        let (writerCount, saveCount) = (4, 8)
        let device = try device()
        let notifications = NotificationStream(
            .NSPersistentStoreRemoteChange, of: device.container.persistentStoreCoordinator)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 1...writerCount {
                let context = device.container.newBackgroundContext()
                group.addTask {
                    for save in 1...saveCount {
                        try await context.perform {
                            NSEntityDescription.insertNewObject(
                                forEntityName: "Box", into: context
                            ).setValue("\(writer) \(save)", forKey: "label")
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        var laterCounts: [Int] = []
        for _ in 1...(writerCount * saveCount) {
            let token = try #require(
                await notifications.next()?[NSPersistentHistoryTokenKey]
                    as? NSPersistentHistoryToken)
            laterCounts.append(try transactions(after: token, device).count)
        }
        #expect(laterCounts == laterCounts.sorted(by: >))
        #expect(laterCounts.last == 0)
    }

    @Test("is kept of a model without relationships") func noRelationships() throws {
        let folder = try TestFolder()
        let stack = try StoreStack(
            at: folder.store, model: TagModel.make(),
            options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        try stack.add("Tag", "work")
        let result = try stack.perform { context in
            try context.execute(
                NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast))
                as? NSPersistentHistoryResult
        }
        let transactions = result?.result as? [NSPersistentHistoryTransaction]
        #expect(transactions?.flatMap { $0.changes ?? [] }.count == 1)
    }
}
