import CloudKitService
import Testing

@testable import LocalCloud

@Suite("A cloud's unused settings")
struct UnusedSettingsTests {
    /// Saves a record from a device.
    private func save(_ test: TestCloud, _ name: String = "r", in context: RequestContext? = nil)
        async
    {
        // Some of the faults let the request fail.
        _ = try? await test.cloud.modifyRecords(
            ModifyRecordsRequest(
                zoneID: test.zone, operations: [RecordOperation(.forceUpdate, record(name))]),
            in: context ?? test.a)
    }

    @Test("There are none if every fault has affected a request and every device has made one")
    func none() async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(.fail(.zoneBusy), for: .kind(.modifyRecords, device: test.a.device))
        try test.cloud.signIn("anna", device: test.a.device)
        try test.cloud.signIn("anna")
        await save(test)
        #expect(test.cloud.faults.unused.isEmpty)
        try test.cloud.checkUnused()
    }

    /// Faults that no request of the test meets, and what the error says of each.
    static let faults: [(Fault, String)] = [
        (
            Fault(.fail(.zoneBusy), for: .kind(.modifyRecords, device: "phne")),
            "“.fail(.zoneBusy) for modifyRecords, device phne”"
        ),
        (
            Fault(.loseAnswer(), for: .kind(.modifyRecords, zone: "Zon")),
            ".loseAnswer for modifyRecords, zone Zon"
        ),
        (Fault(.loseAnswer(), for: .kind(.modifyRecords, item: "x")), "item x"),
        (
            Fault(.failItems(["x"], .quotaExceeded), for: .kind(.modifyRecords)),
            #".failItems(["x"], .quotaExceeded) for modifyRecords"#
        ),
        (Fault(.fail(.zoneBusy), for: .kind(.modifyRecords), occurrences: .nth(2)), "nth(2)"),
        (Fault(.fail(.zoneBusy), for: .kind(.queryRecords), occurrences: .always), "always"),
    ]

    @Test(
        "A fault that has not affected a request is one, and is named with the devices that there are",
        arguments: faults)
    func fault(fault: Fault, text: String) async throws {
        let test = try await TestCloud()
        test.cloud.faults.add(fault)
        await save(test)
        #expect(test.cloud.faults.unused.count == 1)
        let error = #expect(throws: UnusedSettings.self) { try test.cloud.checkUnused() }
        let description = error?.description ?? ""
        #expect(description.contains(text), "\(description)")
        #expect(
            description.contains("Requests came from \(test.a.device) to \(test.a.container)."),
            "\(description)")
    }

    @Test(
        "A fault that was removed before it affected a request is one, too",
        arguments: [false, true])
    func removedFault(removesAll: Bool) async throws {
        let test = try await TestCloud()
        let id = test.cloud.faults.add(.fail(.zoneBusy), for: .kind(.queryRecords))
        removesAll ? test.cloud.faults.removeAll() : test.cloud.faults.remove(id)
        await save(test)
        #expect(test.cloud.faults.unused.count == 1)
    }

    @Test("An account of a device that has not made a request is one")
    func account() async throws {
        let test = try await TestCloud()
        try test.cloud.signIn("anna", device: "tablt")
        await save(test)
        let error = #expect(throws: UnusedSettings.self) { try test.cloud.checkUnused() }
        #expect(error?.devices == ["tablt"])
        var continued = test.a
        continued.device = "tablt/2"
        await save(test, in: continued)
        try test.cloud.checkUnused()
    }

    @Test("An account for a container to which no request was made is one")
    func container() async throws {
        let test = try await TestCloud()
        try test.cloud.signIn("anna", container: "iCloud.tset")
        await save(test)
        let error = #expect(throws: UnusedSettings.self) { try test.cloud.checkUnused() }
        #expect(error?.containers == ["iCloud.tset"])
        #expect(error?.knownContainers == [test.a.container])
        let other = try await TestCloud()
        try other.cloud.signIn("anna", container: other.a.container)
        await save(other)
        try other.cloud.checkUnused()
    }
}
