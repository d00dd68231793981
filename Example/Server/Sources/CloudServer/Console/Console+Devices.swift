import CloudKitWebServices
import Foundation
import LocalCloud

/// Who is signed in on which device, and what is made to go wrong.
extension Console {
    func devices(_ fields: FormFields) async throws -> Content {
        let sessions = await server.accounts.sessions
        let sessionRows = sessions.map { session in
            [
                "user": session.user, "device": session.device, "container": session.container,
                "environment": session.environment.rawValue,
                "lastUse": FieldText.date(session.lastUse),
                "expires": FieldText.date(session.expires), "id": session.id.uuidString,
            ]
        }
        let pushTokens = await server.router.pushTokens.map { token -> [String: Any] in
            [
                "device": token.context.device, "container": token.context.container,
                "lastUse": FieldText.date(token.lastUse), "isWaiting": token.isWaitedFor,
                "count": token.waitingPushes,
            ]
        }
        let accounts = try accounts(of: sessions).map { entry -> [String: Any] in
            [
                "device": entry.device ?? "", "deviceText": entry.device ?? "all others",
                "container": entry.container ?? "",
                "containerText": entry.container ?? "all others",
                "user": entry.user,
                "statuses": AccountStatus.choices.map { status, text in
                    ["name": status.rawValue, "text": text, "isChosen": status == entry.status]
                        as [String: Any]
                },
            ]
        }
        return Content(
            template: "devices", title: "Devices",
            values: [
                "sessions": sessionRows, "hasSessions": !sessions.isEmpty,
                "pushTokens": pushTokens,
                "hasPushTokens": !pushTokens.isEmpty, "accounts": accounts,
                "hasAccounts": !accounts.isEmpty,
            ])
    }

    /// The accounts that were set, and those of the devices in use that have none of their own.
    private func accounts(
        of sessions: [WebServiceSession]
    ) throws(CloudKitServiceError) -> [LocalCloud.AccountEntry] {
        var entries = try reader.cloud.accountEntries().filter {
            $0.device?.hasPrefix(ConsoleReader.devicePrefix) != true
        }
        for session in sessions {
            let isListed = entries.contains {
                $0.device == session.device && $0.container == session.container
            }
            guard !isListed else { continue }
            entries.append(
                try reader.cloud.account(device: session.device, container: session.container))
        }
        return entries.sorted { ($0.device ?? "") < ($1.device ?? "") }
    }

    func faultsPage(_ fields: FormFields) async throws -> Content {
        let plan = server.cloud.faults
        var (entries, used): ([[String: Any]], [[String: Any]]) = ([], [])
        for entry in faults.entries {
            let matches = plan.matchCount(of: entry.id)
            let values: [String: Any] = [
                "number": entry.number, "effect": entry.effect, "requests": entry.requests,
                "occurrences": entry.occurrences, "matches": matches,
            ]
            if entry.isUsedUp(after: matches) {
                used.append(values)
            } else {
                entries.append(values)
            }
        }
        let places = try reader.cloud.places()
        let heldCount = server.cloud.pushDelivery.heldPushes.count
        let temper = server.cloud.temper
        return Content(
            template: "faults", title: "Faults",
            values: [
                "faults": entries, "hasFaults": !entries.isEmpty,
                "usedFaults": used, "hasUsedFaults": !used.isEmpty,
                "effects": FaultChoice.allCases.map { ["name": $0.rawValue, "text": $0.text] },
                "kinds": RequestKind.allCases.map(\.rawValue).sorted(),
                "containers": Set(places.map(\.container)).sorted(),
                "devices": try accounts(of: await server.accounts.sessions).compactMap(\.device),
                "isHarsh": !temper.chances.isEmpty, "seed": "\(temper.seed)",
                "heldText": heldCount == 1
                    ? "1 push is held back." : "\(heldCount) pushes are held back.",
            ])
    }
}

extension AccountStatus {
    /// The statuses with their names for people.
    static let choices: [(AccountStatus, String)] = [
        (.available, "available"), (.noAccount, "no account"), (.restricted, "restricted"),
        (.temporarilyUnavailable, "temporarily unavailable"),
        (.couldNotDetermine, "could not determine"),
    ]
}
