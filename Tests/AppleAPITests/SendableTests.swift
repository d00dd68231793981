import CloudKit
import CoreData
import Testing

// For Sendable types the compiler chooses the more specific function.

private func isSendable<T>(_: T.Type) -> Bool { false }
private func isSendable<T: Sendable>(_: T.Type) -> Bool { true }

/// A more lenient module would accept code that does not compile on Apple's systems.
@Suite struct SendableTests {
    @Test("What Apple's frameworks do not mark as Sendable is not Sendable, and the rest is")
    func sendable() {
        let coreData: [(Bool, Bool)] = [
            (isSendable(NSManagedObjectID.self), true),
            (isSendable(NSPersistentStoreCoordinator.self), true),
            (isSendable(NSPersistentContainer.self), true),
            (isSendable(NSManagedObjectContext.self), true),
            (isSendable(NSManagedObject.self), false),
            (isSendable(NSPersistentStore.self), false),
            (isSendable(NSIncrementalStore.self), false),
            (isSendable(NSIncrementalStoreNode.self), false),
            (isSendable(NSAtomicStore.self), false),
            (isSendable(NSAtomicStoreCacheNode.self), false),
            (isSendable(NSPersistentStoreRequest.self), false),
            (isSendable(NSFetchRequest<NSManagedObject>.self), false),
            (isSendable(NSSaveChangesRequest.self), false),
            (isSendable(NSBatchInsertRequest.self), false),
            (isSendable(NSBatchUpdateRequest.self), false),
            (isSendable(NSBatchDeleteRequest.self), false),
            (isSendable(NSPersistentStoreResult.self), false),
            (isSendable(NSPersistentStoreDescription.self), false),
            (isSendable(NSManagedObjectModel.self), false),
            (isSendable(NSEntityDescription.self), false),
            (isSendable(NSPropertyDescription.self), false),
            (isSendable(NSAttributeDescription.self), false),
            (isSendable(NSRelationshipDescription.self), false),
            (isSendable(NSMergeConflict.self), false),
            (isSendable(NSPersistentHistoryToken.self), false),
            (isSendable(NSPersistentHistoryTransaction.self), false),
            (isSendable(NSPersistentHistoryChange.self), false),
        ]
        #expect(coreData.map(\.0) == coreData.map(\.1))
        let cloudKit: [(Bool, Bool)] = [
            (isSendable(CKContainer.self), true), (isSendable(CKDatabase.self), true),
            (isSendable(CKRecord.self), true), (isSendable(CKRecord.ID.self), true),
            (isSendable(CKRecord.Reference.self), true), (isSendable(CKRecordZone.self), true),
            (isSendable(CKRecordZone.ID.self), true), (isSendable(CKAsset.self), true),
            (isSendable(CKQuery.self), true), (isSendable(CKQueryOperation.Cursor.self), true),
            (isSendable(CKServerChangeToken.self), true), (isSendable(CKError.self), true),
            (isSendable(CKSubscription.self), true),
            (isSendable(CKQuerySubscription.self), true), (isSendable(CKNotification.self), true),
            (isSendable(CKModifyRecordsOperation.self), true),
            (isSendable(CKOperation.Configuration.self), true),
            (isSendable(CKOperationGroup.self), true),
            (isSendable(CKFetchRecordZoneChangesOperation.ZoneConfiguration.self), true),
            (isSendable(CKFetchRecordZoneChangesOperation.ZoneOptions.self), false),
            (isSendable(CKLocationSortDescriptor.self), false),
            (isSendable((any CKRecordValueProtocol).self), false),
            (isSendable((any CKRecordKeyValueSetting).self), false),
        ]
        #expect(cloudKit.map(\.0) == cloudKit.map(\.1))
    }
}
