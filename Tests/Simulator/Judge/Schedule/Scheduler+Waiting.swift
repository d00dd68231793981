import LocalCloud
import Seam3

/// Edits that are waiting or being sent, without other changes of the same property.
extension Scheduler {
    /// An object that all devices have. Half of the time it is a new object, which no other steps
    /// use.
    mutating func shared(_ letters: String, _ device: Int) -> (ident: String, steps: [Step]) {
        let together: Step = chance(4) ? .syncAll : .catchUp
        if chance(2), let ident = object(letters) { return (ident, [together]) }
        let ident = fresh(letters.contains("n") && !chance(4) ? "n" : element(["l", "c", "n"]))
        return (ident, [insertion(ident, device), together])
    }

    /// A property of an object, and three values for it.
    mutating func property(of ident: String) -> (name: String, values: [Value]) {
        let numbers = (0..<3).map { _ in next() }
        let texts = numbers.map { Value.text("v\($0)") }
        switch ident.first {
        case "n":
            switch pick(7) {
            case 0: return ("count", numbers.map { .int($0) })
            case 1: return ("due", numbers.map { .date(Double($0) * 1000.25) })
            case 2: return ("price", numbers.map { .decimal("\($0).12345678901234567") })
            default: return (element(["title", "note", "secret", "title"]), texts)
            }
        case "t": return (element(["x", "y"]), texts)
        case "e": return ("text", texts)
        default: return ("title", texts)
        }
    }

    /// Another property of an object, and a value for it.
    mutating func another(than name: String, of ident: String) -> [String: Value] {
        switch ident.first {
        case "n":
            return name == "count" ? ["title": .text("v\(next())")] : ["count": .int(next())]
        case "t": return [name == "x" ? "y" : "x": .text("v\(next())")]
        case "c": return ["node": reference("n")]
        default: return [name: .text("v\(next())")]
        }
    }

    /// An object is edited again while its edit is being sent.
    mutating func editedUnderWay(_ device: Int) -> [Step] {
        var (ident, steps) = shared("nlct", device)
        let (name, values) = property(of: ident)
        if chance(3) {
            ident = fresh("n")
            steps = [.catchUp, insertion(ident, device)]
        } else {
            steps.append(.set(ident, device, [name: values[0]]))
        }
        let again = chance(3) ? another(than: name, of: ident) : [name: values[1]]
        let change: Step = chance(5) ? .delete(ident, device) : .set(ident, device, again)
        return steps + [.during(.modifyRecords, device, chance(2), change), .sync(device)]
    }

    /// An edit that has reached the server, without the device knowing, is reverted.
    mutating func takenBack(_ device: Int) -> [Step] {
        let (ident, begin) = shared("nlct", device)
        let (name, values) = property(of: ident)
        let back: Step = .set(ident, device, [name: values[0]])
        let steps: [Step] =
            begin + [back, .catchUp, .set(ident, device, [name: values[1]])]
        if chance(3) {
            return steps + [.during(.modifyRecords, device, chance(2), back), .sync(device)]
        }
        return steps + [lose(device), .sync(device), back, .sync(device)]
    }

    /// Two edits of a property wait, and the value before the first one is the base value. The
    /// object has a new version on the server, with the property unchanged.
    mutating func editedTwice(_ device: Int, _ other: Int) -> [Step] {
        let (ident, begin) = shared("nlct", device)
        let (name, values) = property(of: ident)
        var steps: [Step] =
            begin + [.set(ident, device, [name: values[0]]), .catchUp]
        for value in values.dropFirst() { steps.append(.set(ident, device, [name: value])) }
        if chance(4) { steps.append(.set(ident, device, [name: values[0]])) }
        if chance(2) {
            steps.append(.foreign(.touch, ident, ident))
        } else {
            steps += [.set(ident, other, another(than: name, of: ident)), .sync(other)]
        }
        return steps + [.sync(device)]
    }

    /// Another device deletes an object while an edit of it is being sent.
    mutating func deletedUnderWay(_ device: Int, _ other: Int) -> [Step] {
        let (ident, begin) = shared("nct", device)
        let (name, values) = property(of: ident)
        return begin + [
            .catchUp, .set(ident, device, [name: values[0]]), .delete(ident, other),
            .during(.modifyRecords, device, false, .sync(other)), .sync(device),
        ]
    }

    /// Another device's edit arrives while an edit is being sent, and the server's conflict error
    /// is incomplete.
    mutating func conflictUnderWay(_ device: Int, _ other: Int) -> [Step] {
        var (ident, steps) = shared("nct", device)
        if chance(2) {
            ident = fresh("n")
            steps = [insertion(ident, device)]
        }
        var (name, values) = property(of: ident)
        if ident.first == "n", !chance(3) {
            name = "secret"
            values = values.indices.map { _ in .text("v\(next())") }
        }
        let mine = chance(3) ? [name: values[2]] : another(than: name, of: ident)
        let parts = Fault.ConflictPart.allCases.filter { $0 == .encryptedValues || chance(3) }
        return steps + [
            .set(ident, device, [name: values[0]]), .catchUp,
            .set(ident, other, [name: values[1]]), .set(ident, device, mine),
            .conflictsLack(parts, device),
            .during(.modifyRecords, device, false, .sync(other)), .sync(device),
        ]
    }

    /// A context deletes an object to which another context has added a reference in the meantime.
    mutating func tiedMeanwhile(_ device: Int) -> [Step] {
        let holder = next()
        let (ident, target, tie): (String, String, Step)
        switch pick(4) {
        case 0:
            (ident, target) = (fresh("n"), fresh("l"))
            tie = .set(ident, device, ["list": .object(target)])
        case 1:
            (ident, target) = (fresh("n"), fresh("f"))
            tie = .set(ident, device, ["folder": .object(target)])
        case 2:
            (ident, target) = (fresh("c"), fresh("n"))
            tie = .set(ident, device, ["node": .object(target)])
        default:
            (ident, target) = (fresh("n"), fresh("n"))
            tie = .link(ident, "friends", target, true, device)
        }
        var steps = [insertion(ident, device), insertion(target, device)]
        if chance(2) { steps.append(.sync(device)) }
        steps += [
            .hold(holder, device, element([.object, .overwrite]), chance(4), [.delete(target)]),
            tie,
        ]
        if chance(3) { steps.append(.sync(device)) }
        return steps + [.saveHeld(holder, device), .sync(device)]
    }

    /// Many saves in a short time, at one position of a list or while the store syncs
    /// automatically.
    mutating func manySaves(_ device: Int) -> [Step] {
        if ![.kill, .processes].contains(setting.mode), chance(5), let ident = object("nlct") {
            return [.calm(true), .burst(device, ident), .calm(false)]
        }
        let list = fresh("l")
        var steps = [insertion(list, device)]
        for _ in 0..<2 {
            steps.append(.insert(.node, fresh("n"), device, ["list": .object(list)]))
        }
        return steps + [
            chance(3)
                ? .crowd(200, "n\(next())k", list, device)
                : .insertMany(12, "n\(next())m", list, 1, device),
            .sync(device),
        ]
    }
}
