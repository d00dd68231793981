import CoreData
import LocalCloud
import Seam3
import Testing

/// A new model orders a relationship.
@Suite("A relationship that becomes ordered") struct NewOrderTests {
    enum Kind: CaseIterable {
        case oneToMany, manyToMany, ownInverse
    }

    private static func model(_ kind: Kind, isOrdered: Bool) -> NSManagedObjectModel {
        let person = NSEntityDescription(
            "Person", [NSAttributeDescription("name", .stringAttributeType)])
        guard kind != .ownInverse else {
            NSRelationshipDescription.addOwnInverse("members", 0, to: person)
            person.relationshipsByName["members"]?.isOrdered = isOrdered
            return NSManagedObjectModel(person)
        }
        let member = NSEntityDescription(
            "Member", [NSAttributeDescription("name", .stringAttributeType)])
        NSRelationshipDescription.join(
            (person, "members", 0), (member, "owner", kind == .oneToMany ? 1 : 0))
        person.relationshipsByName["members"]?.isOrdered = isOrdered
        return NSManagedObjectModel(person, member)
    }

    private func order(_ device: Device) throws -> [String] {
        try device.read { context in
            let owner = try Device.objects("Person", ["owner"], in: context).first
            let members = owner?.value(forKey: "members") as? NSOrderedSet
            return (members?.array ?? []).compactMap {
                ($0 as? NSManagedObject)?.value(forKey: "name") as? String
            }
        }
    }

    @Test(
        "has an order that lasts, before the first sync and after it", arguments: Kind.allCases,
        [true, false])
    func lasting(kind: Kind, isSynced: Bool) async throws {
        let cloud = LocalCloud.inMemory()
        let new = Self.model(kind, isOrdered: true)
        let device = try Device("a", on: cloud, model: Self.model(kind, isOrdered: false))
        try device.edit { context in
            let owner = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
            owner.setValue("owner", forKey: "name")
            let members = (0..<5).map { number in
                let member = NSEntityDescription.insertNewObject(
                    forEntityName: kind == .ownInverse ? "Person" : "Member", into: context)
                member.setValue("\(number)", forKey: "name")
                return member
            }
            owner.setValue(NSSet(array: members), forKey: "members")
        }
        if isSynced { try await device.store.sync() }
        try device.relaunch(model: new)
        #expect(try device.store.checkInvariants().isEmpty)
        let shown = try order(device)
        #expect(Set(shown) == ["0", "1", "2", "3", "4"])
        try device.relaunch(model: new)
        #expect(try order(device) == shown)
        let other = try Device("b", on: cloud, model: new)
        try await Device.settle(device, other)
        for device in [device, other] {
            #expect(try order(device) == shown)
            #expect(try device.store.checkInvariants().isEmpty)
        }
    }
}
