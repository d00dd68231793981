import CloudKit
import Testing

@Suite("The operations for a list of notifications")
struct NotificationOperationTests {
    @available(*, deprecated)
    @Test("There is nothing to fetch, and the token stays valid")
    func fetch() async throws {
        let devices = Devices()
        let tokens = Journal<CKServerChangeToken?>()
        for _ in 0..<2 {
            let operation = CKFetchNotificationChangesOperation(
                previousServerChangeToken: tokens.entries.last ?? nil)
            operation.notificationChangedBlock = { _ in Issue.record("There is no notification") }
            operation.fetchNotificationChangesCompletionBlock = { token, error in
                #expect(error == nil)
                tokens.note(token)
            }
            await run(operation, in: devices.phone)
            #expect(!operation.moreComing)
        }
        #expect(tokens.entries.first != .some(nil))
        #expect(tokens.entries.first == tokens.entries.last)
    }

    @available(*, deprecated)
    @Test("Nothing is marked, and that succeeds")
    func mark() async throws {
        let counts = Journal<Int?>()
        let operation = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: [])
        operation.markNotificationsReadCompletionBlock = { ids, error in
            counts.note(error == nil ? ids?.count : nil)
        }
        await run(operation, in: Devices().phone)
        #expect(counts.entries == [0])
    }

    private func run(_ operation: CKOperation, in container: CKContainer) async {
        await withCheckedContinuation { continuation in
            operation.completionBlock = { continuation.resume() }
            container.add(operation)
        }
    }
}
