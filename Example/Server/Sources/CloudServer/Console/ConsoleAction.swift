import CloudKitWebServices
import Foundation
import HTTPTypes
import Hummingbird
import LocalCloud

/// What the buttons do. The raw value is the last part of the path.
enum ConsoleAction: String, CaseIterable, Sendable {
    case purgeZone, resetZone, deleteZone, expireZoneTokens, forgetDeletions, expireDatabaseTokens
    case endSession, setAccount
    case addFault, removeFault, removeFaults, removeUsedFaults, setTemper
    case holdPushes, releasePushes, loseNextPush

    /// What the page says afterwards.
    var note: String {
        switch self {
        case .purgeZone: "The zone was purged, as a user does in the settings."
        case .resetZone: "The zone was deleted, as a reset of the encrypted data does."
        case .deleteZone: "The zone was deleted."
        case .expireZoneTokens: "The zone's change tokens have expired."
        case .forgetDeletions: "The zone's deletions are forgotten."
        case .expireDatabaseTokens: "The database's change tokens have expired."
        case .endSession: "The session has ended. The app must sign in with its next request."
        case .setAccount: "The account was changed."
        case .addFault: "The fault was added."
        case .removeFault: "The fault was removed."
        case .removeFaults: "All faults were removed."
        case .removeUsedFaults: "The faults that were used up were removed."
        case .setTemper: "The setting of random failures was changed."
        case .holdPushes: "New pushes are held back until you deliver them."
        case .releasePushes: "The pushes were delivered, and no more are held back."
        case .loseNextPush: "The next push will be lost."
        }
    }

    /// The page on which the button is.
    var page: ConsolePage {
        switch self {
        case .purgeZone, .resetZone, .deleteZone, .expireZoneTokens, .forgetDeletions,
            .expireDatabaseTokens:
            .database
        case .endSession, .setAccount: .devices
        default: .faults
        }
    }
}

extension Console {
    /// Does what a button is for, and shows its page again.
    func carryOut(
        _ action: ConsoleAction, _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let form = try await FormFields(body: request)
        guard let session = context.session, access.isFormToken(form["form"], of: session) else {
            throw HTTPError(
                .forbidden, message: "The form was not made for this browser. Open the page again.")
        }
        do throws(CloudKitServiceError) {
            try await change(form, action)
        } catch {
            throw HTTPError(error.pageStatus, message: error.description)
        }
        let fields = action.page == .database ? ConsoleLocation(form)?.database.fields ?? [] : []
        let address = action.page.address(fields + [("note", action.rawValue)])
        return Response(status: .seeOther, headers: [.location: address])
    }

    private func change(
        _ form: FormFields, _ action: ConsoleAction
    ) async throws(CloudKitServiceError) {
        guard action.page == .database else { return try await changeServer(action, form) }
        let location = try await databaseLocation(form)
        let (cloud, context) = (reader.cloud, try reader.context(location))
        let zone = location.zoneID.zoneName
        switch action {
        case .purgeZone: try await cloud.purgeZone(zone, in: context)
        case .resetZone: try await cloud.resetEncryptedData(ofZone: zone, in: context)
        case .deleteZone:
            let answer = try await cloud.modifyZones(
                .init(operations: [.init(.delete, location.zoneID)]), in: context)
            if let error = answer.zones.first?.error {
                throw CloudKitServiceError(error.serverErrorCode, reason: error.reason)
            }
        case .expireZoneTokens: try await cloud.expireTokens(ofZone: zone, in: context)
        case .forgetDeletions: try await cloud.forgetDeletions(inZone: zone, in: context)
        default: try await cloud.expireDatabaseTokens(in: context)
        }
    }

    private func changeServer(
        _ action: ConsoleAction, _ form: FormFields
    ) async throws(CloudKitServiceError) {
        let cloud = server.cloud
        switch action {
        case .endSession:
            guard let id = form["id"].flatMap({ UUID(uuidString: $0) }) else { return }
            try await end(id)
        case .setAccount: try setAccount(form)
        case .addFault: try faults.add(form, to: cloud.faults)
        case .removeFault:
            faults.remove(form["number"].flatMap { Int($0) } ?? 0, from: cloud.faults)
        case .removeFaults: faults.removeAll(from: cloud.faults)
        case .removeUsedFaults: faults.removeUsed(from: cloud.faults)
        case .setTemper:
            cloud.temper = form["seed"].flatMap { UInt64($0) }.map { .harsh(seed: $0) } ?? .kind
        case .holdPushes: cloud.pushDelivery.hold()
        case .releasePushes: cloud.pushDelivery.release()
        default: cloud.pushDelivery.loseNext()
        }
    }

    private func end(_ session: UUID) async throws(CloudKitServiceError) {
        do {
            try await server.endSession(session)
        } catch {
            throw CloudKitServiceError(
                .internalError,
                reason: "The session has ended, but not for good: \(error.localizedDescription)")
        }
    }

    /// Signs another user in on a device, or gives the account another status.
    private func setAccount(_ form: FormFields) throws(CloudKitServiceError) {
        guard let user = form["user"], let status = AccountStatus(rawValue: form["status"] ?? "")
        else { throw CloudKitServiceError(.badRequest, reason: "The user has no name.") }
        let cloud = server.cloud
        try cloud.signIn(user, device: form["device"], container: form["container"])
        if status != .available {
            try cloud.setAccountStatus(
                status, device: form["device"], container: form["container"])
        }
    }
}
