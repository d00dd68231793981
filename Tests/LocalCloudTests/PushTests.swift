import CloudKitService
import Testing

@testable import LocalCloud

@Suite("Subscriptions and pushes")
struct PushTests {
    private func zoneSubscription(_ id: String = "s") -> SubscriptionDictionary {
        var info = NotificationInfoDictionary()
        info.shouldSendContentAvailable = true
        return SubscriptionDictionary(
            subscriptionID: id, subscriptionType: .zone,
            zoneID: ZoneIDDictionary(zoneName: "Z"), notificationInfo: info)
    }

    private func querySubscription(
        firesOn: [SubscriptionDictionary.Trigger] = [.create, .update, .delete],
        firesOnce: Bool? = nil
    ) -> SubscriptionDictionary {
        SubscriptionDictionary(
            subscriptionID: "q", subscriptionType: .query,
            query: QueryDictionary(
                recordType: "T",
                filterBy: [
                    FilterDictionary(
                        comparator: .equals, fieldName: "f",
                        fieldValue: RecordFieldDictionary(.int64(1)))
                ]), firesOn: firesOn, firesOnce: firesOnce)
    }

    @Test("A change is pushed to the other devices but not to the one that made it")
    func skipsOrigin() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(zoneSubscription())
        var a = try await test.cloud.pushes(in: test.a).makeAsyncIterator()
        var b = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        try await test.modify(create("fromA"), in: test.a)
        let push = try #require(await b.next())
        #expect(push.ck.fet?.zid == "Z")
        #expect(push.ck.fet?.sid == "s")
        #expect(push.ck.fet?.dbs == 1)
        #expect(push.aps.contentAvailable == 1)
        // The first push that reaches A is for B's change.
        _ = try await test.deleteZoneSubscription("s")
        _ = try await test.subscribe(zoneSubscription("later"))
        try await test.modify(create("fromB"), in: test.b)
        #expect(await a.next()?.ck.fet?.sid == "later")
    }

    @Test("A request with many records gives one push for each subscription, with one ID")
    func onePushForEachSubscription() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(zoneSubscription("s1"))
        _ = try await test.subscribe(
            SubscriptionDictionary(subscriptionID: "s2", subscriptionType: .database))
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        _ = try await test.modify([create("r1"), create("r2")])
        let first = try #require(await pushes.next())
        let second = try #require(await pushes.next())
        #expect([first.ck.fet?.sid, second.ck.met?.sid] == ["s1", "s2"])
        #expect(first.ck.nid == second.ck.nid)
        #expect(first.ck.cid == "iCloud.test")
        let user = try await test.cloud.fetchCaller(in: test.a).userRecordName
        #expect(first.ck.ckuserid == user)
        #expect(first.ck.fet?.zoid == user)
    }

    @Test("A zone that is created or deleted concerns database subscriptions")
    func zoneChanges() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(
            SubscriptionDictionary(subscriptionID: "d", subscriptionType: .database))
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        try await test.makeZone("Y")
        #expect(await pushes.next()?.ck.met?.zid == "Y")
        _ = try await test.deleteZone("Y")
        #expect(await pushes.next()?.ck.met?.zid == "Y")
    }

    @Test("A query subscription names the record and the reason")
    func querySubscriptions() async throws {
        let test = try await TestCloud()
        var subscription = querySubscription()
        var info = NotificationInfoDictionary()
        info.alertLocalizationKey = "key"
        info.alertLocalizationArgs = ["g"]
        info.additionalFields = ["g"]
        subscription.notificationInfo = info
        _ = try await test.subscribe(subscription)
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        try await test.modify(create("no", ["f": .int64(2)]))
        try await test.modify(create("r", ["f": .int64(1), "g": .string("x")]))
        try await test.modify(RecordOperation(.forceUpdate, record("r", ["g": .string("y")])))
        try await test.modify(remove("r"))
        for (reason, value) in [(1, "x"), (2, "y"), (3, "y")] {
            let push = try #require(await pushes.next())
            #expect(push.ck.qry?.rid == "r")
            #expect(push.ck.qry?.fo == reason)
            #expect(push.ck.qry?.af == ["g": .string(value)])
            #expect(push.aps.alert?.locArgs == [value])
        }
    }

    @Test("A subscription that fires once is removed after its push")
    func firesOnce() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(querySubscription(firesOnce: true))
        _ = try await test.modify([
            create("r1", ["f": .int64(1)]), create("r2", ["f": .int64(1)]),
        ])
        #expect(try await test.cloud.listSubscriptions(in: test.a).subscriptions.isEmpty)
    }

    @Test("Public changes reach other users' subscriptions")
    func publicDatabase() async throws {
        let test = try await TestCloud()
        try test.cloud.signIn("other", device: "B")
        _ = try await test.subscribe(
            querySubscription(), in: test.b.with(database: .public))
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        try await test.modify(
            create("r", ["f": .int64(1)]), zone: "_defaultZone", in: test.a.with(database: .public))
        let change = try #require(await pushes.next()?.ck.qry)
        #expect(change.dbs == 2)
        #expect(change.zoid == "_defaultOwner")
    }

    @Test("A commit after the registration is not missed")
    func registration() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(zoneSubscription())
        try await test.modify(create("before"))
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        try await test.modify(RecordOperation(.forceUpdate, record("after")))
        _ = await pushes.next()
        #expect(test.cloud.pushDelivery.heldPushes.isEmpty)
    }

    @Test("Pushes are held back, merged and delivered on demand")
    func holdAndMerge() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(zoneSubscription())
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        test.cloud.pushDelivery.hold()
        for number in 0..<3 { try await test.modify(create("r\(number)")) }
        while test.cloud.pushDelivery.heldPushes.count < 3 { await Task.yield() }
        let last = test.cloud.pushDelivery.heldPushes.last
        test.cloud.pushDelivery.mergeHeld()
        #expect(test.cloud.pushDelivery.heldPushes == [last])
        test.cloud.pushDelivery.release()
        #expect(await pushes.next() == last)
    }

    @Test("Pushes are lost on demand")
    func lose() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(zoneSubscription("lost"))
        var pushes = try await test.cloud.pushes(in: test.b).makeAsyncIterator()
        test.cloud.pushDelivery.loseNext()
        try await test.modify(create("r1"))
        _ = try await test.deleteZoneSubscription("lost")
        _ = try await test.subscribe(zoneSubscription("seen"))
        try await test.modify(create("r2"))
        #expect(await pushes.next()?.ck.fet?.sid == "seen")
    }

    @Test("Saving a subscription again replaces it; deleting an unknown one is an unknown item")
    func saveAndDelete() async throws {
        let test = try await TestCloud()
        _ = try await test.subscribe(zoneSubscription())
        var second = zoneSubscription()
        second.notificationInfo?.alertBody = "hello"
        _ = try await test.subscribe(second)
        let all = try await test.cloud.listSubscriptions(in: test.a).subscriptions
        #expect(all.map(\.item?.notificationInfo?.alertBody) == ["hello"])
        let found = try await test.cloud.lookUpSubscriptions(
            LookUpSubscriptionsRequest(subscriptionIDs: ["s", "missing"]), in: test.a)
        #expect(found.subscriptions.map(\.error?.serverErrorCode) == [nil, .notFound])
        let deleted = try await test.deleteZoneSubscription("missing")
        #expect(deleted.error?.serverErrorCode == .notFound)
        #expect(deleted.error?.subscriptionID == "missing")
    }

    @Test("A subscription to a missing zone is zoneNotFound, and one is deleted with its zone")
    func missingZone() async throws {
        let test = try await TestCloud()
        var missing = zoneSubscription()
        missing.zoneID = ZoneIDDictionary(zoneName: "Missing")
        #expect(try await test.subscribe(missing).error?.serverErrorCode == .zoneNotFound)
        _ = try await test.subscribe(zoneSubscription())
        _ = try await test.deleteZone("Z")
        #expect(try await test.cloud.listSubscriptions(in: test.a).subscriptions.isEmpty)
    }

    @Test("Each kind of subscription has its databases")
    func databases() async throws {
        let test = try await TestCloud()
        let database = SubscriptionDictionary(subscriptionID: "d", subscriptionType: .database)
        let cases: [(SubscriptionDictionary, RequestContext.DatabaseScope, ServerErrorCode?)] = [
            (zoneSubscription(), .public, .badDatabase), (database, .public, .badDatabase),
            (querySubscription(), .public, nil), (zoneSubscription(), .private, nil),
            (database, .private, nil), (querySubscription(), .private, nil),
            (database, .shared, nil), (querySubscription(), .shared, .badDatabase),
        ]
        for (subscription, scope, expected) in cases {
            let result = try await test.subscribe(
                subscription, in: test.a.with(database: scope))
            #expect(result.error?.serverErrorCode == expected, "\(subscription) in \(scope)")
        }
    }

    @Test("The dictionary that an app gets has Apple's keys and plain values")
    func userInfo() async throws {
        let push = PushPayload(
            aps: .init(contentAvailable: 1),
            ck: .init(
                cid: "c", ckuserid: "_u", nid: "n",
                fet: .init(dbs: 1, zid: "Z", zoid: "_u", sid: "s")))
        let aps = try #require(push.userInfo["aps"] as? [String: Any])
        #expect(aps["content-available"] as? Int == 1)
        #expect(aps.count == 1)
        let ck = try #require(push.userInfo["ck"] as? [String: Any])
        #expect(ck.keys.sorted() == ["ce", "cid", "ckuserid", "fet", "nid"])
        let fet = try #require(ck["fet"] as? [String: Any])
        #expect(fet["zid"] as? String == "Z")
    }
}

extension TestCloud {
    fileprivate func deleteZoneSubscription(
        _ id: String
    ) async throws -> ItemResult<SubscriptionDictionary> {
        try #require(
            try await cloud.modifySubscriptions(
                ModifySubscriptionsRequest(operations: [
                    SubscriptionOperation(.delete, SubscriptionDictionary(subscriptionID: id))
                ]), in: a
            ).subscriptions.first)
    }
}
