import CloudKitService
import LocalCloud
import Seam3

/// Requests that the server carries out although their responses are lost.
extension Scheduler {
    /// The response to a device's request is lost.
    ///
    /// - Parameter skip: The number of requests before it.
    func lose(_ device: Int, skip: Int = 0) -> Step {
        .fail(.modifyRecords, device, skip, 1, true, .serverResponseLost, nil)
    }

    /// The response to a device's request is lost, and another device continues with its changes.
    mutating func lostAnswer(_ device: Int, _ other: Int) -> [Step] {
        var steps: [Step] = []
        let ident: String
        if chance(2) {
            ident = fresh("n")
            steps.append(insertion(ident, device))
        } else {
            guard let known = object("nlt") else { return [] }
            ident = known
            steps += [.syncAll, .set(ident, device, values(of: ident))]
        }
        steps += [
            lose(device), .sync(device), .sync(other),
            .set(ident, other, values(of: ident)), .sync(other),
        ]
        if chance(2) { steps.append(.set(ident, device, values(of: ident))) }
        return steps + [.sync(device)]
    }

    /// The response to an edit is lost, the same pass sends something else, and another device replaces the
    /// edit, which it has fetched.
    mutating func lostAmongOthers(_ device: Int, _ other: Int) -> [Step] {
        let (ident, begin) = shared("nlct", device)
        let (name, values) = property(of: ident)
        let beside = fresh(element(["n", "l"]))
        var steps = begin
        steps += [
            insertion(beside, device), .set(ident, device, [name: values[0]]), .catchUp,
            .set(ident, device, [name: values[1]]),
        ]
        switch pick(4) {
        case 0:
            // It is sent by the next round of the pass.
            let edit: Step = .set(beside, device, ["title": .text("v\(next())")])
            steps += [.during(.modifyRecords, device, true, edit), lose(device)]
        case 1:
            // The server refuses the request with both edits because of the other device's one.
            steps += [
                .set(beside, other, another(than: "title", of: beside)),
                .set(beside, device, ["title": .text("v\(next())")]),
                .during(.fetchZoneChanges, device, true, .sync(other)), lose(device, skip: pick(2)),
            ]
        default: steps += [.delete(beside, device), lose(device)]
        }
        // What follows the other request is not sent any more.
        if !chance(3) {
            steps.append(.fail(.modifyRecords, device, 1, 2, false, .networkFailure, nil))
        }
        steps.append(.sync(device))
        if chance(4) { steps.append(.set(ident, device, another(than: name, of: ident))) }
        return steps + [
            .sync(other), .set(ident, other, [name: values[chance(3) ? 2 : 0]]), .sync(other),
            .sync(device),
        ]
    }
}
