/// Stories: steps on two devices in a certain order, with random variations and other random steps
/// before, between and after.
extension Scheduler {
    mutating func story(_ device: Int) -> [Step] {
        calmly(drawStory(device))
    }

    /// Steps during which a harsh server is kind, most of the time.
    mutating func calmly(_ steps: [Step]) -> [Step] {
        // With a harsh server, few stories go as intended.
        setting.harsh == nil || chance(3) ? steps : [.calm(true)] + steps + [.calm(false)]
    }

    private mutating func drawStory(_ device: Int) -> [Step] {
        let other = (device + 1) % setting.devices
        if chance(2) {
            switch setting.mode {
            case .poison: return deletedBesideTheBad(device)
            case .versions:
                switch pick(4) {
                case 0: return removedByTheNewer(device)
                case 1: return editOfTheNewer(device)
                default:
                    let steps = migrating(other)
                    if !steps.isEmpty { return steps }
                }
            case .account: return forgetting(device, other)
            case .hostile: return stranger(device, other)
            case .copies, .backups, .lag, .uploaders, .schemaless:
                return misfortunes(device, other)
            default: break
            }
        }
        if chance(5) { return chance(2) ? pairs(device, other) : sameKeys(device, other) }
        switch pick(setting.mode == .lossy ? 33 : 27) {
        case 26: return seedMeetsUser(device, other)
        case 0: return twoPartners(device, other)
        case 1: return savedAgain(device, other)
        case 2: return pointerToTheDeleted(device, other)
        case 3: return newPointer(device, other)
        case 4: return renamed(device, other)
        case 5: return setAndUnset(device, other)
        case 6: return bothEdit(device, other)
        case 7: return editedUnderWay(device)
        case 8: return takenBack(device)
        case 9, 10: return editedTwice(device, other)
        case 11: return deletedUnderWay(device, other)
        case 12, 13: return conflictUnderWay(device, other)
        case 14: return tiedMeanwhile(device)
        case 15: return manySaves(device)
        case 16, 17, 18: return echo(device, other)
        case 19, 20, 21, 22: return unseen(device, other)
        case 23, 24, 25, 27, 28: return lostAmongOthers(device, other)
        default: return lostAnswer(device, other)
        }
    }

    /// Two devices give different covers the same node.
    private mutating func twoPartners(_ device: Int, _ other: Int) -> [Step] {
        guard let node = object("n"), let first = object("c"), let second = object("c") else {
            return []
        }
        var steps: [Step] = [
            .syncAll, .set(first, device, ["node": .object(node)]),
            .set(second, other, ["node": .object(node)]),
        ]
        if chance(2) { steps.append(.during(.modifyRecords, device, false, .sync(other))) }
        return steps + [.sync(device)]
    }

    /// An unsaved edit of an object that another device deletes is saved, and then the object is
    /// deleted here, too.
    private mutating func savedAgain(_ device: Int, _ other: Int) -> [Step] {
        guard let ident = object("nlct") else { return [] }
        let holder = next()
        var steps: [Step] = [
            .syncAll, .hold(holder, device, .object, chance(3), [.set(ident, values(of: ident))]),
            .delete(ident, chance(2) ? device : other), .sync(other),
        ]
        if chance(2) { steps.append(.sync(device)) }
        steps.append(.saveHeld(holder, device))
        if chance(2) { steps.append(.sync(device)) }
        if chance(2) { steps.append(.delete(ident, device)) }
        return steps
    }

    /// A device adds a reference to an object that another device deletes.
    private mutating func pointerToTheDeleted(_ device: Int, _ other: Int) -> [Step] {
        guard let list = object("l"), let node = object("n") else { return [] }
        let steps: [Step] = [
            .syncAll, .delete(list, device), .set(node, other, ["list": .object(list)]),
        ]
        return steps + (chance(2) ? [.sync(device), .sync(other)] : [.sync(other), .sync(device)])
    }

    /// A new, unsaved object refers to an object that is deleted in the meantime.
    private mutating func newPointer(_ device: Int, _ other: Int) -> [Step] {
        guard let target = object("lnf") else { return [] }
        let (kind, name): (Kind, String)
        switch target.first {
        case "l": (kind, name) = (.node, "list")
        case "f": (kind, name) = (.node, "folder")
        default: (kind, name) = (.cover, "node")
        }
        let holder = next()
        let ident = fresh(kind == .node ? "n" : "c")
        return [
            .syncAll,
            .hold(
                holder, device, .object, chance(2),
                [.insert(kind, ident, [name: .object(target)])]),
            .delete(target, chance(2) ? device : other), .sync(other), .sync(device),
            .saveHeld(holder, device),
        ]
    }

    /// An object gets another key while a new one is created with the old key.
    private mutating func renamed(_ device: Int, _ other: Int) -> [Step] {
        let ident = "twork"
        var steps: [Step] = [insertion(ident, device), .sync(device)]
        if chance(2) { steps.append(.sync(other)) }
        steps += [.set(ident, device, ["name": .text("job")]), .sync(device)]
        if chance(2) { steps.append(insertion(ident, other)) }
        return steps + [.sync(other)]
    }

    /// Two devices create the same object, one with more values.
    private mutating func setAndUnset(_ device: Int, _ other: Int) -> [Step] {
        let name = word()
        return [
            .insert(.tag, "t\(name)", device, ["name": .text(name), "x": .text("v\(next())")]),
            .insert(.tag, "t\(name)", other, ["name": .text(name)]),
            .sync(chance(2) ? device : other), .syncAll,
        ]
    }

    /// Two devices edit one object.
    private mutating func bothEdit(_ device: Int, _ other: Int) -> [Step] {
        guard let ident = object("nlct") else { return [] }
        return [
            .syncAll, .set(ident, device, values(of: ident)),
            .set(ident, other, values(of: ident)), .sync(device), .sync(other),
        ]
    }
}
