import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A migration that only renames properties", .allMigrationKinds) struct RenamingTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// What waits on the device that migrates.
    enum Change: CaseIterable {
        case edit, deletion, insertionAgain

        func make(on device: Device, isRenamed: Bool) throws {
            try device.edit { context in
                let tag = try Device.object("Tag", "work", in: context)
                switch self {
                case .edit: Role.note.set("mine", of: tag, isRenamed)
                case .deletion, .insertionAgain: context.delete(tag)
                }
            }
            guard self == .insertionAgain else { return }
            try device.edit { context in
                let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                tag.setValue("work", forKey: "name")
                Role.note.set("mine", of: tag, isRenamed)
            }
        }
    }

    /// What has happened before.
    enum Past: CaseIterable { case synced, lostAnswer, forgotten }

    /// What another device changes.
    enum Other: CaseIterable { case nothing, sameProperty, otherProperty, both, deletion }

    /// A property, which may have another name in the new model: the color gets the former name of the note.
    enum Role: String, CaseIterable {
        case note, color

        func name(_ isRenamed: Bool) -> String {
            guard isRenamed else { return rawValue }
            return self == .note ? "remark" : "note"
        }

        func set(_ value: String?, of tag: NSManagedObject, _ isRenamed: Bool) {
            tag.setValue(value, forKey: name(isRenamed))
        }
    }

    private static func model(isRenamed: Bool) -> NSManagedObjectModel {
        let properties = Role.allCases.map { role in
            let attribute = NSAttributeDescription(role.name(isRenamed), .stringAttributeType)
            attribute.renamingIdentifier = role.rawValue
            attribute.userInfo = [SMStore.SMFieldNameUserInfoKey: role.rawValue]
            return attribute
        }
        let tag = NSEntityDescription(
            "Tag", [NSAttributeDescription("name", .stringAttributeType)] + properties)
        tag.userInfo = [SMStore.SMNaturalKeyUserInfoKey: "name"]
        return NSManagedObjectModel(tag)
    }

    /// A situation that a policy decides.
    struct Situation: CustomTestStringConvertible {
        let past: Past
        let change: Change
        let other: Other

        static let all = Past.allCases.flatMap { past in
            Change.allCases.flatMap { change in
                Other.allCases.map { Situation(past: past, change: change, other: $0) }
            }
        }

        var testDescription: String { "\(past), \(change), other: \(other)" }

        /// The tags that both devices have in the end.
        ///
        /// - Parameter isRenamed: Whether one device migrates while its change waits.
        func outcome(_ policy: Policy, isRenamed: Bool) async throws -> [[String]] {
            let cloud = LocalCloud.inMemory()
            let old = RenamingTests.model(isRenamed: false)
            let new = isRenamed ? RenamingTests.model(isRenamed: true) : old
            let a = try Device("a", on: cloud, policy: policy, model: old)
            let b = try Device("b", on: cloud, policy: policy, model: old)
            try a.add("Tag", ["name": "work", "note": "old", "color": "red"])
            try await Device.settle(a, b)
            switch past {
            case .synced: break
            case .lostAnswer:
                try a.edit { context in
                    let tag = try Device.object("Tag", "work", in: context)
                    Role.note.set("sent", of: tag, false)
                }
                try await a.syncLosingAnswer(on: cloud)
            case .forgotten: try a.store.resetCloudFieldsInBackingStore()
            }
            try change.make(on: a, isRenamed: false)
            try a.relaunch(model: new)
            try await b.store.sync()
            try b.edit { context in
                let tag = try Device.object("Tag", "work", in: context)
                switch other {
                case .nothing: break
                case .sameProperty: Role.note.set("theirs", of: tag, false)
                case .otherProperty: Role.color.set("blue", of: tag, false)
                case .both:
                    Role.note.set("theirs", of: tag, false)
                    Role.color.set("blue", of: tag, false)
                case .deletion: context.delete(tag)
                }
            }
            try await Device.settle(b, a, b, a)
            for device in [a, b] { #expect(try device.store.checkInvariants() == []) }
            return try [(a, isRenamed), (b, false)].map { try tags($0.0, $0.1) }
        }

        private func tags(_ device: Device, _ isRenamed: Bool) throws -> [String] {
            try device.read { context in
                try Device.all("Tag", in: context).map { tag in
                    let names = ["name"] + Role.allCases.map { $0.name(isRenamed) }
                    return names.map { tag.value(forKey: $0) as? String ?? "nil" }
                        .joined(separator: " ")
                }.sorted()
            }
        }
    }

    @Test(
        "changes nothing about what a policy decides", arguments: Situation.all, Policy.allCases)
    func decisions(situation: Situation, policy: Policy) async throws {
        let expected = try await situation.outcome(policy, isRenamed: false)
        #expect(try await situation.outcome(policy, isRenamed: true) == expected)
    }
}
