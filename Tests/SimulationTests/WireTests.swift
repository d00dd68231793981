import CloudKitService
import LocalCloud
import Testing

@testable import Judge

/// Events during a pass.
@Suite("The wire") struct WireTests {
    /// The order of the events.
    private actor Log {
        private(set) var lines: [String] = []
        func add(_ line: String) { lines.append(line) }
    }

    @Test("runs the events during a pass one after the other, and waits for them")
    func oneAfterTheOther() async throws {
        let wire = Wire(LocalCloud.inMemory())
        let log = Log()
        let (stream, gate) = AsyncStream<Void>.makeStream()
        wire.add(
            Wire.Interruption(device: "d", kind: .listZones, afterwards: false) {
                await log.add("begin")
                for await _ in stream { break }
                await log.add("end")
            })
        wire.add(
            Wire.Interruption(device: "d", kind: .listZones, afterwards: false) {
                await log.add("second")
            })
        let context = RequestContext(container: ServerReader.container, device: "d")
        let first = Task { try await wire.listZones(in: context) }
        while await log.lines.isEmpty { await Task.yield() }
        // A second request does not trigger the second event during the first one.
        _ = try await wire.listZones(in: context)
        #expect(await log.lines == ["begin"])
        let waiting = Task {
            await wire.interruptionsEnd(of: "d")
            await log.add("waited")
        }
        gate.yield()
        await waiting.value
        _ = try await first.value
        #expect(await log.lines == ["begin", "end", "waited"])
        _ = try await wire.listZones(in: context)
        await wire.interruptionsEnd(of: "d")
        #expect(await log.lines.last == "second")
    }
}
