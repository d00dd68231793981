import CloudKit
import CloudKitWebServices
import Foundation
import Testing

/// The client's requests, word for word as in the reference.
@Suite("Requests of the client")
struct WebRequestBodyTests {
    /// Sends one request to a server that refuses it, and returns what was sent.
    private func sent(
        _ body: (CloudKitWebService) async throws -> Void
    ) async throws -> (line: String, body: Any?, headers: [String: String]) {
        let (service, server) = try scripted(
            credentials: .user(apiToken: "a+b/c=", webAuthToken: "106__54__x+y/z=")
        ) { _ in .response(WebServiceResponse(status: 400)) }
        let error = await #expect(throws: (any Error).self) { try await body(service) }
        server.stop()
        let request = try #require(server.requests.first, "\(String(describing: error))")
        guard case .data(let data) = request.body else { throw CocoaError(.fileReadUnknown) }
        return (
            "\(request.method) \(request.target)", object(String(decoding: data, as: UTF8.self)),
            request.headers
        )
    }

    private static let query =
        "?ckAPIToken=a%2Bb%2Fc%3D&ckWebAuthToken=106__54__x%2By%2Fz%3D"
    private static let root = "/database/1/\(WebCloud.container)/development"

    @Test("A save is records/modify with typed values")
    func modify() async throws {
        let request = try await sent { service in
            let container = CKContainer(identifier: WebCloud.container, service: service)
            let zoneID = CKRecordZone.ID(zoneName: "Z")
            let record = CKRecord(
                recordType: "Clock", recordID: CKRecord.ID(recordName: "c", zoneID: zoneID))
            record["label"] = "Paris"
            record["set"] = Date(timeIntervalSince1970: 1.5)
            record["face"] = Data([1, 2])
            record["gone"] = "x"
            record["gone"] = nil
            record.encryptedValues["secret"] = 7
            record.parent = CKRecord.Reference(
                recordID: CKRecord.ID(recordName: "p", zoneID: zoneID), action: .none)
            try await container.privateCloudDatabase.save(record)
        }
        #expect(request.line == "POST \(Self.root)/private/records/modify\(Self.query)")
        #expect(
            difference(
                request.body,
                object(
                    """
                    {"zoneID":{"zoneName":"Z"},"atomic":true,"desiredKeys?":[],"operations":[
                     {"operationType":"create","record":{"recordName":"c","recordType":"Clock",
                      "zoneID":{"zoneName":"Z"},"parent":{"recordName":"p"},"fields":{
                       "label":{"value":"Paris","type":"STRING"},
                       "set":{"value":1500,"type":"TIMESTAMP"},
                       "face":{"value":"AQI=","type":"BYTES"},"gone":{"value":null},
                       "secret":{"value":7,"type":"INT64","isEncrypted":true}}}}]}
                    """)) == nil)
        #expect(request.headers["x-apple-cloudkit-request-keyid"] == nil)
    }

    @Test("Requests without a body use GET, and users/caller the public database")
    func gets() async throws {
        let zones = try await sent { _ = try await $0.listZones(in: privateContext) }
        #expect(zones.line == "GET \(Self.root)/private/zones/list\(Self.query)")
        let subscriptions = try await sent {
            _ = try await $0.listSubscriptions(in: privateContext)
        }
        #expect(subscriptions.line == "GET \(Self.root)/private/subscriptions/list\(Self.query)")
        let caller = try await sent { _ = try await $0.fetchCaller(in: privateContext) }
        #expect(caller.line == "GET \(Self.root)/public/users/caller\(Self.query)")
    }

    @Test("Changes, zones and uploads")
    func others() async throws {
        let changes = try await sent {
            _ = try await $0.fetchZoneChanges(
                ZoneChangesRequest(zones: [
                    .init(zoneID: .init(zoneName: "Z"), syncToken: "t", resultsLimit: 1_000)
                ]), in: privateContext)
        }
        #expect(changes.line == "POST \(Self.root)/private/changes/zone\(Self.query)")
        #expect(
            difference(
                changes.body,
                object(
                    """
                    {"zones":[{"zoneID":{"zoneName":"Z"},"syncToken":"t","resultsLimit":200}]}
                    """)) == nil)
        let upload = try await sent {
            _ = try await $0.requestAssetUploads(
                AssetUploadsRequest(tokens: [
                    .init(recordName: "r", recordType: "T", fieldName: "f")
                ]), in: privateContext)
        }
        #expect(
            difference(
                upload.body,
                object(#"{"tokens":[{"recordName":"r","recordType":"T","fieldName":"f"}]}"#))
                == nil)
    }

    @Test("In the default zone nothing is atomic")
    func defaultZone() async throws {
        let request = try await sent {
            _ = try await $0.modifyRecords(
                ModifyRecordsRequest(
                    atomic: true, operations: [.init(.forceDelete, .init(recordName: "r"))]),
                in: privateContext)
        }
        #expect((request.body as? [String: Any])?["atomic"] == nil)
    }

    @Test("The courier's URL is used if there is one, and is not required")
    func noCourier() async throws {
        for status in [404, 400, 405, 501] {
            let (service, server) = try scripted { _ in
                .response(WebServiceResponse(status: status))
            }
            defer { server.stop() }
            let pushes = try await service.pushes(in: privateContext)
            for await _ in pushes { Issue.record("a push from nowhere") }
        }
        let (busy, server) = try scripted { _ in .response(WebServiceResponse(status: 503)) }
        defer { server.stop() }
        let failure = await error { () throws(CloudKitServiceError) in
            _ = try await busy.pushes(in: privateContext)
        }
        #expect(failure?.code == .tryAgainLater)
    }
}
