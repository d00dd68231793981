import CoreData
import LocalCloud
import Seam3
import Testing

/// Changes that take several requests.
extension OneToOneConvergenceTests {
    /// Ties new pairs, more than fit into one request.
    private static func addManyPairs(_ end: DecidingEnd, on device: Device) throws {
        try device.edit { context in
            for index in 0..<900 {
                let number = String(format: "%03d", index)
                let (cover, document) = (
                    NSEntityDescription.insertNewObject(
                        forEntityName: end.coverEntity, into: context),
                    NSEntityDescription.insertNewObject(forEntityName: "Document", into: context)
                )
                cover.setValue("c\(number)", forKey: "name")
                document.setValue("d\(number)", forKey: "name")
                cover.setValue(document, forKey: "document")
            }
        }
    }

    /// Ties each of these covers to the document after its own.
    private static func rotateManyPairs(_ end: DecidingEnd, on device: Device) throws {
        try device.edit { context in
            let covers = try Device.all(end.coverEntity, in: context)
            let documents = try Device.all("Document", in: context)
            for (index, cover) in covers.enumerated() {
                cover.setValue(documents[(index + 1) % documents.count], forKey: "document")
            }
        }
    }

    @Test("in many pairs, of which the user changes some between two requests")
    func changedBetweenRequests() async throws {
        let end = DecidingEnd.cover
        let devices = try (0..<2).map { try Device("\($0)", on: cloud, model: end.model()) }
        let (a, b) = (devices[0], devices[1])
        try Self.addManyPairs(end, on: a)
        try await settle(devices)
        try Self.rotateManyPairs(end, on: a)
        // The requests come one after the other.
        nonisolated(unsafe) var request = 0
        let fault = cloud.faults.add(
            .call(.beforeCommit) { _ in
                request += 1
                await #expect(throws: Never.self) {
                    try await b.store.sync()
                    try tie("c850", to: "d\(100 + request)", end, on: a)
                    try tie("c\(300 + request)", to: "d\(500 + request)", end, on: a)
                }
            }, for: .kind(.modifyRecords, device: a.cloudContainer.device),
            occurrences: .next(6))
        try await a.store.sync()
        cloud.faults.remove(fault)
        #expect(request == 6)
        try await settle(devices)
        let expected = try pairs(end, on: a)
        #expect(expected.contains("c850 d106"))
        #expect(expected.contains("c306 d506"))
        #expect(try pairs(end, on: b) == expected)
        try await expectServerAgrees()
    }

    @Test("in many pairs reads the waiting changes once a round, not for each request")
    func readOnce() async throws {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            SMStore.sqlTrace = .statements
            let end = DecidingEnd.cover
            let device = try Device(on: LocalCloud.inMemory(), model: end.model())
            try Self.addManyPairs(end, on: device)
            try await device.store.sync()
            try Self.rotateManyPairs(end, on: device)
            try await device.store.sync()
        }
        let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            .components(separatedBy: "\n")
        let attempts = lines.filter { $0.contains("UPDATE sm_outbox SET state = ") }
        let readings = lines.filter { $0.contains("c.kind <> 'insert' AND c.changes IS NOT NULL") }
        #expect(attempts.count >= 900)
        // In the first round the former owners give up their documents, in the second the new ones
        // get them.
        #expect((1...3).contains(readings.count), "\(readings.count)")
    }
}
