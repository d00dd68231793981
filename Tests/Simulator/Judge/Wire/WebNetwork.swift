#if os(Linux)
import CloudKitService
import CloudKitWebServices
import Foundation
import LoopbackServer
import SeededRandom

/// The connection from the devices to the server over HTTP, through a network that loses, repeats
/// and delays requests.
final class WebNetwork: Sendable {
    /// The service that the devices use.
    let service: CloudKitWebService
    private let network: FaultyNetwork

    /// - Parameters:
    ///   - wire: The service behind the HTTP server.
    ///   - devices: The names of the devices.
    ///   - seed: The seed of the faults.
    init(_ wire: Wire, devices: [String], seed: UInt64) throws {
        let faults = RandomFaults(seed: seed)
        network = try FaultyNetwork(onLateArrival: { [weak wire] in
            wire?.noteLateArrival(devices: devices)
        }) { [weak wire] request in
            let device = request.headers["x-seam3-device"]
            guard let fault = faults.next(for: device ?? "") else { return nil }
            // Requests for the bytes of assets belong to no device.
            for device in device.map({ [$0] }) ?? devices { wire?.noteFault(of: device) }
            return fault
        }
        service = try LoopbackCloud.carrier(
            to: wire, container: ServerReader.container, over: network)
    }

    /// Stops or restarts the faults.
    func calm(_ isCalm: Bool) { network.isCalm = isCalm }
}

/// Chooses the faults of requests. Those of a device do not depend on the requests of others.
private final class RandomFaults: @unchecked Sendable {
    // Unchecked because the lock guards the counts.

    private let seed: UInt64
    private let lock = NSLock()
    private var counts: [String: UInt64] = [:]

    init(seed: UInt64) { self.seed = seed }

    /// The fault of a device's next request; nil seven times out of eight.
    func next(for device: String) -> FaultyNetwork.Fault? {
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
