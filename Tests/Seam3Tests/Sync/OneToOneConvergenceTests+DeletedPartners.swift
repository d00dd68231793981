import CoreData
import LocalCloud
import Seam3
import Testing

/// Objects whose new partner another device deletes.
extension OneToOneConvergenceTests {
    /// What the device that deletes the new partner edits besides.
    struct Edits {
        let ofOwner: Bool
        let ofFormerPartner: Bool
    }

    private static let deletions = DecidingEnd.allCases.flatMap { end in
        ["c2", "d2"].flatMap { deleted in
            [false, true].flatMap { owner in
                [false, true].map {
                    (end: end, deleted: deleted, Edits(ofOwner: owner, ofFormerPartner: $0))
                }
            }
        }
    }

    private static let races = [
        SMSyncConflictResolutionPolicy.serverRecordWins, .clientRecordWins,
        .mergeByPropertyClientWins,
    ].flatMap { policy in [false, true].map { (policy: policy, deletionFirst: $0) } }

    @Test("a partner that is deleted in the meantime", arguments: deletions, races)
    func deletedPartner(
        _ deletion: (end: DecidingEnd, deleted: String, edits: Edits),
        _ race: (policy: SMSyncConflictResolutionPolicy, deletionFirst: Bool)
    ) async throws {
        let (end, deleted, edits) = deletion
        let devices = try (0..<2).map {
            try Device("device \($0)", on: cloud, policy: race.policy, model: end.model())
        }
        try devices[0].addAll(end.coverEntity, "c1", "c2")
        try devices[0].addAll("Document", "d1", "d2")
        try tie("c1", to: "d1", end, on: devices[0])
        try await settle(devices)
        // "d1" gets the other cover, or "c1" the other document, which the other device deletes.
        let isCover = deleted == "c2"
        try tie(isCover ? "c2" : "c1", to: isCover ? "d1" : "d2", end, on: devices[0])
        try devices[1].edit { context in
            let cover = try Device.object(end.coverEntity, "c1", in: context)
            let document = try Device.object("Document", "d1", in: context)
            let (owner, former) = isCover ? (document, cover) : (cover, document)
            context.delete(
                try Device.object(isCover ? end.coverEntity : "Document", deleted, in: context))
            if edits.ofOwner { owner.setValue("owner", forKey: "name") }
            if edits.ofFormerPartner { former.setValue("partner", forKey: "name") }
        }
        try await settle(race.deletionFirst ? devices.reversed() : devices)
        try await expectOneTruth(end, devices)
    }
}
