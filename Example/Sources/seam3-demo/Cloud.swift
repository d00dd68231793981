// All Linux-only names of this app are in this file. An app on Apple's systems creates its
// container with `CKContainer(identifier:)`, receives pushes in its delegate, and has iCloud as its
// cloud.

import CloudKit
import CloudKitWebServices
import LocalCloud

/// A cloud for any number of devices and processes: on this machine, or on a server.
struct Cloud: Sendable {
    static let containerIdentifier = "iCloud.org.example.WorldClock"

    private let service: any CloudKitService
    /// The faults of a cloud on this machine.
    private let faults: FaultPlan?

    /// Opens the cloud in a directory.
    init(directory: URL) {
        let cloud = LocalCloud(directory: directory)
        service = cloud
        faults = cloud.faults
    }

    /// The cloud on a server.
    init(_ service: CloudKitWebService) {
        self.service = service
        faults = nil
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

    /// Takes every device off the network, as airplane mode does, or connects them again. Only a cloud on
    /// this machine does so.
    func setOnline(_ isOnline: Bool) {
        faults?.removeAll()
        guard !isOnline else { return }
        faults?.add(
            .fail(.networkUnavailable, reason: "The network is down."), occurrences: .always)
    }
}
