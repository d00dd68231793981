import CloudKit
import Testing

@Suite("CKNotification")
struct NotificationTests {
    private func userInfo(_ cause: String, _ details: [String: Any]) -> [AnyHashable: Any] {
        [
            "aps": ["content-available": 1, "alert": ["body": "x"]],
            "ck": [
                "ce": 2, "cid": "iCloud.test", "ckuserid": "_u", "nid": "n1", cause: details,
            ],
        ]
    }

    @Test("A zone push is a CKRecordZoneNotification with the ID of the user's own zone")
    func recordZone() throws {
        let notification = try #require(
            CKNotification(
                fromRemoteNotificationDictionary: userInfo(
                    "fet", ["dbs": 1, "zid": "Zone", "zoid": "_u", "sid": "s"])))
        let zoneNotification = try #require(notification as? CKRecordZoneNotification)
        #expect(zoneNotification.notificationType == .recordZone)
        #expect(zoneNotification.recordZoneID == CKRecordZone.ID(zoneName: "Zone"))
        #expect(zoneNotification.databaseScope == .private)
        #expect(zoneNotification.subscriptionID == "s")
        #expect(zoneNotification.containerIdentifier == "iCloud.test")
        #expect(zoneNotification.alertBody == "x")
        #expect(zoneNotification.isPruned == false)
    }

    @Test(
        "The database numbers of pushes are mapped, not cast",
        arguments: [
            (1, CKDatabase.Scope.private), (2, .public), (3, .shared),
        ])
    func scopes(number: Int, scope: CKDatabase.Scope) throws {
        let notification = CKDatabaseNotification(
            fromRemoteNotificationDictionary: userInfo("met", ["dbs": number, "sid": "s"]))
        #expect(notification?.databaseScope == scope)
    }

    @Test("A query push names the record, the reason and the fields")
    func query() throws {
        let notification = try #require(
            CKNotification(
                fromRemoteNotificationDictionary: userInfo(
                    "qry",
                    [
                        "dbs": 2, "zid": "_defaultZone", "zoid": "_defaultOwner", "rid": "r",
                        "fo": 3, "sid": "s", "af": ["title": "x"],
                    ])) as? CKQueryNotification)
        #expect(notification.queryNotificationReason == .recordDeleted)
        #expect(notification.recordID == CKRecord.ID(recordName: "r"))
        #expect(notification.recordFields?["title"] as? String == "x")
    }

    @Test("A push without a ck part is not from CloudKit")
    func foreign() {
        #expect(CKNotification(fromRemoteNotificationDictionary: ["aps": ["badge": 1]]) == nil)
        #expect(CKNotification(fromRemoteNotificationDictionary: ["ck": "x"]) == nil)
    }
}
