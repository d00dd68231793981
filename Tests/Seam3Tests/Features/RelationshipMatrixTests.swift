import CoreData
import LocalCloud
import Seam3
import Testing

/// Each kind of relationship under each operation, read from the file after it was reopened.
@Suite("Relationships of each kind", .tags(.everyRelationshipRoundTrips))
struct RelationshipMatrixTests {
    /// A kind of relationship between the entities `Parent` and `Child`, which may be the same.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        var isToMany = true
        var isInverseToMany = false
        var isOrdered = false
        var isInverseOrdered = false
        /// Whether both ends are of the same entity.
        var isSelfReferencing = false
        /// Whether the objects are of subentities of the relationship's ends.
        var isInherited = false

        var testDescription: String { name }
        var parentEntity: String { isInherited ? "SubParent" : "Parent" }
        var childEntity: String {
            isSelfReferencing ? parentEntity : isInherited ? "SubChild" : "Child"
        }
    }

    static let kinds = [
        Kind(name: "one-to-one", isToMany: false),
        Kind(name: "to-one with many at the other end", isToMany: false, isInverseToMany: true),
        Kind(name: "one-to-many"),
        Kind(name: "one-to-many, ordered", isOrdered: true),
        Kind(name: "many-to-many", isInverseToMany: true),
        Kind(
            name: "many-to-many, ordered at both ends", isInverseToMany: true, isOrdered: true,
            isInverseOrdered: true),
        Kind(name: "one-to-one with itself", isToMany: false, isSelfReferencing: true),
        Kind(name: "one-to-many with itself", isSelfReferencing: true),
        Kind(name: "many-to-many with itself", isInverseToMany: true, isSelfReferencing: true),
        Kind(name: "one-to-one between subentities", isToMany: false, isInherited: true),
        Kind(name: "one-to-many between subentities, ordered", isOrdered: true, isInherited: true),
        Kind(name: "many-to-many between subentities", isInverseToMany: true, isInherited: true),
        Kind(
            name: "one-to-many with itself between subentities", isSelfReferencing: true,
            isInherited: true),
    ]

    private static func model(
        _ kind: Kind, _ rule: NSDeleteRule = .nullifyDeleteRule
    ) -> NSManagedObjectModel {
        func name() -> NSAttributeDescription {
            NSAttributeDescription("name", .stringAttributeType)
        }
        let parent = NSEntityDescription("Parent", [name()])
        let child = kind.isSelfReferencing ? parent : NSEntityDescription("Child", [name()])
        NSRelationshipDescription.join(
            (parent, "children", kind.isToMany ? 0 : 1),
            (child, "parents", kind.isInverseToMany ? 0 : 1))
        parent.relationshipsByName["children"]?.deleteRule = rule
        parent.relationshipsByName["children"]?.isOrdered = kind.isOrdered
        child.relationshipsByName["parents"]?.isOrdered = kind.isInverseOrdered
        let subParent = NSEntityDescription("SubParent")
        let subChild = NSEntityDescription("SubChild")
        parent.subentities = [subParent]
        if !kind.isSelfReferencing { child.subentities = [subChild] }
        let model = NSManagedObjectModel()
        model.entities =
            kind.isSelfReferencing ? [parent, subParent] : [parent, child, subParent, subChild]
        return model
    }

    /// A device with the parents P and Q and the children a, b and c, none related.
    private func device(
        _ kind: Kind, _ rule: NSDeleteRule = .nullifyDeleteRule
    ) throws -> Device {
        let device = try Device(on: LocalCloud.inMemory(), model: Self.model(kind, rule))
        try device.addAll(kind.parentEntity, "P", "Q")
        try device.addAll(kind.childEntity, "a", "b", "c")
        return device
    }

    /// Sets the relationship of a parent; a to-one relationship takes the first child.
    private func set(
        _ parent: String, _ children: [String], _ kind: Kind, on device: Device
    ) throws {
        guard !kind.isToMany else {
            return try device.setMembers(kind.parentEntity, parent, "children", children)
        }
        try device.edit { context in
            let child = try children.first.map {
                try Device.object(kind.childEntity, $0, in: context)
            }
            try Device.object(kind.parentEntity, parent, in: context)
                .setValue(child, forKey: "children")
        }
    }

    /// The names of the objects in a relationship, in order if it is ordered.
    private func related(
        _ entity: String, _ name: String, _ key: String, on device: Device
    ) throws -> [String] {
        try device.read { context in
            let value = try Device.object(entity, name, in: context).value(forKey: key)
            func label(_ object: Any) -> String {
                (object as? NSManagedObject)?.value(forKey: "name") as? String ?? "?"
            }
            if let ordered = value as? NSOrderedSet { return ordered.array.map(label) }
            if let set = value as? Set<NSManagedObject> { return set.map(label).sorted() }
            return (value as? NSManagedObject).map { [label($0)] } ?? []
        }
    }

    /// Expects the children of the parents, and that the children's ends match, in the file.
    private func expect(
        _ parents: [String: [String]], _ kind: Kind, on device: Device,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try device.relaunch(model: Self.model(kind))
        var children: [String: [String]] = [:]
        for (parent, expected) in parents {
            let wanted = kind.isToMany ? expected : Array(expected.prefix(1))
            #expect(
                try related(kind.parentEntity, parent, "children", on: device) == wanted,
                "\(parent)", sourceLocation: sourceLocation)
            for child in wanted { children[child, default: []].append(parent) }
        }
        for child in try device.names(of: kind.childEntity) where parents[child] == nil {
            #expect(
                try related(kind.childEntity, child, "parents", on: device).sorted()
                    == (children[child] ?? []).sorted(), "\(child)", sourceLocation: sourceLocation)
        }
    }

    @Test("keep what is inserted, set and set to nil", arguments: kinds)
    func insertAndRemove(kind: Kind) throws {
        let device = try device(kind)
        try set("P", ["a", "b"], kind, on: device)
        try expect(["P": ["a", "b"], "Q": []], kind, on: device)
        try set("P", ["b"], kind, on: device)
        try expect(["P": ["b"], "Q": []], kind, on: device)
        try set("P", [], kind, on: device)
        try expect(["P": [], "Q": []], kind, on: device)
    }

    @Test("move a child from one parent to another", arguments: kinds) func move(kind: Kind) throws
    {
        let device = try device(kind)
        try set("P", ["a", "b"], kind, on: device)
        try set("Q", ["a"], kind, on: device)
        if kind.isInverseToMany {
            try expect(["P": ["a", "b"], "Q": ["a"]], kind, on: device)
        } else {
            try expect(["P": kind.isToMany ? ["b"] : [], "Q": ["a"]], kind, on: device)
        }
    }

    @Test("nullify the other end of a deleted object", arguments: kinds)
    func nullify(kind: Kind) throws {
        let device = try device(kind)
        try set("P", ["a", "b"], kind, on: device)
        try device.edit { context in
            context.delete(try Device.object(kind.childEntity, "a", in: context))
        }
        try expect(["P": kind.isToMany ? ["b"] : [], "Q": []], kind, on: device)
        try device.edit { context in
            context.delete(try Device.object(kind.parentEntity, "P", in: context))
        }
        try expect(["Q": []], kind, on: device)
        #expect(try device.count(kind.childEntity) == (kind.isSelfReferencing ? 3 : 2))
    }

    @Test("cascade to the other end of a deleted object", arguments: kinds)
    func cascade(kind: Kind) throws {
        let device = try device(kind, .cascadeDeleteRule)
        try set("P", ["a", "b"], kind, on: device)
        try device.edit { context in
            context.delete(try Device.object(kind.parentEntity, "P", in: context))
        }
        let left = kind.isToMany ? ["c"] : ["b", "c"]
        #expect(
            try device.names(of: kind.childEntity) == (kind.isSelfReferencing ? ["Q"] : []) + left)
    }

    @Test("deny the deletion of an object that has a related one", arguments: kinds)
    func deny(kind: Kind) throws {
        let device = try device(kind, .denyDeleteRule)
        try set("P", ["a"], kind, on: device)
        try device.read { context in
            context.delete(try Device.object(kind.parentEntity, "P", in: context))
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .validationRelationshipDeniedDelete)
            context.rollback()
        }
        try set("P", [], kind, on: device)
        try device.edit { context in
            context.delete(try Device.object(kind.parentEntity, "P", in: context))
        }
        #expect(try device.names(of: kind.childEntity).contains("a"))
    }

    @Test("never lead to a missing object if no delete rule acts", arguments: kinds)
    func noAction(kind: Kind) throws {
        let device = try device(kind, .noActionDeleteRule)
        try set("P", ["a"], kind, on: device)
        try device.edit { context in
            context.delete(try Device.object(kind.parentEntity, "P", in: context))
        }
        try expect(["Q": []], kind, on: device)
    }

    @Test(
        "keep their order through insertions, moves and removals",
        arguments: kinds.filter(\.isOrdered))
    func order(kind: Kind) throws {
        let device = try device(kind)
        for members in [
            ["c", "a"], ["c", "b", "a"], ["a", "c", "b"], ["b", "a"], ["b", "a", "c"],
        ] {
            try set("P", members, kind, on: device)
            try expect(["P": members, "Q": []], kind, on: device)
        }
    }

    @Test(
        "write one order key for one object that is moved among a thousand",
        arguments: kinds.filter(\.isOrdered))
    func orderKeys(kind: Kind) async throws {
        let cloud = LocalCloud.inMemory()
        let device = try Device(on: cloud, model: Self.model(kind))
        try device.edit { context in
            let parent = NSEntityDescription.insertNewObject(
                forEntityName: kind.parentEntity, into: context)
            parent.setValue("P", forKey: "name")
            let children = (0..<1000).map { index in
                let child = NSEntityDescription.insertNewObject(
                    forEntityName: kind.childEntity, into: context)
                child.setValue("\(index)", forKey: "name")
                return child
            }
            parent.setValue(NSOrderedSet(array: children), forKey: "children")
        }
        try await device.store.sync()
        for (from, to) in [(999, 0), (0, 999), (500, 2), (3, 700)] {
            try device.edit { context in
                let parent = try Device.object(kind.parentEntity, "P", in: context)
                parent.mutableOrderedSetValue(forKey: "children")
                    .moveObjects(at: IndexSet(integer: from), to: to)
            }
            #expect(try device.store.syncStatus().pendingChangeCount == 1)
            try await device.store.sync()
        }
    }
}
