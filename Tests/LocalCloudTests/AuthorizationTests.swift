import CloudKitService
import Foundation
import Testing

@testable import LocalCloud

/// For each kind of request, the result for somebody who asks for another user's data.
@Suite("Another user's data")
struct AuthorizationTests {
    /// A user with a record, an asset and a subscription, and another user on device B who knows
    /// all names, tokens and URLs.
    private struct Scene {
        let test: TestCloud
        let zoneID: ZoneIDDictionary
        let token: String
        let databaseToken: String
        let asset: AssetDictionary
        let files: TemporaryDirectory
        let scope: RequestContext.DatabaseScope

        var other: RequestContext { test.b.with(database: scope) }

        init(ownerIsNamed: Bool, scope: RequestContext.DatabaseScope) async throws {
            test = try await TestCloud()
            files = try TemporaryDirectory()
            try Data("forged".utf8).write(to: files.url.appendingPathComponent("forged"))
            self.scope = scope
            let uploaded = try await test.uploadedAsset(in: files)
            try await test.modify(create("r", ["f": .string("secret"), "a": .asset(uploaded)]))
            asset = try #require(try await test.lookUp("r")?.fields["a"]?.value?.assets.first)
            _ = try await test.subscribe(
                SubscriptionDictionary(subscriptionID: "s", subscriptionType: .database))
            token = try await test.changes().syncToken
            databaseToken = try await test.databaseChanges().syncToken
            let owner = try await test.cloud.fetchCaller(in: test.a).userRecordName
            zoneID = ZoneIDDictionary(
                zoneName: "Z", ownerRecordName: ownerIsNamed ? owner : nil)
            try test.cloud.signIn("other", device: "B")
        }
    }

    /// The outcome of a request: an error for each requested item, or the number of items found.
    private enum Outcome: Equatable {
        case errors([ServerErrorCode?])
        case refused(ServerErrorCode)
        case found(Int)
    }

    @Test(
        "Each kind of request keeps it from others", arguments: RequestKind.allCases,
        [false, true])
    func everyKind(kind: RequestKind, ownerIsNamed: Bool) async throws {
        for scope in [RequestContext.DatabaseScope.private, .shared] {
            let scene = try await Scene(ownerIsNamed: ownerIsNamed, scope: scope)
            let outcome = await outcome(of: kind, scene)
            #expect(expected(of: kind, scope).contains(outcome), "\(scope): \(outcome)")
            // The owner's data is unchanged.
            let record = try #require(try await scene.test.lookUp("r"))
            #expect(record.fields["f"]?.value == .string("secret"))
            #expect(try await scene.test.changes(since: scene.token).records.isEmpty)
        }
    }

    private func expected(
        of kind: RequestKind, _ scope: RequestContext.DatabaseScope
    ) -> [Outcome] {
        switch kind {
        case .modifyRecords: [.errors([.zoneNotFound, .zoneNotFound])]
        case .lookUpRecords, .fetchZoneChanges, .lookUpZones: [.errors([.zoneNotFound])]
        case .queryRecords: [.refused(.zoneNotFound)]
        case .fetchDatabaseChanges: [.refused(.changeTokenExpired)]
        case .listZones: [.found(scope == .private ? 1 : 0)]
        case .modifyZones:
            scope == .private ? [.errors([.zoneNotFound])] : [.refused(.badDatabase)]
        case .listSubscriptions: [.found(0)]
        case .lookUpSubscriptions, .modifySubscriptions: [.errors([.notFound])]
        case .fetchCaller, .accountStatus: [.found(0)]
        case .requestAssetUploads: [.refused(.zoneNotFound)]
        // An existing asset cannot be overwritten.
        case .uploadAsset: [.refused(.assetNotAvailable)]
        case .downloadAsset: [.refused(.assetNotAvailable)]
        }
    }

    private func outcome(of kind: RequestKind, _ scene: Scene) async -> Outcome {
        let (cloud, other, zoneID) = (scene.test.cloud, scene.other, scene.zoneID)
        do throws(CloudKitServiceError) {
            switch kind {
            case .modifyRecords:
                let operations = [
                    remove("r"), RecordOperation(.forceUpdate, record("r", ["f": .string("x")])),
                ]
                var codes: [ServerErrorCode?] = []
                for operation in operations {
                    codes += try await cloud.modifyRecords(
                        ModifyRecordsRequest(zoneID: zoneID, operations: [operation]), in: other
                    ).records.map(\.error?.serverErrorCode)
                }
                return .errors(codes)
            case .lookUpRecords:
                return .errors(
                    try await cloud.lookUpRecords(
                        LookUpRecordsRequest(zoneID: zoneID, records: [.init("r")]), in: other
                    ).records.map(\.error?.serverErrorCode))
            case .queryRecords:
                return .found(
                    try await cloud.queryRecords(
                        QueryRecordsRequest(
                            zoneID: zoneID, query: QueryDictionary(recordType: "T")), in: other
                    ).records.count)
            case .fetchZoneChanges:
                return .errors(
                    try await cloud.fetchZoneChanges(
                        ZoneChangesRequest(
                            zones: [.init(zoneID: zoneID, syncToken: scene.token)]), in: other
                    ).zones.map(\.error?.serverErrorCode))
            case .fetchDatabaseChanges:
                return .found(
                    try await cloud.fetchDatabaseChanges(
                        DatabaseChangesRequest(syncToken: scene.databaseToken), in: other
                    ).zones.count)
            case .listZones:
                return .found(try await cloud.listZones(in: other).zones.count)
            case .lookUpZones:
                return .errors(
                    try await cloud.lookUpZones(LookUpZonesRequest(zones: [zoneID]), in: other)
                        .zones.map(\.error?.serverErrorCode))
            case .modifyZones:
                return .errors(
                    try await cloud.modifyZones(
                        ModifyZonesRequest(operations: [ZoneOperation(.delete, zoneID)]),
                        in: other
                    ).zones.map(\.error?.serverErrorCode))
            case .listSubscriptions:
                return .found(try await cloud.listSubscriptions(in: other).subscriptions.count)
            case .lookUpSubscriptions:
                return .errors(
                    try await cloud.lookUpSubscriptions(
                        LookUpSubscriptionsRequest(subscriptionIDs: ["s"]), in: other
                    ).subscriptions.map(\.error?.serverErrorCode))
            case .modifySubscriptions:
                return .errors(
                    try await cloud.modifySubscriptions(
                        ModifySubscriptionsRequest(operations: [
                            SubscriptionOperation(
                                .delete, SubscriptionDictionary(subscriptionID: "s"))
                        ]), in: other
                    ).subscriptions.map(\.error?.serverErrorCode))
            case .fetchCaller:
                let owner = try await cloud.fetchCaller(in: scene.test.a)
                let caller = try await cloud.fetchCaller(in: other)
                return .found(caller == owner ? 1 : 0)
            case .accountStatus:
                try cloud.signOut(device: "A")
                let status = try await cloud.accountStatus(in: other)
                try cloud.signIn(AccountStore.defaultUser, device: "A")
                return .found(status == .available ? 0 : 1)
            case .requestAssetUploads:
                return .found(
                    try await cloud.requestAssetUploads(
                        AssetUploadsRequest(
                            zoneID: zoneID, tokens: [.init(recordType: "T", fieldName: "a")]),
                        in: other
                    ).tokens.count)
            case .uploadAsset:
                let token = AssetUploadToken(
                    recordName: "r", fieldName: "a",
                    url: "localcloud:upload/" + (scene.asset.receipt ?? ""))
                let file = scene.files.url.appendingPathComponent("forged")
                _ = try await cloud.uploadAsset(from: file, to: token, in: other)
                return .found(1)
            case .downloadAsset:
                try await cloud.downloadAsset(
                    scene.asset, to: scene.files.url.appendingPathComponent("stolen"), in: other)
                return .found(1)
            }
        } catch {
            return .refused(error.code)
        }
    }

    @Test("An asset of another user cannot be saved in one's own record")
    func stolenAsset() async throws {
        let scene = try await Scene(ownerIsNamed: false, scope: .private)
        let stolen = try await scene.test.modify(
            [create("x", ["a": .asset(scene.asset)])], zone: "_defaultZone", in: scene.other)
        #expect(stolen.map(\.error?.serverErrorCode) == [.badRequest])
    }

    @Test("Pushes go to the owner of a subscription only")
    func pushes() async throws {
        let scene = try await Scene(ownerIsNamed: false, scope: .private)
        let owners = RequestContext(container: "iCloud.test", device: "C")
        var pushes = try await scene.test.cloud.pushes(in: owners).makeAsyncIterator()
        try await scene.test.modify(create("new"))
        #expect(await pushes.next()?.ck.met?.sid == "s")
        let queued = try await scene.test.cloud.store(for: scene.other).read { connection in
            try RequestSession.pushes(after: 0, user: "other", device: "B", connection).pushes
        }
        #expect(queued.isEmpty)
    }
}
