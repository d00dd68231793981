import CloudKit
import CloudKitService
import CoreData
import LocalCloud
import Seam3
import Seam3Testing
import Testing

@Suite("A change of the account", .tags(.usersStayApart, .lossIsADecision))
struct AccountChangeTests {
    let cloud = LocalCloud.inMemory()

    /// Records the store's questions to the app, which always gives the same answer.
    private final class Application: @unchecked Sendable {
        // Unchecked because the store asks one question at a time.

        private(set) var changes: [SMAccountChange] = []
        let response: SMAccountChangeResponse

        /// - Parameter whileAsked: Is called with each question before it is answered.
        init(
            _ store: SMStore, _ response: SMAccountChangeResponse,
            whileAsked: @escaping @Sendable () -> Void = {}
        ) {
            self.response = response
            store.accountChangeHandler = { change in
                self.changes.append(change)
                whileAsked()
                return self.response
            }
        }
    }

    /// The name of the user who is signed in.
    private func user(_ name: String) async throws -> String {
        try cloud.signIn(name)
        return try await RawClient(cloud).container.userRecordID().recordName
    }

    /// The contents of the signed-in user's zone.
    private func labels() async throws -> [String] {
        do {
            return try await RawClient(cloud).records().compactMap { $0["label"] }.sorted()
        } catch let error as CKError where error.code == .zoneNotFound {
            return []
        }
    }

    // MARK: - The first user

    @Test("to the first user sends the objects created before, after asking about them")
    func firstSignIn() async throws {
        let first = try await user("first")
        let device = try Device(on: cloud)
        let application = Application(device.store, .keepLocalData)
        try device.add("Clock", ["label": "made before"])
        try await device.store.sync()
        #expect(application.changes == [.signIn(currentUser: first)])
        #expect(try await labels() == ["made before"])
        try await device.store.sync()
        #expect(application.changes.count == 1)
    }

    @Test("to the first user merges the objects created before with the user's data")
    func firstSignInMerges() async throws {
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "the user's"])
        try await other.store.sync()
        try cloud.signOut(device: nil)
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "made before"])
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        try cloud.signIn("default")
        try await Device.settle(device, other)
        try expectAgreement(device, other)
        #expect(try device.count("Clock") == 2)
    }

    @Test("to the first user can discard the objects created before")
    func firstSignInRemoves() async throws {
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "the user's"])
        try await other.store.sync()
        let device = try Device(on: cloud)
        let application = Application(device.store, .removeLocalData)
        try device.add("Clock", ["label": "made before"])
        try await device.store.sync()
        #expect(application.changes.count == 1)
        try expectAgreement(device, other)
        #expect(try device.count("Clock") == 1)
    }

    @Test("to the first user asks nothing if no objects were created before")
    func firstSignInOfEmptyStore() async throws {
        let device = try Device(on: cloud)
        let application = Application(device.store, .removeLocalData)
        try await device.store.sync()
        #expect(application.changes.isEmpty)
    }

    // MARK: - Another container

    @Test(
        "is not reported if the file is opened with another container, whose users have other names"
    )
    func anotherContainer() async throws {
        let device = try Device(on: cloud)
        let application = Application(device.store, .keepLocalData)
        try device.add("Clock", ["label": "sent"])
        try await device.store.sync()
        let url = try #require(device.store.url)
        for store in device.container.persistentStoreCoordinator.persistentStores {
            try device.container.persistentStoreCoordinator.remove(store)
        }
        let other = LocalContainer(identifier: "iCloud.other", service: cloud)
        let stack = try StoreStack(
            at: url, model: ClockModel.make(), options: [SMStore.SMStoreContainerOption: other])
        let store = try SMStore.store(in: stack.container)
        let otherApplication = Application(store, .removeLocalData)
        let error = await #expect(throws: SMStoreError.self) { try await store.sync() }
        #expect(error == .containerChanged(previous: "", current: ""))
        let text = error?.description ?? ""
        #expect(
            text.contains(Device.containerIdentifier) && text.contains("iCloud.other"), "\(text)")
        #expect(otherApplication.changes.isEmpty && application.changes.count == 1)
        // What the error advises.
        store.accountChangeHandler = nil
        try store.resetCloudFieldsInBackingStore()
        let summary = try await store.sync()
        #expect(summary.savedRecordCount == 1)
        try stack.close()
    }

    // MARK: - Signing out

    @Test("to nobody keeps everything and lets changes wait, until the user is back")
    func signOut() async throws {
        let first = try await user("first")
        let device = try Device(on: cloud)
        let application = Application(device.store, .keepLocalData)
        try device.add("Clock", ["label": "sent"])
        try await device.store.sync()
        try cloud.signOut()
        for label in ["one", "two"] {
            try device.add("Clock", ["label": label])
            let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
            #expect(error?.code == SMStoreError.accountUnavailable("").code)
        }
        #expect(application.changes.last == .signOut(previousUser: first))
        #expect(try device.store.syncStatus().pendingChangeCount == 2)
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try await labels() == ["one", "sent", "two"])
    }

    @Test("to nobody can remove everything, and contexts are notified")
    func signOutRemoves() async throws {
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "sent"])
        try await device.store.sync()
        _ = Application(device.store, .removeLocalData)
        let clock = try device.read { try Device.clock("sent", in: $0) }
        try cloud.signOut()
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.table().isEmpty)
        try device.read { _ in #expect(clock.managedObjectContext == nil || clock.isDeleted) }
        // The server's data is unchanged.
        try cloud.signIn("default")
        try await device.store.sync()
        #expect(try device.count("Clock") == 1)
    }

    /// States in which syncing is impossible although nobody has signed out. Over HTTP a server has no
    /// answer for the others.
    static let states: [AccountStatus] =
        CloudPath.current == .web
        ? [.temporarilyUnavailable] : [.restricted, .temporarilyUnavailable, .couldNotDetermine]

    @Test(
        "to a temporary state asks nothing, fails with a reason, and loses nothing",
        arguments: states)
    func unusable(status: AccountStatus) async throws {
        let device = try Device(on: cloud)
        let application = Application(device.store, .removeLocalData)
        try await device.store.sync()
        try cloud.setAccountStatus(status)
        try device.add("Clock", ["label": "waiting"])
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(application.changes.isEmpty)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        try cloud.signIn("default")
        try await device.store.sync()
        #expect(try await labels() == ["waiting"])
    }

    @Test("that the system reports late does not disturb a sync")
    func lateNotice() async throws {
        let device = try Device(on: cloud)
        let container = device.cloudContainer
        let other = try Device("other", on: cloud)
        try other.add("Clock", ["label": "theirs"])
        try await other.store.sync()
        try device.add("Clock", ["label": "mine"])
        let fault = cloud.faults.add(
            .call(.beforeCommit) { _ in
                NotificationCenter.default.post(name: .CKAccountChanged, object: container)
            }, for: .kind(.modifyRecords, device: container.device))
        try await device.store.sync()
        #expect(cloud.faults.matchCount(of: fault) == 1)
        #expect(try await labels() == ["mine", "theirs"])
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    @Test("that the system reports while the app decides is not asked about again")
    func noticeWhileDeciding() async throws {
        let first = try await user("first")
        let device = try Device(on: cloud)
        nonisolated(unsafe) let container = device.cloudContainer
        let application = Application(device.store, .keepLocalData) {
            NotificationCenter.default.post(name: .CKAccountChanged, object: container)
        }
        try device.add("Clock", ["label": "mine"])
        try await device.store.sync()
        #expect(application.changes == [.signIn(currentUser: first)])
        #expect(try await labels() == ["mine"])
    }

    @Test("to another user that the system reports while the app decides removes the data once")
    func removalWithNotice() async throws {
        let first = try await user("first")
        let device = try Device(on: cloud)
        nonisolated(unsafe) let container = device.cloudContainer
        try device.add("Clock", ["label": "mine"])
        try await device.store.sync()
        let application = Application(device.store, .removeLocalData) {
            NotificationCenter.default.post(name: .CKAccountChanged, object: container)
        }
        let second = try await user("second")
        try await device.store.sync()
        #expect(
            application.changes == [.switchAccounts(previousUser: first, currentUser: second)])
        #expect(try device.count("Clock") == 0)
    }

    @Test("that the system reports again and again ends a sync, and loses nothing")
    func noticesWithoutEnd() async throws {
        let device = try Device(on: cloud)
        let container = device.cloudContainer
        try device.add("Clock", ["label": "mine"])
        let fault = cloud.faults.add(
            .call(.beforeCommit) { _ in
                NotificationCenter.default.post(name: .CKAccountChanged, object: container)
            }, for: .kind(.fetchZoneChanges, device: container.device), occurrences: .always)
        let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(error?.code == SMStoreError.accountUnavailable("").code)
        #expect(try device.store.syncStatus().pendingChangeCount == 1)
        cloud.faults.remove(fault)
        try await device.store.sync()
        #expect(try await labels() == ["mine"])
    }

    // MARK: - Another user

    @Test("to another user never gives the first user's data to the other, not even on request")
    func switchAccounts() async throws {
        let first = try await user("first")
        let device = try Device(on: cloud)
        let application = Application(device.store, .keepLocalData)
        try device.add("Clock", ["label": "sent"])
        try await device.store.sync()
        try device.add("Clock", ["label": "unsent"])
        let second = try await user("second")
        for _ in 1...2 {
            let error = await #expect(throws: SMStoreError.self) { try await device.store.sync() }
            #expect(error?.code == SMStoreError.accountChanged.code)
        }
        #expect(
            application.changes.last
                == .switchAccounts(previousUser: first, currentUser: second))
        #expect(try await labels() == [])
        #expect(try device.count("Clock") == 2)
        // The first user is back and continues.
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try await labels() == ["sent", "unsent"])
    }

    @Test("to another user can replace one user's data with the other's, and back again")
    func switchAndReplace() async throws {
        try cloud.signIn("second")
        let theirs = try Device("theirs", on: cloud)
        try theirs.add("Folder", ["name": "theirs"])
        try await theirs.store.sync()
        try cloud.signIn("first")
        let device = try Device(on: cloud)
        let application = Application(device.store, .removeLocalData)
        try await device.store.sync()
        try device.add("Clock", ["label": "mine"])
        try await device.store.sync()
        try cloud.signIn("second")
        try await device.store.sync()
        #expect(try device.table().map { $0.hasPrefix("Folder") } == [true])
        #expect(try await labels() == [])
        try device.add("Clock", ["label": "second's"])
        try await device.store.sync()
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try device.count("Clock") == 1)
        #expect(try device.value("label", of: "mine") == "mine")
        #expect(try await labels() == ["mine"])
        #expect(application.changes.count == 2)
    }

    @Test("that changes again while the app decides removes nothing")
    func changeWhileDeciding() async throws {
        try cloud.signIn("first")
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "mine"])
        try await device.store.sync()
        try cloud.signIn("second")
        let cloud = cloud
        device.store.accountChangeHandler = { _ in
            try? cloud.signIn("first")
            return .removeLocalData
        }
        await #expect(throws: SMStoreError.self) { try await device.store.sync() }
        #expect(try device.count("Clock") == 1)
        try await device.store.sync()
        #expect(try await labels() == ["mine"])
    }

    @Test("may make the app empty the store itself")
    func resetInHandler() async throws {
        try cloud.signIn("first")
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "mine"])
        try await device.store.sync()
        try cloud.signIn("second")
        let store = device.store
        store.accountChangeHandler = { _ in
            try? store.resetBackingStore()
            return .keepLocalData
        }
        try await device.store.sync()
        #expect(try await labels() == [])
        #expect(try device.store.syncStatus().pendingChangeCount == 0)
    }

    // MARK: - During a pass

    @Test(
        "to another user during a pass gives that user none of the previous user's data",
        arguments: [
            RequestKind.fetchDatabaseChanges, .fetchZoneChanges, .fetchCaller,
            CloudPath.current.accountRequest,
        ])
    func userChangesInPass(kind: RequestKind) async throws {
        // The other user has used the app on another device.
        try cloud.signIn("second")
        let theirs = try Device("theirs", on: cloud)
        try theirs.add("Folder", ["name": "theirs"])
        try await theirs.store.sync()
        try cloud.signIn("first")
        let device = try Device(on: cloud)
        for label in ["one", "two", "three"] { try device.add("Clock", ["label": label]) }
        try await device.store.sync()
        try device.add("Clock", ["label": "unsent"])
        let cloud = cloud
        cloud.faults.add(
            .call(.beforeCommit) { _ in try? cloud.signIn("second") },
            for: .kind(kind, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(try await RawClient(cloud).records().map(\.recordType) == ["Folder"])
        #expect(try device.count("Clock") == 4)
        #expect(try device.count("Folder") == 0)
        // After the first user has signed in again, syncing continues.
        try cloud.signIn("first")
        try await device.store.sync()
        #expect(try await RawClient(cloud).records().count == 4)
    }

    @Test("to another user during the very first pass gives that user nothing, either")
    func userChangesInFirstPass() async throws {
        try cloud.signIn("second")
        let theirs = try Device("theirs", on: cloud)
        try theirs.add("Folder", ["name": "theirs"])
        try await theirs.store.sync()
        try cloud.signIn("first")
        let device = try Device(on: cloud)
        try device.add("Clock", ["label": "unsent"])
        let cloud = cloud
        cloud.faults.add(
            .call(.beforeCommit) { _ in try? cloud.signIn("second") },
            for: .kind(.fetchZoneChanges, device: device.cloudContainer.device))
        await #expect(throws: (any Error).self) { try await device.store.sync() }
        #expect(try device.count("Folder") == 0)
        #expect(try await RawClient(cloud).records().map(\.recordType) == ["Folder"])
    }
}
