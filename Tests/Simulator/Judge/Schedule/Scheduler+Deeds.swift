import CloudKitService
import LocalCloud
import Seam3

/// Users' changes and failures.
extension Scheduler {
    // MARK: - Users

    /// A user's changes, in one or more saves.
    mutating func deed(_ device: Int) -> [Step] {
        switch pick(26) {
        case 0, 1, 2:
            let ident = newIdent()
            if chance(2) { hot.append(ident) }
            return [insertion(ident, device)]
        case 3...8:
            guard let ident = object("nlfctdei") else { return [] }
            return [.set(ident, device, values(of: ident))]
        case 9, 10: return deletion(device)
        case 11, 12: return link(device)
        case 13, 14: return placing(device)
        case 15, 16: return cover(device)
        case 17, 18: return hold(device)
        case 19:
            guard !holders.isEmpty else { return hold(device) }
            if chance(3) {
                let held = element(holders)
                return [.changeHeld(held.holder, held.device, heldChanges())]
            }
            let held = holders.remove(at: pick(holders.count))
            return [.saveHeld(held.holder, held.device)]
        case 20: return batch(device)
        case 21: return naturalKey(device)
        case 22: return several(device)
        case 23: return rarely(device)
        default: return [.save(pairing(anyNodes()), device)]
        }
    }

    mutating func deletion(_ device: Int) -> [Step] {
        guard let ident = object(element(["ntec", "lf", "n", "t", "i"])) else { return [] }
        var steps: [Step] = [.delete(ident, device)]
        if chance(3), ident.first == "t" || ident.first == "e" {
            steps.append(insertion(ident, device))
            if chance(2) { steps.append(.delete(ident, device)) }
        }
        return steps
    }

    /// An object that is created, deleted and created again.
    mutating func naturalKey(_ device: Int) -> [Step] {
        let ident = "t\(word())"
        hot.append(ident)
        switch pick(6) {
        case 5: return [seed(ident, device)]
        case 0: return [insertion(ident, device), .sync(device), .delete(ident, device)]
        case 1: return [.delete(ident, device), insertion(ident, device), .delete(ident, device)]
        case 2: return [insertion(ident, device), .set(ident, device, ["name": .text(word())])]
        case 3:
            let other = (device + 1) % setting.devices
            return [
                .insert(
                    .tag, ident, device,
                    ["name": .text(String(ident.dropFirst())), "x": .text("v\(next())")]),
                .insert(.tag, ident, other, ["name": .text(String(ident.dropFirst()))]),
            ]
        default: return [insertion(ident, device), .set(ident, device, values(of: ident))]
        }
    }

    /// A tag that an app writes by itself.
    mutating func seed(_ ident: String, _ device: Int) -> Step {
        if !idents.contains(ident) { idents.append(ident) }
        var values: [String: Value] = ["name": .text(String(ident.dropFirst()))]
        for name in ["x", "y"] where chance(2) { values[name] = .text("v\(next())") }
        return .seed(ident, device, values)
    }

    /// Default content and a user's version of the same tag, either of which may be on the server first.
    mutating func seedMeetsUser(_ device: Int, _ other: Int) -> [Step] {
        let ident = fresh("t")
        let name = Value.text(String(ident.dropFirst()))
        var (seeding, writing) = (
            [seed(ident, device)],
            [Step.insert(.tag, ident, other, ["name": name, "x": .text("v\(next())")])]
        )
        if chance(3) { seeding.append(.set(ident, device, ["y": .text("v\(next())")])) }
        if chance(3) { writing.append(.set(ident, other, ["y": .text("v\(next())")])) }
        if chance(2) { return seeding + [.sync(device)] + writing + [.sync(other)] }
        return writing + [.sync(other)] + seeding + [.sync(device)]
    }

    mutating func link(_ device: Int) -> [Step] {
        switch pick(3) {
        case 0:
            guard let node = object("n"), let other = object("n"), node != other else { return [] }
            return [.link(node, "friends", other, !chance(3), device)]
        case 1:
            guard let node = object("n"), let tag = object("t") else { return [] }
            return [.link(node, "tags", tag, !chance(3), device)]
        default:
            guard let list = object("l"), let node = object("n") else { return [] }
            return [.link(list, "picks", node, !chance(3), device)]
        }
    }

    mutating func placing(_ device: Int) -> [Step] {
        guard let list = object("l"), let node = object("n") else { return [] }
        let name = chance(3) ? "picks" : "nodes"
        return [.place(node, list, name, chance(2) ? 0 : pick(4), device)]
    }

    mutating func cover(_ device: Int) -> [Step] {
        guard let cover = object("c"), let node = object("n") else { return [] }
        return [
            chance(2)
                ? .set(cover, device, ["node": .object(node)])
                : .set(node, device, ["cover": .object(cover)])
        ]
    }

    mutating func hold(_ device: Int) -> [Step] {
        let holder = next()
        holders.append((holder, device))
        var changes = heldChanges()
        if chance(3) {
            let ident = fresh(element(["n", "c", "i"]))
            let (kind, values) = insertionValues(ident)
            changes.append(.insert(kind, ident, values))
        }
        return [
            .hold(
                holder, device, element([.object, .object, .store, .error, .overwrite, .rollback]),
                chance(3), changes)
        ]
    }

    /// Changes of existing objects.
    private mutating func heldChanges() -> [Change] {
        var changes: [Change] = []
        for _ in 0..<(1 + pick(2)) {
            guard let ident = object("nlctfi") else { continue }
            switch pick(7) {
            case 0: changes.append(.delete(ident))
            case 1: changes.append(.show(ident))
            case 2: changes += linkChange()
            default: changes.append(.set(ident, values(of: ident)))
            }
        }
        return changes
    }

    private mutating func linkChange() -> [Change] {
        switch link(0).first {
        case .link(let ident, let name, let other, let isThere, _):
            return [.link(ident, name, other, isThere: isThere)]
        default: return []
        }
    }

    mutating func several(_ device: Int) -> [Step] {
        var changes: [Change] = []
        for _ in 0..<(2 + pick(3)) {
            if chance(3) {
                let ident = fresh(element(["n", "c", "l", "i"]))
                let (kind, values) = insertionValues(ident)
                changes.append(.insert(kind, ident, values))
            } else if let ident = object("nlctfi") {
                changes.append(chance(6) ? .delete(ident) : .set(ident, values(of: ident)))
            }
        }
        if changes.isEmpty { return [] }
        switch pick(6) {
        case 0: return [.saveInChild(changes, device)]
        case 1: return [.saveAndUndo(changes, device, chance(2))]
        default: return [.save(changes, device)]
        }
    }

    mutating func batch(_ device: Int) -> [Step] {
        switch pick(3) {
        case 0: return [batchUpdate(device)]
        case 1:
            guard let ident = object("nci"), let root = Change.root(of: ident) else { return [] }
            return [.batchDelete(root, [ident], device)]
        default:
            let ident = fresh("n")
            idents.append(ident)
            return [
                .batchInsert(.node, [ident, fresh("n")], device, ["title": .text("v\(next())")])
            ]
        }
    }

    /// A new value for all objects with the initial value.
    private mutating func batchUpdate(_ device: Int) -> Step {
        switch pick(8) {
        case 6: return .batchSet(.item, device, "flag", .bool(chance(2)), .bool(chance(2)))
        case 7: return .batchSet(.item, device, "share", .double(0.25), .double(share()))
        case 0: return .batchSet(.node, device, "count", .int(7), .int(next()))
        case 1: return .batchSet(.tag, device, "x", .none, .text("v\(next())"))
        case 2: return .batchSet(.cover, device, "title", .none, .text("v\(next())"))
        default: return .batchSet(.node, device, "note", .text("-"), .text("v\(next())"))
        }
    }

    mutating func rarely(_ device: Int) -> [Step] {
        switch pick(8) {
        case 0, 1, 2: return [.resetCloudFields(device)]
        case 3, 4:
            guard let list = object("l") else { return [] }
            return [.insertMany(36, "n\(next())m", list, 1, device)]
        case 5:
            let size = 1_200_000
            return (0..<5).map { number in
                .insert(.node, fresh("n"), device, ["photo": .data(size + number)])
            }
        default:
            guard let ident = object("nt") else { return [] }
            return [.resetCloudFields(device), .delete(ident, device)]
        }
    }

    // MARK: - Failures

    mutating func code() -> ServerErrorCode {
        element([
            .networkFailure, .networkUnavailable, .internalError, .zoneBusy, .throttled,
            .serverResponseLost,
        ])
    }

    /// A failure during a device's next pass.
    mutating func fault(_ device: Int) -> Step? {
        switch setting.mode {
        case .lossy:
            if chance(5) { return within(device) }
            let kind: RequestKind = element([
                .modifyRecords, .modifyRecords, .modifyRecords, .fetchZoneChanges, .lookUpRecords,
                .uploadAsset, .downloadAsset, .modifyZones, .fetchDatabaseChanges,
            ])
            let isDone = chance(2)
            return .fail(
                kind, device, pick(2), 1 + pick(2), isDone, isDone ? .serverResponseLost : code(),
                chance(3) ? 30 : nil)
        case .kill: return .kill(device, 1 + pick(8))
        case .processes: return chance(3) ? within(device) : .switchProcess(device)
        case .clean: return chance(6) ? within(device) : nil
        default: return nil
        }
    }

    mutating func within(_ device: Int) -> Step {
        let step: Step
        if chance(3) {
            step = .sync((device + 1) % setting.devices)
        } else if let ident = object("nlcti") {
            step = chance(5) ? .delete(ident, device) : .set(ident, device, values(of: ident))
        } else {
            step = .insert(.node, fresh("n"), device, [:])
        }
        return .during(
            element([.modifyRecords, .fetchZoneChanges]), device, chance(2), step)
    }

    /// A longer failure.
    mutating func trouble(_ device: Int) {
        switch setting.mode {
        case .poison: poison()
        case .versions:
            upgraded.insert(device)
            steps.append(.upgrade(device, upgrade))
        case .account:
            steps.append(
                .happens(
                    element(Array(Fleet.Event.allCases) + [.signInAgain, .signInAgain]), device))
        case .hostile:
            let foreign: Fleet.Foreign = element(
                Fleet.Foreign.allCases.filter {
                    ![.deletingReference, .deleteWithCascade, .rewrite].contains($0)
                })
            let others: String
            switch foreign {
            case .wrongType: others = element(["t", "f", "c"])
            case .secondLink: others = "t"
            case .twoOwners, .halfOwner: others = "c"
            default: others = "nltfc"
            }
            let letter = [.pathAsData, .textAsNumber].contains(foreign) ? "c" : "n"
            guard let first = object(letter), let second = object(others) else { return }
            steps.append(.foreign(foreign, first, second))
        case .original:
            let foreign: Fleet.Foreign = element([
                .deletingReference, .deletingReference, .deleteWithCascade, .edit, .rewrite,
            ])
            let letters = foreign == .deleteWithCascade ? "ln" : foreign == .rewrite ? "nt" : "n"
            guard let first = object(letters), let second = object("lf") else { return }
            steps.append(.foreign(foreign, first, second))
        case .damage:
            let damage = element(Fleet.Damage.allCases)
            if damage == .fileName, let node = object("n") {
                steps.append(.set(node, device, ["photo": .data(200_000 + next())]))
            }
            steps.append(.damage(damage, device))
            if damage == .fileName, let node = object("n") {
                steps.append(
                    chance(2)
                        ? .delete(node, device) : .set(node, device, ["photo": photo()]))
            }
        case .copies, .backups, .lag, .uploaders, .schemaless: steps.append(misfortune(device))
        default: break
        }
    }

    mutating func poison() {
        let refusals: [ServerErrorCode] = [.serverRejectedRequest, .badRequest, .internalError]
        if chance(3), let size = photos.last {
            steps.append(.loseAsset(size, chance(3)))
        } else if let ident = object("nlcti") {
            let code = element(refusals)
            if !hasPostponed, chance(3) {
                hasPostponed = true
                steps.append(.refuseRecord(ident, element([.tryAgainLater, .zoneBusy]), false))
                return
            }
            steps.append(
                chance(2)
                    ? .refuseRequests(ident, code)
                    : .refuseRecord(ident, element([.badRequest, .quotaExceeded]), chance(2)))
        }
    }
}
