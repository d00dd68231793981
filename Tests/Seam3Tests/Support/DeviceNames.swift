import Foundation
import LocalCloud

/// What the devices of tests are called to their cloud. A harsh cloud draws for each device by its name, so
/// the names have to be the same in each run, and different on one cloud.
final class DeviceNames: @unchecked Sendable {
    private struct Cloud {
        weak var cloud: LocalCloud?
        var counts: [String: Int] = [:]
    }

    static let shared = DeviceNames()

    // The lock guards the array, and nothing else is mutable.
    private let lock = NSLock()
    private var clouds: [Cloud] = []

    /// A name for a new device.
    ///
    /// - Parameters:
    ///   - name: What the test calls it, perhaps not it alone.
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
