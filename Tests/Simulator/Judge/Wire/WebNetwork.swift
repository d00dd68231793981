#if os(Linux)
import CloudKitService
import CloudKitWebServices
import Foundation
import LoopbackServer
import SeededRandom

/// The connection from the devices to the server over HTTP, through a network that loses, repeats
/// and delays requests.
final class WebNetwork: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    /// The connection between the devices and the server.
    private(set) var service: any CloudKitService
    private var network: FaultyNetwork?
    private let lock = NSLock()
    private var counts: [String: UInt64] = [:]
    private let seed: UInt64

    /// - Parameters:
    ///   - wire: The wire between the HTTP server and the server.
    ///   - devices: The names of the devices.
    ///   - seed: The seed of the random decisions.
    init(_ wire: Wire, devices: [String], seed: UInt64) throws {
        self.seed = seed
        service = wire
        let network = try FaultyNetwork { [weak self, weak wire] request in
            let device = request.headers["x-seam3-device"]
            guard let self, let fault = draw(device ?? "") else { return nil }
            // Requests for the bytes of assets belong to no device.
            for device in device.map({ [$0] }) ?? devices { wire?.noteFault(of: device) }
            return fault
        }
        self.network = network
        service = try LoopbackCloud.carrier(
            to: wire, container: ServerReader.container, over: network)
    }

    /// Whether there are no faults.
    func calm(_ isCalm: Bool) { network?.isCalm = isCalm }

    /// The fate of a device's next request. It does not depend on the requests of other devices.
    private func draw(_ device: String) -> FaultyNetwork.Fault? {
        let count = lock.withLock { () -> UInt64 in
            counts[device, default: 0] += 1
            return counts[device] ?? 0
        }
        let name = device.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) }
        var random = SeededGenerator(seed: seed ^ name &+ count &* 0x9E37_79B9)
        guard Int.random(in: 0..<8, using: &random) == 0 else { return nil }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .lostRequest
        case 1: return .cutRequest
        case 2, 3: return .lostAnswer
        case 4: return .cutAnswer
        case 5: return .repeated
        case 6: return .overtaken(by: Int.random(in: 1...4, using: &random))
        default: return .delayed
        }
    }
}
#endif
