import CoreData
import LocalCloud
import Seam3
import Testing

@Suite("A migration that only renames properties", .allMigrationKinds) struct RenamingTests {
    typealias Policy = SMSyncConflictResolutionPolicy

    /// What waits on the device that migrates.
    enum Change: CaseIterable {
        case edit, deletion, insertionAgain

        func make(on device: Device) throws {
            try device.edit { context in
                let tag = try Device.object("Tag", "work", in: context)
                switch self {
                case .edit: tag.setValue("mine", forKey: "note")
                case .deletion, .insertionAgain: context.delete(tag)
                }
            }
            if self == .insertionAgain { try device.add("Tag", ["name": "work", "note": "mine"]) }
        }
    }

    /// What has happened before.
    enum Past: CaseIterable { case synced, lostAnswer, lostAnswerOfInsertion, forgotten }

    /// What another device changes.
    enum RemoteChange: CaseIterable { case nothing, sameProperty, otherProperty, deletion }

    /// What the new model has.
    enum Renaming: CaseIterable {
        case none
        /// The properties have other names, and the same fields.
        case sameFields
        /// They have other fields, too.
        case otherFields
    }

    /// A property. In the new model, the color gets the former name of the note.
    enum Role: String, CaseIterable {
        case note, color

        func name(_ isRenamed: Bool) -> String {
            guard isRenamed else { return rawValue }
            return self == .note ? "remark" : "note"
        }
    }

    private static func model(_ renaming: Renaming) -> NSManagedObjectModel {
        let properties = Role.allCases.map { role in
            let attribute = NSAttributeDescription(
                role.name(renaming != .none), .stringAttributeType)
            attribute.renamingIdentifier = role.rawValue
            let field = role.rawValue + (renaming == .otherFields ? "2" : "")
            attribute.userInfo = [SMStore.SMFieldNameUserInfoKey: field]
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
        let other: RemoteChange

        static let all = Past.allCases.flatMap { past in
            Change.allCases.flatMap { change in
                RemoteChange.allCases.map { Situation(past: past, change: change, other: $0) }
            }
        }

        var testDescription: String { "\(past), \(change), other: \(other)" }

        /// The tags that both devices have in the end.
        ///
        /// - Parameter renaming: The new model, to which one device migrates while its change waits, and the other one
        ///   later.
        func outcome(_ policy: Policy, _ renaming: Renaming) async throws -> [[String]] {
            let cloud = LocalCloud.inMemory()
            let old = RenamingTests.model(.none)
            let new = renaming == .none ? old : RenamingTests.model(renaming)
            let a = try Device("a", on: cloud, policy: policy, model: old)
            let b = try Device("b", on: cloud, policy: policy, model: old)
            try a.add("Tag", ["name": "work", "note": "old", "color": "red"])
            if past != .lostAnswerOfInsertion {
                try await a.store.sync()
            } else {
                try await a.syncLosingAnswer(on: cloud)
            }
            try await b.store.sync()
            switch past {
            case .synced, .lostAnswerOfInsertion: break
            case .lostAnswer:
                try a.edit { context in
                    try Device.object("Tag", "work", in: context).setValue("sent", forKey: "note")
                }
                try await a.syncLosingAnswer(on: cloud)
            case .forgotten: try a.store.resetCloudFieldsInBackingStore()
            }
            try change.make(on: a)
            try a.relaunch(model: new)
            try await b.store.sync()
            try b.edit { context in
                let tag = try Device.object("Tag", "work", in: context)
                switch other {
                case .nothing: break
                case .sameProperty: tag.setValue("theirs", forKey: "note")
                case .otherProperty: tag.setValue("blue", forKey: "color")
                case .deletion: context.delete(tag)
                }
            }
            try await Device.settle(b, a, b)
            try b.relaunch(model: new)
            try await Device.settle(b, a)
            return try [a, b].map { device in
                #expect(try device.store.checkInvariants() == [])
                return try tags(device, isRenamed: renaming != .none)
            }
        }

        private func tags(_ device: Device, isRenamed: Bool) throws -> [String] {
            let names = ["name"] + Role.allCases.map { $0.name(isRenamed) }
            return try device.read { context in
                try Device.all("Tag", in: context).map { tag in
                    names.map { tag.value(forKey: $0) as? String ?? "nil" }.joined(separator: " ")
                }.sorted()
            }
        }
    }

    @Test(
        "changes nothing about what a policy decides", arguments: Situation.all,
        [Policy.serverRecordWins, .mergeByProperty, .mergeByPropertyClientWins])
    func decisions(situation: Situation, policy: Policy) async throws {
        let expected = try await situation.outcome(policy, .none)
        #expect(try await situation.outcome(policy, .sameFields) == expected)
        #expect(try await situation.outcome(policy, .otherFields) == expected)
    }

    // MARK: - Relationships

    /// A model of items in boxes.
    private static func model(box: String) -> NSManagedObjectModel {
        let item = NSEntityDescription(
            "Item", ["name", "note"].map { NSAttributeDescription($0, .stringAttributeType) })
        let destination = NSEntityDescription(
            box, [NSAttributeDescription("name", .stringAttributeType)])
        destination.renamingIdentifier = "Box"
        NSRelationshipDescription.join((item, "box", 1), (destination, "items", 0))
        return NSManagedObjectModel(item, destination)
    }

    @Test(
        "of a destination's entity lets a policy decide about edits of references as before",
        arguments: [
            (Policy.serverRecordWins, ["item nil box"]), (.clientRecordWins, ["item mine nil"]),
            (.mergeByProperty, ["item mine box"]),
        ])
    func renamedDestination(policy: Policy, outcome: [String]) async throws {
        let cloud = LocalCloud.inMemory()
        let a = try Device("a", on: cloud, policy: policy, model: Self.model(box: "Box"))
        let b = try Device("b", on: cloud, policy: policy, model: Self.model(box: "Box"))
        try a.add("Item", ["name": "item"])
        try a.add("Box", ["name": "box"])
        try await Device.settle(a, b)
        try a.edit { context in
            try Device.object("Item", "item", in: context).setValue("mine", forKey: "note")
        }
        try b.edit { context in
            let item = try Device.object("Item", "item", in: context)
            item.setValue(try Device.object("Box", "box", in: context), forKey: "box")
        }
        try a.relaunch(model: Self.model(box: "Crate"))
        try await Device.settle(b, a, b)
        for device in [a, b] {
            let items = try device.read { context in
                try Device.all("Item", in: context).map { item in
                    ["name", "note", "box.name"]
                        .map { item.value(forKeyPath: $0) as? String ?? "nil" }
                        .joined(separator: " ")
                }
            }
            #expect(items == outcome)
        }
    }

    /// Which entity or relationship of a one-to-one relationship has a name that sorts on the other side of the other
    /// end's.
    enum RenamedEnd: CaseIterable {
        case person, team, relationships

        /// A model of teams and their chiefs.
        func model(isRenamed: Bool) -> NSManagedObjectModel {
            func name(_ first: String, _ renamed: RenamedEnd, _ other: String) -> String {
                isRenamed && renamed == self ? other : first
            }
            let entities = [("Person", Self.person, "Zperson"), ("Team", .team, "Ateam")].map {
                first, renamed, other in
                let entity = NSEntityDescription(
                    name(first, renamed, other),
                    ["name", "note"].map { NSAttributeDescription($0, .stringAttributeType) })
                entity.renamingIdentifier = first
                return entity
            }
            let (team, chief) = (
                name("team", .relationships, "zteam"), name("chief", .relationships, "achief")
            )
            NSRelationshipDescription.join((entities[0], team, 1), (entities[1], chief, 1))
            entities[0].relationshipsByName[team]?.renamingIdentifier = "team"
            entities[1].relationshipsByName[chief]?.renamingIdentifier = "chief"
            return NSManagedObjectModel(entities[0], entities[1])
        }
    }

    @Test(
        "lets the same end of a one-to-one relationship decide as before",
        arguments: RenamedEnd.allCases, [Policy.serverRecordWins, .mergeByProperty])
    func decidingEnd(renamed: RenamedEnd, policy: Policy) async throws {
        let cloud = LocalCloud.inMemory()
        let (old, new) = (renamed.model(isRenamed: false), renamed.model(isRenamed: true))
        let a = try Device("a", on: cloud, policy: policy, model: old)
        let b = try Device("b", on: cloud, policy: policy, model: old)
        try a.add("Person", ["name": "ann"])
        try a.add("Team", ["name": "red"])
        try await Device.settle(a, b)
        try a.edit { context in
            let ann = try Device.object("Person", "ann", in: context)
            ann.setValue(try Device.object("Team", "red", in: context), forKey: "team")
        }
        try b.relaunch(model: new)
        try b.deleteAll(renamed == .person ? "Zperson" : "Person")
        try await Device.settle(a, b, a, b)
        // The edit of the person undoes the deletion.
        #expect(try a.count("Person") == 1)
        try a.read { context in
            let ann = try Device.object("Person", "ann", in: context)
            #expect(ann.value(forKeyPath: "team.name") as? String == "red")
        }
        #expect(try b.store.checkInvariants() == [])
    }
}
