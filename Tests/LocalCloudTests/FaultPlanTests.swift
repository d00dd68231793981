import CloudKitService
import Testing

@testable import LocalCloud

@Suite("The fault plan")
struct FaultPlanTests {
    /// The code with which a save of a record fails.
    private func saveCode(
        _ test: TestCloud, _ name: String = "r", zone: String = "Z",
        in context: RequestContext? = nil
    ) async -> ServerErrorCode? {
        await code { () async throws(CloudKitServiceError) in
            _ = try await test.cloud.modifyRecords(
                ModifyRecordsRequest(
                    zoneID: ZoneIDDictionary(zoneName: zone),
                    operations: [RecordOperation(.forceUpdate, record(name))]),
                in: context ?? test.a)
        }
    }

    @Test("A failure before the commit leaves no change, and happens once")
    func failBeforeCommit() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(.fail(.zoneBusy, retryAfter: 3), for: .kind(.modifyRecords))
        do throws(CloudKitServiceError) {
            _ = try await test.cloud.modifyRecords(
                ModifyRecordsRequest(zoneID: test.zone, operations: [create("r")]), in: test.a)
            Issue.record("The request did not fail")
        } catch {
            #expect(error.code == .zoneBusy)
            #expect(error.retryAfter == 3)
        }
        #expect(try await test.lookUp("r") == nil)
        #expect(await saveCode(test) == nil)
    }

    @Test("The text of a failure names its code, in an error of the service, too")
    func reason() {
        guard case .fail(let error) = Fault.Effect.fail(.quotaExceeded) else { return }
        #expect(error.reason == "Injected fault .quotaExceeded")
        #expect(error.localizedDescription == "QUOTA_EXCEEDED: Injected fault .quotaExceeded")
    }

    @Test("A lost answer leaves all changes")
    func loseAnswer() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(.loseAnswer(), for: .kind(.modifyRecords))
        #expect(await saveCode(test) == .serverResponseLost)
        #expect(try await test.lookUp("r") != nil)
    }

    @Test("Named items fail, and atomicity affects the others as usual")
    func failItems() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(
            .failItems(["b"], .quotaExceeded), for: .kind(.modifyRecords), occurrences: .next(2))
        let atomic = try await test.modify([create("a"), create("b")])
        #expect(atomic.map(\.error?.serverErrorCode) == [.atomicError, .quotaExceeded])
        let loose = try await test.modify([create("a"), create("b")], atomic: false)
        #expect(loose.map(\.error?.serverErrorCode) == [nil, .quotaExceeded])
        #expect(try await test.lookUp("a") != nil)
        #expect(try await test.lookUp("b") == nil)
    }

    @Test("Items of fetches, zones and subscriptions fail, too")
    func failOtherItems() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(.failItems(["Z", "r"], .accessDenied), occurrences: .always)
        let zones = try await test.cloud.lookUpZones(
            LookUpZonesRequest(zones: [test.zone]), in: test.a)
        #expect(zones.zones.map(\.error?.serverErrorCode) == [.accessDenied])
        #expect(try await test.changesResult().error?.serverErrorCode == .accessDenied)
        let records = try await test.cloud.lookUpRecords(
            LookUpRecordsRequest(zoneID: test.zone, records: [.init("r")]), in: test.a)
        #expect(records.records.map(\.error?.serverErrorCode) == [.accessDenied])
    }

    @Test(
        "Occurrences are counted from when the fault was added",
        arguments: [
            (Fault.Occurrences.next(2), [true, true, false, false]),
            (.nth(3), [false, false, true, false]),
            (.always, [true, true, true, true]),
        ])
    func occurrences(occurrences: Fault.Occurrences, expected: [Bool]) async throws {
        let test = try await TestCloud()
        let fault = test.cloud.faults.add(
            .fail(.tryAgainLater), for: .kind(.modifyRecords), occurrences: occurrences)
        var failed: [Bool] = []
        for _ in expected { failed.append(await saveCode(test) != nil) }
        #expect(failed == expected)
        #expect(test.cloud.faults.matchCount(of: fault) == expected.count)
        test.cloud.faults.remove(fault)
        #expect(await saveCode(test) == nil)
    }

    @Test("A pattern matches kind, container, database, zone, item and device")
    func patterns() async throws {
        let context = RequestContext(container: "c", device: "A")
        let request = RequestSummary(
            .modifyRecords, context, zones: [ZoneIDDictionary(zoneName: "Z")], items: ["r"])
        let matching: [RequestPattern] = [
            RequestPattern(), .kind(.modifyRecords), RequestPattern(container: "c"),
            RequestPattern(database: .private), RequestPattern(zone: "Z"),
            RequestPattern(item: "r"), RequestPattern(device: "A"),
            RequestPattern(
                [.modifyRecords, .listZones], container: "c", database: .private, zone: "Z",
                item: "r", device: "A"),
        ]
        let others: [RequestPattern] = [
            .kind(.listZones), RequestPattern(container: "d"), RequestPattern(database: .public),
            RequestPattern(zone: "Y"), RequestPattern(item: "s"), RequestPattern(device: "B"),
        ]
        #expect(matching.allSatisfy { $0.matches(request) })
        #expect(others.allSatisfy { !$0.matches(request) })
    }

    @Test("Another device's save can happen exactly before the commit")
    func callBeforeCommit() async throws {
        let test = try await TestCloud()
        let first = try await test.modify(create("r", ["f": .int64(1)]))
        test.cloud.faults.add(
            .call(.beforeCommit) { _ in
                _ = try? await test.modify(
                    RecordOperation(.forceUpdate, record("r", ["f": .int64(2)])), in: test.b)
            }, for: .kind(.modifyRecords, device: "A"))
        let error = try await test.failure(
            of: RecordOperation(
                .update, record("r", ["f": .int64(3)], tag: first.recordChangeTag)))
        #expect(error.serverErrorCode == .conflict)
        #expect(error.serverRecord?.fields["f"]?.value == .int64(2))
    }

    @Test("Another device's save can happen exactly between the commit and the answer")
    func callAfterCommit() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(
            .call(.afterCommit) { request in
                #expect(request.items == ["r"])
                _ = try? await test.modify(
                    RecordOperation(.forceUpdate, record("r", ["f": .int64(2)])), in: test.b)
            }, for: .kind(.modifyRecords, device: "A"))
        let saved = try await test.modify(create("r", ["f": .int64(1)]))
        #expect(saved.fields["f"]?.value == .int64(1))
        #expect(try await test.lookUp("r")?.fields["f"]?.value == .int64(2))
    }

    @Test(
        "A request waits at a gate, before or after the commit",
        arguments: [Fault.Moment.beforeCommit, .afterCommit])
    func gate(moment: Fault.Moment) async throws {
        let test = try await TestCloud()
        let gate = FaultGate()
        test.cloud.faults.add(.wait(moment, gate), for: .kind(.modifyRecords))
        async let save = saveCode(test)
        await gate.arrival()
        #expect(try await (test.lookUp("r") != nil) == (moment == .afterCommit))
        gate.open()
        #expect(await save == nil)
        #expect(try await test.lookUp("r") != nil)
    }

    @Test("A user who signs out before the commit stops the request")
    func signOutMeanwhile() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(.call(.beforeCommit) { _ in try? test.cloud.signOut() })
        #expect(await saveCode(test) == .authenticationRequired)
    }

    @Test("Every CKError code is possible", arguments: Array(1...37).filter { $0 != 2 && $0 != 13 })
    func everyCode(number: Int) async throws {
        let code = ServerErrorCode(ckErrorCode: number)
        #expect(code.ckErrorCode == number)
        let test = try await TestCloud()
        test.cloud.faults.add(.fail(code), for: .kind(.modifyRecords))
        #expect(await saveCode(test) == code)
    }

    @Test("Every kind of request can fail", arguments: RequestKind.allCases)
    func everyKind(kind: RequestKind) async throws {
        let test = try await TestCloud()
        let directory = try TemporaryDirectory()
        let asset = try await test.uploadedAsset(in: directory)
        let fault = test.cloud.faults.add(
            .fail(.tryAgainLater), for: .kind(kind), occurrences: .always)
        let (cloud, a, zone) = (test.cloud, test.a, test.zone)
        let requests: [RequestKind: @Sendable () async throws -> Void] = [
            .modifyRecords: { _ = try await test.modify([create("r")]) },
            .lookUpRecords: { _ = try await test.lookUp("r") },
            .queryRecords: {
                _ = try await cloud.queryRecords(
                    QueryRecordsRequest(query: QueryDictionary(recordType: "T")), in: a)
            },
            .fetchZoneChanges: { _ = try await test.changes() },
            .fetchDatabaseChanges: { _ = try await test.databaseChanges() },
            .listZones: { _ = try await cloud.listZones(in: a) },
            .lookUpZones: {
                _ = try await cloud.lookUpZones(LookUpZonesRequest(zones: [zone]), in: a)
            },
            .modifyZones: { try await test.makeZone("Y") },
            .listSubscriptions: { _ = try await cloud.listSubscriptions(in: a) },
            .lookUpSubscriptions: {
                _ = try await cloud.lookUpSubscriptions(
                    LookUpSubscriptionsRequest(subscriptionIDs: ["s"]), in: a)
            },
            .modifySubscriptions: {
                _ = try await test.subscribe(
                    SubscriptionDictionary(subscriptionID: "s", subscriptionType: .database))
            },
            .fetchCaller: { _ = try await cloud.fetchCaller(in: a) },
            .requestAssetUploads: { _ = try await test.uploadedAsset(in: directory) },
            .uploadAsset: { _ = try await test.uploadedAsset(in: directory) },
            .downloadAsset: {
                let located =
                    FieldValue.asset(asset).withDownloadURL(ofRecord: "r")?.assets.first ?? asset
                try await cloud.downloadAsset(
                    located, to: directory.url.appendingPathComponent("x"), in: a)
            },
            .accountStatus: { _ = try await cloud.accountStatus(in: a) },
        ]
        let request = try #require(requests[kind])
        await #expect(
            throws: CloudKitServiceError(.tryAgainLater, reason: "Injected fault .tryAgainLater")
        ) {
            try await request()
        }
        #expect(cloud.faults.matchCount(of: fault) == 1)
    }
}
