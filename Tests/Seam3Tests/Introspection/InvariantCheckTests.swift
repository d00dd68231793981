import CoreData
import Testing

@testable import Seam3

/// A store finds invalid data in its file.
@Suite struct InvariantCheckTests {
    /// A model with each kind of relationship.
    private static func makeModel() -> NSManagedObjectModel {
        let owner = NSEntityDescription(
            "CheckOwner", [NSAttributeDescription("name", .stringAttributeType)])
        let special = NSEntityDescription("CheckSpecial")
        owner.subentities = [special]
        let part = NSEntityDescription("CheckPart")
        NSRelationshipDescription.join((owner, "parts", 0), (part, "owner", 1))
        NSRelationshipDescription.join((owner, "only", 1), (part, "holder", 1))
        NSRelationshipDescription.join((owner, "tags", 0), (part, "tagged", 0))
        owner.relationshipsByName["parts"]?.isOrdered = true
        NSRelationshipDescription.addOwnInverse("friends", 0, to: owner)
        return NSManagedObjectModel(owner, special, part)
    }

    /// A store with objects in each relationship.
    private static func makeStore() throws -> QueryStore {
        let store = try QueryStore(model: makeModel())
        let owners = ["CheckOwner", "CheckSpecial"].map(store.insert)
        let parts = (0..<4).map { _ in store.insert("CheckPart") }
        owners[0].setValue(NSOrderedSet(array: parts), forKey: "parts")
        owners[0].setValue(NSSet(array: parts), forKey: "tags")
        owners[1].setValue(NSSet(array: Array(parts.prefix(2))), forKey: "tags")
        owners[0].setValue(parts[0], forKey: "only")
        owners[1].setValue(parts[1], forKey: "only")
        owners[0].setValue(NSSet(array: owners), forKey: "friends")
        try store.save()
        return store
    }

    @Test("A sound store has no violations, whatever was done to it")
    func soundStore() throws {
        let store = try Self.makeStore()
        #expect(try store.store.checkInvariants() == [])
        let owners = try store.fetch(NSFetchRequest<NSManagedObject>(entityName: "CheckOwner"))
        let parts = try store.fetch(NSFetchRequest<NSManagedObject>(entityName: "CheckPart"))
        owners[1].setValue(NSOrderedSet(array: parts.reversed()), forKey: "parts")
        owners[1].setValue(parts[0], forKey: "only")
        owners[0].setValue(NSSet(), forKey: "friends")
        try store.save()
        #expect(try store.store.checkInvariants() == [])
        store.context.delete(owners[0])
        store.context.delete(parts[2])
        try store.save()
        #expect(try store.store.checkInvariants() == [])
        let world = try QueryWorld(seed: 2)
        #expect(try world.store.store.checkInvariants() == [])
    }

    struct Damage: CustomTestStringConvertible, Sendable {
        let rule: SMStoreViolation.Rule
        let statement: String

        init(_ rule: SMStoreViolation.Rule, _ statement: String) {
            self.rule = rule
            self.statement = statement
        }

        var testDescription: String { "\(rule.rawValue): \(statement)" }
    }

    static let damages = [
        Damage(.rowHasObject, "DELETE FROM sm_object WHERE pk = (SELECT max(pk) FROM CheckPart)"),
        Damage(
            .rowHasObject, "UPDATE sm_object SET entity = NULL, state = 'placeholder' WHERE pk = 1"),
        Damage(
            .rowHasObject,
            "DELETE FROM sm_object WHERE pk = (SELECT max(pk) FROM SM_Link_CheckOwner_tags)"),
        Damage(.objectHasRow, "DELETE FROM CheckOwner WHERE pk = 1"),
        Damage(.objectHasRow, "DELETE FROM SM_Link_CheckOwner_tags"),
        Damage(
            .objectHasRow,
            "INSERT INTO sm_object (pk, entity, state, record_name)"
                + " VALUES (900, 77, 'present', 'x')"),
        Damage(.rowHasEntity, "UPDATE CheckPart SET entity = 99"),
        Damage(.referenceHasDestination, "UPDATE CheckPart SET owner = 900"),
        Damage(
            .referenceHasDestination, "UPDATE CheckPart SET owner = (SELECT max(pk) FROM CheckPart)"
        ),
        Damage(.inverseAgrees, "UPDATE CheckOwner SET only = NULL"),
        Damage(.linkHasEnds, "UPDATE SM_Link_CheckOwner_tags SET target = target + 900"),
        Damage(
            .linkHasEnds,
            "UPDATE SM_Link_CheckOwner_tags SET source = (SELECT max(pk) FROM CheckPart)"
                + " WHERE pk = (SELECT max(pk) FROM SM_Link_CheckOwner_tags)"),
        Damage(.linkHasMirror, "DELETE FROM SM_Link_CheckOwner_friends WHERE is_mirror = 1"),
        Damage(
            .changeHasObject,
            "INSERT INTO sm_outbox (pk, kind, revision) VALUES (900, 'update', 1)"),
        Damage(.changeHasObject, "UPDATE sm_outbox SET kind = 'delete' WHERE pk = 1"),
        Damage(
            .deletionIsPending,
            "INSERT INTO sm_object (pk, entity, state, record_name)"
                + " VALUES (900, 1, 'deleted', 'x')"),
        Damage(.memberHasOrderKey, "UPDATE CheckPart SET owner_order = NULL"),
        Damage(.memberHasOrderKey, "UPDATE CheckPart SET owner_order = 'a-b'"),
        Damage(.memberHasOrderKey, "UPDATE CheckPart SET owner_order = 'a0'"),
        Damage(.sequenceIsAhead, "UPDATE sm_sequence SET next_pk = 1"),
        Damage(.sequenceIsAhead, "UPDATE sm_outbox SET revision = 900"),
    ]

    @Test("Damage is found and named", arguments: damages)
    func damage(_ damage: Damage) throws {
        let store = try Self.makeStore()
        try store.store.database().connection.execute(damage.statement)
        let violations = try store.store.checkInvariants()
        #expect(violations.contains { $0.rule == damage.rule }, "\(violations)")
        #expect(violations.allSatisfy { "\($0)".hasPrefix($0.rule.rawValue) })
    }

    @Test("Every rule except SQLite's own is broken by some damage")
    func everyRule() {
        let broken = Set(Self.damages.map(\.rule)).union([.soundFile])
        #expect(broken == Set(SMStoreViolation.Rule.allCases))
    }

    @Test("SQLite's own findings are listed")
    func unsoundFile() throws {
        let store = try Self.makeStore()
        let connection = try store.store.database().connection
        // A NULL in a NOT NULL column, which SQLite's own check reports.
        try connection.execute("CREATE TABLE strange (a)")
        try connection.execute("INSERT INTO strange VALUES (NULL)")
        try connection.execute("PRAGMA writable_schema = ON")
        try connection.execute(
            "UPDATE sqlite_master SET sql = 'CREATE TABLE strange (a NOT NULL)'"
                + " WHERE name = 'strange'")
        try connection.execute("PRAGMA writable_schema = RESET")
        let violations = try store.store.checkInvariants()
        #expect(violations.map(\.rule) == [.soundFile])
        #expect(violations.first?.reason.contains("strange") == true)
    }

    @Test("No more violations of a kind are listed than requested")
    func limit() throws {
        let store = try Self.makeStore()
        try store.store.database().connection.execute("UPDATE CheckPart SET owner = 900")
        let violations = try store.store.checkInvariants(limit: 2)
        #expect(violations.filter { $0.rule == .referenceHasDestination }.count == 2)
    }
}
