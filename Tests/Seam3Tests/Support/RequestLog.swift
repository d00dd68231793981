import CloudKit
import CloudKitService
import LocalCloud

/// The requests of a device, or of all devices, in the order of their arrival.
final class RequestLog: @unchecked Sendable {
    // Unchecked because the lock guards all state.

    private let lock = NSLock()
    private var noted: [RequestSummary] = []

    /// Starts recording requests.
    ///
    /// - Parameters:
    ///   - kind: The kind of the requests; nil for all.
    ///   - device: The device; nil for all.
    ///   - cloud: The cloud that gets them.
    init(_ kind: RequestKind? = nil, of device: Device? = nil, on cloud: LocalCloud) {
        HarshCloud.spare(cloud)
        let pattern = RequestPattern(
            kind.map { [$0] }, device: device.map { $0.cloudContainer.device })
        cloud.faults.add(
            .call(.beforeCommit) { [weak self] in self?.note($0) }, for: pattern,
            occurrences: .always)
    }

    /// The requests of a pass that relies on the checks of an earlier one, and has one change to send.
    static let kindsOfPassAfterSave: [RequestKind] = [
        .fetchZoneChanges, .fetchCaller, .modifyRecords, .fetchCaller,
    ]

    private func note(_ request: RequestSummary) { lock.withLock { noted.append(request) } }

    var requests: [RequestSummary] { lock.withLock { noted } }

    var count: Int { requests.count }
}
