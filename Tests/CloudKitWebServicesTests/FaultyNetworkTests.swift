import CloudKitWebServices
import Foundation
import LoopbackServer
import Testing

/// Tests the faulty network that other tests use.
@Suite("A faulty network")
struct FaultyNetworkTests {
    /// A fault, and its effect on a request.
    struct Case: Sendable, CustomTestStringConvertible {
        let fault: FaultyNetwork.Fault?
        /// The number of times that the server gets the request.
        let arrivals: Int
        let isAnswered: Bool

        var testDescription: String { fault.map { "\($0)" } ?? "none" }
    }

    static let cases = [
        Case(fault: nil, arrivals: 1, isAnswered: true),
        Case(fault: .lostRequest, arrivals: 0, isAnswered: false),
        Case(fault: .cutRequest, arrivals: 0, isAnswered: false),
        Case(fault: .lostAnswer, arrivals: 1, isAnswered: false),
        Case(fault: .cutAnswer, arrivals: 1, isAnswered: false),
        Case(fault: .repeated, arrivals: 2, isAnswered: true),
        Case(fault: .delayed, arrivals: 1, isAnswered: true),
    ]

    @Test("does to a request what was chosen", .timeLimit(.minutes(1)), arguments: cases)
    func faults(item: Case) async throws {
        let network = try FaultyNetwork { _ in item.fault }
        let (service, server) = try scripted(over: network) { _ in Self.noZones }
        defer { server.stop() }
        #expect(await Self.isAnswered("Z", by: service) == item.isAnswered)
        #expect(server.requests.count == item.arrivals)
    }

    @Test("lets later requests overtake one", .timeLimit(.minutes(1)))
    func overtaken() async throws {
        let network = try FaultyNetwork { Self.zone($0) == "A" ? .overtaken(by: 2) : nil }
        let (service, server) = try scripted(over: network) { _ in Self.noZones }
        defer { server.stop() }
        #expect(await !Self.isAnswered("A", by: service))
        for name in ["B", "C", "D"] { #expect(await Self.isAnswered(name, by: service)) }
        #expect(server.requests.map(Self.zone) == ["B", "C", "A", "D"])
    }

    @Test("that is calm does nothing, and brings what was overtaken", .timeLimit(.minutes(1)))
    func calm() async throws {
        let network = try FaultyNetwork { _ in .overtaken(by: 9) }
        let (service, server) = try scripted(over: network) { _ in Self.noZones }
        defer { server.stop() }
        #expect(await !Self.isAnswered("A", by: service))
        network.isCalm = true
        #expect(await Self.isAnswered("B", by: service))
        #expect(server.requests.map(Self.zone) == ["B", "A"])
    }

    private static let noZones = LoopbackServer.Answer.response(
        WebServiceResponse(
            status: 200, headers: ["Content-Type": "application/json"],
            body: .data(Data(#"{"zones":[]}"#.utf8))))

    /// Whether a request to create a zone gets a response.
    private static func isAnswered(_ zone: String, by service: CloudKitWebService) async -> Bool {
        let request = ModifyZonesRequest(operations: [.init(.create, .init(zoneName: zone))])
        return (try? await service.modifyZones(request, in: privateContext)) != nil
    }

    /// The zone that a request creates.
    private static func zone(_ request: WebServiceRequest) -> String? {
        guard case .data(let body) = request.body else { return nil }
        return ["A", "B", "C", "D"].first { body.range(of: Data("\"\($0)\"".utf8)) != nil }
    }
}
