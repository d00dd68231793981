// All Linux-only names of this app are in this file. An app on Apple's systems creates its
// container with `CKContainer(identifier:)`, receives pushes in its delegate, and has iCloud as its
// cloud.

import CloudKit
import LocalCloud

/// A cloud on this machine, for any number of devices and processes.
struct Cloud: Sendable {
    private static let containerIdentifier = "iCloud.org.example.WorldClock"

    private let service: LocalCloud

    /// Opens the cloud in a directory, or creates one in memory.
    init(directory: URL?) {
        service = directory.map { LocalCloud(directory: $0) } ?? .inMemory()
    }

    /// The container as a device sees it.
    func container(for device: String) -> CKContainer {
        CKContainer(
            identifier: Self.containerIdentifier, service: service, device: device)
    }

    /// Delivers the pushes for a device, starting when the method returns.
    func deliverPushes(
        to container: CKContainer, _ handler: @escaping @Sendable ([AnyHashable: Any]) -> Void
    ) async throws {
        container.remoteNotificationHandler = handler
        try await container.registerForRemoteNotifications()
    }

    /// Takes every device off the network, as airplane mode does, or connects them again.
    func setOnline(_ isOnline: Bool) {
        service.faults.removeAll()
        guard !isOnline else { return }
        service.faults.add(
            .fail(.networkUnavailable, reason: "The network is down."), occurrences: .always)
    }
}
