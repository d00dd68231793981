import CloudKit
import CoreData
import LocalCloud
import Seam3

/// Who is signed in, and whose data a device holds.
extension World {
    /// Signs somebody in on a device that has synchronised already, or nobody.
    func signIn(
        _ account: Step.Account, on device: Int, removesLocalData: Bool
    ) async throws {
        devices[device].removesLocalData = removesLocalData
        guard accounts[device] != account else { return }
        // A store that never had a user takes whoever comes first.
        if owners[device] != nil, try devices[device].owner() == nil { return }
        let container = devices[device].cloudContainer
        let notices = AsyncStream<Void> { continuation in
            let observer = NotificationCenter.default.addObserver(
                forName: .CKAccountChanged, object: container, queue: nil
            ) { _ in continuation.yield() }
            nonisolated(unsafe) let token = observer
            continuation.onTermination = { _ in NotificationCenter.default.removeObserver(token) }
        }
        let name = container.device
        switch account {
        case .nobody: try cloud.signOut(device: name)
        case .first: try cloud.signIn("default", device: name)
        case .second: try cloud.signIn(Self.secondUser, device: name)
        }
        accounts[device] = account
        // The news travels by itself; a synchronisation that it meets would end.
        for await _ in notices { break }
    }

    /// Learns after a synchronisation whose data a device holds now.
    ///
    /// - Returns: Whether the store has removed the data that it held.
    func followOwner(_ device: Int) throws -> Bool {
        let old = owners[device]
        guard let name = try devices[device].owner() else {
            // Nobody yet, or nobody any more.
            guard let old, hasHadOwner.contains(device) else { return false }
            leave(device, old)
            owners[device] = nil
            return true
        }
        hasHadOwner.insert(device)
        let new: Step.Account
        if let known = users.first(where: { $0.recordName == name }) {
            new = known.account
        } else {
            new = accounts[device]
            users[index(of: new)].recordName = name
        }
        guard new != old else { return false }
        if let old { leave(device, old) }
        owners[device] = new
        users[index(of: new)].oracle.noteSuccess(device)
        return old != nil
    }

    private func leave(_ device: Int, _ account: Step.Account) {
        users[index(of: account)].oracle.removeLocalData(device)
    }

    /// Whether the user who is signed in on a device is the one whose data it holds.
    func isAtHome(_ device: Int) -> Bool {
        owners[device] == nil ? accounts[device] != .nobody : owners[device] == accounts[device]
    }
}
