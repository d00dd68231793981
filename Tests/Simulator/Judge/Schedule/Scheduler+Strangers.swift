import CloudKitService
import Seam3

/// Steps that involve bad records, or records of other clients.
extension Scheduler {
    /// The server refuses a record, and another object is deleted on the same device.
    mutating func deletedBesideTheBad(_ device: Int) -> [Step] {
        let (bad, other) = (fresh(element(["n", "c"])), fresh(element(["n", "l", "d", "c"])))
        var steps = [insertion(other, device)]
        let isNew = chance(2)
        if !isNew { steps.append(insertion(bad, device)) }
        steps += [
            .catchUp,
            chance(2)
                ? .refuseRequests(bad, element([.badRequest, .serverRejectedRequest]))
                : .refuseRecord(bad, element([.badRequest, .quotaExceeded]), false),
            isNew ? insertion(bad, device) : .set(bad, device, ["title": .text("v\(next())")]),
        ]
        if chance(3) { steps.append(.sync(device)) }
        return steps + [.delete(other, device), .sync(device)]
    }

    /// The user of a newer version edits an attribute that an older version's record lacks, and the
    /// record gets a new version.
    mutating func editOfTheNewer(_ device: Int) -> [Step] {
        guard
            let old = (0..<setting.devices).first(where: { $0 != device && !upgraded.contains($0) })
        else { return [] }
        let ident = fresh("n")
        var steps: [Step] = []
        if upgraded.insert(device).inserted { steps.append(.upgrade(device, upgrade)) }
        steps += [
            .insert(.node, ident, old, ["title": .text("v\(next())")]), .catchUp,
            .set(
                ident, device,
                chance(3) ? ["subtitle": .text("v\(next())")] : ["rank": .int(100 + next())]),
        ]
        if chance(2) {
            steps.append(.foreign(.touch, ident, ident))
        } else {
            steps += [
                .set(ident, old, chance(2) ? ["title": text()] : ["count": .int(next())]),
                .sync(old),
            ]
        }
        return steps + [.sync(device)]
    }

    /// The user of a newer version removes a value that others have in another field, and then they get that
    /// version, too.
    mutating func removedByTheNewer(_ device: Int) -> [Step] {
        guard upgrade == .titleHasAnotherField,
            let old = (0..<setting.devices).first(where: { $0 != device && !upgraded.contains($0) })
        else { return editOfTheNewer(device) }
        let ident = fresh("n")
        let insertion: Step = .insert(.node, ident, old, ["title": .text("v\(next())")])
        var steps: [Step] = []
        if upgraded.insert(device).inserted {
            let upgrade: Step = .upgrade(device, upgrade)
            steps = chance(2) ? [insertion, .catchUp, upgrade] : [upgrade, insertion]
        } else {
            steps = [insertion]
        }
        steps += [.catchUp, .set(ident, device, ["title": .none]), .sync(device)]
        if chance(2) { steps.append(.sync(old)) }
        upgraded.insert(old)
        return steps + [.upgrade(old, upgrade), .sync(old), .sync(device)]
    }

    /// Another client writes invalid values into objects that devices have just created.
    mutating func stranger(_ device: Int, _ other: Int) -> [Step] {
        switch pick(4) {
        case 0:
            // Later changes arrive with it, or after it.
            let steps: [Step] = [
                .catchUp, .foreign(.longText, "n1", "n1"), insertion(fresh("n"), other),
            ]
            return steps + [.sync(other), .sync(device)]
        case 1:
            let (node, tag) = (fresh("n"), "t\(word())")
            var steps = [
                .insert(.node, node, device, [:]), insertion(tag, device),
                .link(node, "tags", tag, true, device), .catchUp,
                .foreign(.secondLink, node, tag),
            ]
            if chance(2) { steps.append(.syncAll) }
            if chance(2) {
                steps += [.link(node, "tags", tag, false, chance(2) ? device : other), .syncAll]
            }
            return steps
        default:
            let cover = fresh("c")
            let foreign: Fleet.Foreign = chance(2) ? .pathAsData : .textAsNumber
            var steps = [
                insertion(cover, device), .catchUp, .foreign(foreign, cover, cover),
                .sync(device), .sync(other),
            ]
            if chance(2) { steps += [.delete(cover, other), .sync(other)] }
            return steps
        }
    }
}
