import Foundation
import Testing

/// Names and addresses that look like paths.
@Suite("Tricks in paths and names")
struct PathTests {
    @Test("An address that is none of the server's leads nowhere")
    func paths() async throws {
        let container = RunningServer.container
        let targets = [
            "/database/1/\(container)/development/private/../public/records/query",
            "/database/1/../../etc/development/private/zones/list",
            "/database/1/\(container)%2F..%2Fother/development/private/zones/list",
            "/database/1/%2e%2e/development/private/zones/list",
            "/database/1/\(container)%00/development/private/zones/list",
            "/database/1//development/private/zones/list",
            "//database/1/\(container)/development/private/zones/list",
            "/database/1/\(container)/development/private/zones/list/",
            "/database/1/\(container)/development/private/zones%2Flist",
            "/database/2/\(container)/development/private/zones/list",
            "/database/1/\(container)/DEVELOPMENT/private/zones/list",
            "/assets/download/../../etc/passwd", "/assets/download/%2e%2e/%2e%2e/etc/passwd",
            "/courier/..", "/courier/", "*", "/database/1", "/Server.json",
            "/console/../Server.json", "/console/..%2f..%2fServer.json", "/console/%2e%2e",
            "/console/layout.mustache", "/../../../../etc/passwd",
        ]
        try await RunningServer.run { running in
            try await running.makeNote("secret")
            let token = encoded(try await running.token())
            for target in targets {
                let reply = try await running.send(
                    "GET",
                    "\(target)?ckAPIToken=\(RunningServer.apiToken)&ckWebAuthToken=\(token)")
                #expect([400, 401, 403, 404].contains(reply.status), "\(target): \(reply.status)")
                #expect(!reply.text.contains("root:"), "\(target)")
                #expect(!reply.text.contains(running.settings.administratorToken), "\(target)")
            }
        }
    }

    @Test(
        "A user or a device whose name looks like another's sees nothing of that one",
        arguments: [
            "ann/", "../ann", "ann/../ann", "ann%2F", "ann%00", "user/ann", "ann/maker", " ann",
            "Ann",
            "ann ", "ann\u{301}", "'; DROP TABLE zone; --",
        ])
    func users(name: String) async throws {
        try await RunningServer.run({ $1.signIn = .anybody }) { running in
            try await running.makeNote("secret")
            let own = try await running.operation("zones/list", nil)
            #expect(own.text.contains(#""Z""#))
            for device in ["../ann", "../../user/ann", "maker", "user/ann/maker", "ann"] {
                let reply = try await running.operation(
                    "zones/list", nil, user: name, headers: ["X-Seam3-Device": device])
                #expect(reply.status == 200)
                #expect(!reply.text.contains(#""Z""#), "\(name) on \(device)")
            }
        }
    }

    @Test("Names of zones and records are names, whatever they look like")
    func records() async throws {
        let names = [
            "../../../etc/passwd", "..", "%2e%2e%2f", "a/b", "<script>", "' OR 1=1 --", "𝄞",
        ]
        try await RunningServer.run { running in
            for name in names {
                let zone = try await running.operation(
                    "zones/modify",
                    #"{"operations":[{"operationType":"create","zone":{"zoneID":{"zoneName":"\#(name)"}}}]}"#
                )
                #expect(zone.status == 200)
                let record = try await running.operation(
                    "records/modify",
                    #"{"operations":[{"operationType":"create","record":{"recordName":"\#(name)","recordType":"T"}}]}"#
                )
                #expect(record.value("records", "0", "recordName") == name)
            }
            let files = FileManager.default.enumerator(atPath: running.folder.path)?
                .compactMap { $0 as? String }
            #expect(files?.contains { $0.contains("passwd") || $0.contains("script") } == false)
        }
    }
}
