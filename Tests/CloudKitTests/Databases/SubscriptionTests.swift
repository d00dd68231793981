import CloudKit
import LocalCloud
import Testing

@Suite("Subscriptions and pushes")
struct SubscriptionTests {
    /// Collects the pushes of a device.
    private func pushes(
        of container: CKContainer
    ) async throws -> AsyncStream<CKNotification>.Iterator {
        let (stream, continuation) = AsyncStream<CKNotification>.makeStream()
        container.remoteNotificationHandler = { userInfo in
            if let notification = CKNotification(fromRemoteNotificationDictionary: userInfo) {
                continuation.yield(notification)
            }
        }
        try await container.registerForRemoteNotifications()
        return stream.makeAsyncIterator()
    }

    private func zoneSubscription(_ devices: Devices) -> CKRecordZoneSubscription {
        let subscription = CKRecordZoneSubscription(
            zoneID: devices.zoneID, subscriptionID: "zone")
        subscription.notificationInfo = CKSubscription.NotificationInfo(
            shouldSendContentAvailable: true)
        return subscription
    }

    @Test("Rule 7: a change is pushed to the other devices but not to the one that made it")
    func originator() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(zoneSubscription(devices))
        var phone = try await pushes(of: devices.phone)
        var tablet = try await pushes(of: devices.tablet)
        try await devices.database.save(devices.note("a"))
        let notification = try #require(await tablet.next() as? CKRecordZoneNotification)
        #expect(notification.recordZoneID == devices.zoneID)
        #expect(notification.databaseScope == .private)
        #expect(notification.subscriptionID == "zone")
        #expect(notification.containerIdentifier == "iCloud.test")
        // The phone's first push is the one for the tablet's change, not for its own.
        try await devices.database.save(
            CKDatabaseSubscription(subscriptionID: "database"))
        try await devices.database.deleteSubscription(withID: "zone")
        try await devices.otherDatabase.save(devices.note("b"))
        let first = try #require(await phone.next())
        #expect(first.subscriptionID == "database")
    }

    @Test("A query subscription reports the record, the reason and the requested fields")
    func query() async throws {
        let devices = try await Devices.withZone()
        let subscription = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "title == %@", "Lunch"),
            subscriptionID: "query", options: .firesOnRecordCreation)
        subscription.zoneID = devices.zoneID
        subscription.notificationInfo = CKSubscription.NotificationInfo(desiredKeys: ["title"])
        try await devices.database.save(devices.note("schema", "Other"))
        try await devices.database.save(subscription)
        var tablet = try await pushes(of: devices.tablet)
        try await devices.database.save(devices.note("no", "Dinner"))
        try await devices.database.save(devices.note("yes", "Lunch"))
        let notification = try #require(await tablet.next() as? CKQueryNotification)
        #expect(notification.recordID == devices.id("yes"))
        #expect(notification.queryNotificationReason == .recordCreated)
        #expect(notification.recordFields?["title"] as? String == "Lunch")
    }

    @Test("Saving the same ID replaces a subscription, and all are fetched by each device")
    func replacing() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(zoneSubscription(devices))
        try await devices.database.save(CKDatabaseSubscription(subscriptionID: "zone"))
        let all = try await devices.otherDatabase.allSubscriptions()
        #expect(all.map(\.subscriptionID) == ["zone"])
        #expect(all.first?.subscriptionType == .database)
    }

    @Test("A subscription comes back as it was saved")
    func roundTrip() async throws {
        let devices = try await Devices.withZone()
        try await devices.database.save(devices.note("a", "Lunch"))
        let subscription = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(format: "title BEGINSWITH %@", "L"),
            subscriptionID: "query", options: [.firesOnRecordDeletion, .firesOnce])
        subscription.notificationInfo = CKSubscription.NotificationInfo(
            alertBody: "New", soundName: "default", desiredKeys: ["title"], shouldBadge: true)
        try await devices.database.save(subscription)
        let fetched = try #require(
            try await devices.otherDatabase.subscription(for: "query") as? CKQuerySubscription)
        #expect(fetched.recordType == "Note")
        #expect(fetched.predicate._isStructurallyEqual(to: subscription.predicate))
        #expect(fetched.querySubscriptionOptions == [.firesOnRecordDeletion, .firesOnce])
        #expect(fetched.notificationInfo?.alertBody == "New")
        #expect(fetched.notificationInfo?.shouldBadge == true)
        #expect(fetched.notificationInfo?.desiredKeys == ["title"])
    }

    @Test("A subscription to a missing zone is zoneNotFound, and a missing one is unknown")
    func missing() async throws {
        let devices = Devices()
        let saved = await thrownCode { try await devices.database.save(zoneSubscription(devices)) }
        #expect(saved == .zoneNotFound)
        let fetched = await thrownCode {
            _ = try await devices.database.subscription(for: "none")
        }
        #expect(fetched == .unknownItem)
        let deleted = await thrownCode {
            try await devices.database.deleteSubscription(withID: "none")
        }
        #expect(deleted == .unknownItem)
    }
}
