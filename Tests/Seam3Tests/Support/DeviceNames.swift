import Foundation
import LocalCloud

/// The names of the tests' devices on their clouds. A harsh cloud's random decisions depend on the
/// device's name, so the names have to be the same in each run, and unique on each cloud.
final class DeviceNames: @unchecked Sendable {
    private struct Cloud {
        weak var cloud: LocalCloud?
        var counts: [String: Int] = [:]
    }

    static let shared = DeviceNames()

    // The lock guards the array, which is the only mutable state.
    private let lock = NSLock()
    private var clouds: [Cloud] = []

    /// A name for a new device.
    ///
    /// - Parameters:
    ///   - name: The test's name for it, which need not be unique.
    ///   - cloud: Its cloud.
    func next(_ name: String, on cloud: LocalCloud) -> String {
        lock.withLock {
            clouds.removeAll { $0.cloud == nil }
            let index = clouds.firstIndex { $0.cloud === cloud } ?? clouds.count
            if index == clouds.count { clouds.append(Cloud(cloud: cloud)) }
            clouds[index].counts[name, default: 0] += 1
            return "\(name) \(clouds[index].counts[name, default: 1])"
        }
    }
}
