import CloudKitService
import LocalCloud

extension RenamingRun {
    /// Syncs a device while something happens.
    func sync(_ device: SyncedDevice, _ trouble: PassTrouble) async -> String {
        let push = RequestPattern.kind(.modifyRecords, device: device.identifier)
        let fetch = RequestPattern.kind(.fetchZoneChanges, device: device.identifier)
        let faults = cloud.faults
        defer { faults.removeAll() }
        switch trouble {
        case .none: break
        case .readsAll: return await device.sync(complete: true)
        case .losesAnswers: faults.add(.loseAnswer(), for: push, occurrences: .always)
        case .cannotPush: faults.add(.fail(.networkFailure), for: push, occurrences: .always)
        case .cannotFetch: faults.add(.fail(.networkFailure), for: fetch, occurrences: .always)
        case .fetchesPage(let bytes):
            faults.add(.cutPages(bytes: bytes), for: fetch, occurrences: .always)
            let failure = Fault(.fail(.networkFailure), for: fetch, occurrences: .always)
            faults.add(.call(.afterCommit) { _ in faults.add(failure) }, for: fetch)
        case .pushesPart(let count):
            faults.add(
                .interrupt(after: count, CloudKitServiceError(.networkFailure)), for: push,
                occurrences: .always)
        case .race(let other):
            let other = devices[other]
            faults.add(.call(.beforeCommit) { _ in _ = await other.sync() }, for: push)
        case .edit(let edit, let isBefore):
            faults.add(
                .call(isBefore ? .beforeCommit : .afterCommit) { _ in _ = device.perform(edit) },
                for: push)
        }
        return await device.sync()
    }

    /// Changes a device's account.
    func change(_ trouble: AccountTrouble, of device: SyncedDevice) throws {
        let name = device.identifier
        switch trouble {
        case .signOut: try cloud.signOut(device: name)
        case .isNotReady: try cloud.setAccountStatus(.couldNotDetermine, device: name)
        case .signIn:
            try cloud.signIn("default", device: name)
            try cloud.setAccountStatus(.available, device: name)
        }
    }

    /// Changes the zone, if there is one yet.
    func happens(_ trouble: ZoneTrouble) async {
        let zone = "SMStoreCloudStore_CustomZone"
        let context = RequestContext(container: SyncedDevice.container, device: "server")
        switch trouble {
        case .isDeleted:
            let deletion = ZoneOperation(.delete, ZoneIDDictionary(zoneName: zone))
            _ = try? await cloud.modifyZones(
                ModifyZonesRequest(operations: [deletion]), in: context)
        case .isPurged: try? await cloud.purgeZone(zone, in: context)
        case .losesEncryptedData: try? await cloud.resetEncryptedData(ofZone: zone, in: context)
        case .expiresTokens: try? await cloud.expireTokens(ofZone: zone, in: context)
        case .forgetsDeletions: try? await cloud.forgetDeletions(inZone: zone, in: context)
        }
    }
}
