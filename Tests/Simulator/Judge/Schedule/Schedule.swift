import CloudKitService
import LocalCloud
import Seam3
import SeededRandom

/// What happens to a fleet, from its beginning on.
public struct Schedule: Sendable {
    public var setting: Setting
    public var steps: [Step]

    /// The schedule of a seed.
    ///
    /// - Parameters:
    ///   - mode: What goes wrong; nil to draw it.
    ///   - policy: The conflict policy; nil to draw it.
    public init(
        seed: UInt64, mode: Mode? = nil, policy: SMSyncConflictResolutionPolicy? = nil
    ) {
        var scheduler = Scheduler(seed: seed, mode: mode, policy: policy)
        steps = scheduler.makeSteps()
        setting = scheduler.setting
    }

    /// The schedule as a test.
    public func swift(seed: UInt64) -> String {
        let calls = steps.map { "    \($0.swift)" }.joined(separator: "\n")
        return """
            @Test func seed\(seed)() async throws {
                let fleet = try Fleet(\(setting.swift))
                defer { fleet.end() }
            \(calls)
                try await fleet.judge()
            }
            """
    }
}

/// Draws the steps of a schedule.
struct Scheduler {
    private(set) var setting: Setting
    private var random: SeededGenerator
    private var counter = 0
    private var steps: [Step] = []
    private var idents: [String] = []
    private var hot: [String] = []
    private var holders: [(holder: Int, device: Int)] = []
    private var photos: [Int] = []
    private var upgrade: ModelVersion = .second

    init(seed: UInt64, mode: Mode?, policy: SMSyncConflictResolutionPolicy?) {
        random = SeededGenerator(seed: seed)
        let drawn = Mode.allCases[Int(seed % UInt64(Mode.allCases.count))]
        setting = Setting(mode: mode ?? drawn)
        let policies = SMSyncConflictResolutionPolicy.allCases
        setting.policy = policy ?? policies[pick(policies.count)]
        setting.devices = chance(3) ? 3 : 2
        setting.pageSize = chance(3) ? 2 + pick(4) : 200
        if setting.mode == .versions {
            setting.version = .first
            upgrade = element([
                .second, .second, .memoIsSynchronised, .titleHasAnotherField, .noteIsEncrypted,
                .draftIsSynchronised,
            ])
        }
    }

    // MARK: - Chance

    mutating func pick(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }
    mutating func chance(_ one: Int) -> Bool { pick(one) == 0 }
    mutating func element<T>(_ elements: [T]) -> T { elements[pick(elements.count)] }
    private mutating func device() -> Int { pick(setting.devices) }

    mutating func next() -> Int {
        counter += 1
        return counter
    }

    // MARK: - The whole

    mutating func makeSteps() -> [Step] {
        if !chance(5) { begin() }
        let phases = 3 + pick(9)
        for _ in 0..<phases {
            if chance([.clean, .lossy, .kill].contains(setting.mode) ? 4 : 2) { trouble(device()) }
            phase()
        }
        while let held = holders.popLast() { steps.append(.saveHeld(held.holder, held.device)) }
        return steps
    }

    /// Objects that all devices have.
    private mutating func begin() {
        let first = device()
        for ident in ["l1", "f1", "n1", "n2", "n3", "c1", "c2"] where !chance(3) {
            steps.append(insertion(ident, first))
        }
        if chance(2) { steps.append(insertion("t\(word())", first)) }
        for node in ["n1", "n2", "n3"]
        where idents.contains(node) && idents.contains("l1") && chance(2) {
            steps.append(.set(node, first, ["list": .object("l1")]))
        }
        steps.append(.sync(first))
        for device in 0..<setting.devices where device != first { steps.append(.sync(device)) }
        hot = Array(idents.shuffled(using: &random).prefix(1 + pick(3)))
    }

    /// A user at a device for a while.
    private mutating func phase() {
        let device = device()
        if chance(4) { steps.append(contentsOf: story(device)) }
        for _ in 0..<(1 + pick(3)) { steps.append(contentsOf: deed(device)) }
        if chance(2), let fault = fault(device) { steps.append(fault) }
        switch pick(12) {
        case 0: steps.append(.relaunch(device))
        case 1: steps.append(.completeSync(device))
        case 2, 3: break
        case 4: steps.append(.syncAll)
        default: steps.append(.sync(device))
        }
    }

    // MARK: - Objects and values

    mutating func word() -> String { element(["work", "home", "fun"]) }

    /// A natural key's values are few, so that they meet.
    private mutating func day() -> Value { .date(element([86_400.5, 172_800, -1e9, 1e300])) }

    mutating func fresh(_ letter: String) -> String { "\(letter)\(next() + 10)" }

    mutating func object(_ letters: String) -> String? {
        let warm = hot.filter { $0.first.map(letters.contains) ?? false }
        if !warm.isEmpty, !chance(4) { return element(warm) }
        let all = idents.filter { $0.first.map(letters.contains) ?? false }
        return all.isEmpty ? nil : element(all)
    }

    private mutating func text() -> Value {
        switch pick(12) {
        case 0: return .none
        case 1: return .text("")
        case 2: return .text("../../important.data")
        case 3: return .longText(3000 + next())
        default: return .text("v\(next())")
        }
    }

    mutating func values(of ident: String) -> [String: Value] {
        switch ident.first {
        case "n":
            switch pick(13) {
            case 0, 1, 2: return ["title": text()]
            case 3: return ["count": .int(chance(5) ? .max : next())]
            case 4: return ["note": .text("v\(next())")]
            case 5: return ["due": .date(chance(6) ? 1e300 : Double(next()) * 1000.25)]
            case 6: return ["price": chance(3) ? .none : .decimal("\(next()).12345678901234567")]
            case 7: return ["secret": text()]
            case 8: return ["photo": photo()]
            case 9: return ["memo": text()]
            case 10 where setting.mode == .versions:
                return chance(2) ? ["rank": .int(100 + next())] : ["subtitle": text()]
            case 11: return ["list": reference("l")]
            case 12: return ["folder": reference("f")]
            default: return ["title": text(), "count": .int(next())]
            }
        case "l", "d": return ["title": text()]
        case "f":
            return chance(3) ? ["code": .text(element(["A", "B"]))] : ["title": text()]
        case "c": return chance(3) ? ["title": text()] : ["node": reference("n")]
        case "t":
            if chance(6) { return ["name": .text(word())] }
            return [element(["x", "y"]): text()]
        default: return chance(8) ? ["day": day()] : ["text": text()]
        }
    }

    private mutating func reference(_ letter: String) -> Value {
        guard !chance(4), let ident = object(letter) else { return .none }
        return .object(ident)
    }

    private mutating func photo() -> Value {
        if chance(5) { return .none }
        let size = (chance(2) ? 200_000 : 100) + next()
        photos.append(size)
        return .data(size)
    }

    mutating func insertion(_ ident: String, _ device: Int) -> Step {
        let (kind, values) = insertionValues(ident)
        return .insert(kind, ident, device, values)
    }

    private mutating func insertionValues(_ ident: String) -> (Kind, [String: Value]) {
        if !idents.contains(ident) { idents.append(ident) }
        switch ident.first {
        case "t":
            var values: [String: Value] = ["name": .text(String(ident.dropFirst()))]
            if chance(2) { values[element(["x", "y"])] = .text("v\(next())") }
            return (.tag, values)
        case "e":
            let seconds = Double(ident.dropFirst()) ?? 0
            return (.event, ["day": .date(seconds), "text": .text("v\(next())")])
        case "l": return (.list, ["title": .text("v\(next())")])
        case "f": return (.folder, ["title": .text("v\(next())")])
        case "c": return (.cover, chance(3) ? [:] : ["node": reference("n")])
        case "d": return (.draft, ["title": .text("v\(next())")])
        default:
            var values: [String: Value] = ["title": .text("v\(next())")]
            if chance(2) { values.merge(self.values(of: ident)) { $1 } }
            return (chance(4) ? .leaf : .node, values)
        }
    }

    private mutating func newIdent() -> String {
        switch pick(12) {
        case 0, 1, 2: return "t\(word())"
        case 3:
            guard case .date(let seconds) = day() else { return "e1" }
            return "e\(seconds)"
        case 4: return fresh("l")
        case 5: return fresh("f")
        case 6, 7: return fresh("c")
        case 8: return fresh("d")
        default: return fresh("n")
        }
    }

    // MARK: - Deeds

    /// What a user does, in one save or several.
    private mutating func deed(_ device: Int) -> [Step] {
        switch pick(24) {
        case 0, 1, 2:
            let ident = newIdent()
            if chance(2) { hot.append(ident) }
            return [insertion(ident, device)]
        case 3...8:
            guard let ident = object("nlfctde") else { return [] }
            return [.set(ident, device, values(of: ident))]
        case 9, 10: return deletion(device)
        case 11, 12: return link(device)
        case 13, 14: return placing(device)
        case 15, 16: return cover(device)
        case 17, 18: return hold(device)
        case 19:
            guard !holders.isEmpty else { return hold(device) }
            let held = holders.remove(at: pick(holders.count))
            return [.saveHeld(held.holder, held.device)]
        case 20: return batch(device)
        case 21: return naturalKey(device)
        case 22: return several(device)
        default: return rarely(device)
        }
    }

    private mutating func deletion(_ device: Int) -> [Step] {
        guard let ident = object(element(["ntec", "lf", "n", "t"])) else { return [] }
        var steps: [Step] = [.delete(ident, device)]
        if chance(3), ident.first == "t" || ident.first == "e" {
            steps.append(insertion(ident, device))
            if chance(2) { steps.append(.delete(ident, device)) }
        }
        return steps
    }

    /// The same thing made, deleted and made again.
    private mutating func naturalKey(_ device: Int) -> [Step] {
        let ident = "t\(word())"
        hot.append(ident)
        switch pick(5) {
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

    private mutating func link(_ device: Int) -> [Step] {
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

    private mutating func placing(_ device: Int) -> [Step] {
        guard let list = object("l"), let node = object("n") else { return [] }
        let name = chance(3) ? "picks" : "nodes"
        return [.place(node, list, name, chance(2) ? 0 : pick(4), device)]
    }

    private mutating func cover(_ device: Int) -> [Step] {
        guard let cover = object("c"), let node = object("n") else { return [] }
        return [
            chance(2)
                ? .set(cover, device, ["node": .object(node)])
                : .set(node, device, ["cover": .object(cover)])
        ]
    }

    private mutating func hold(_ device: Int) -> [Step] {
        let holder = next()
        holders.append((holder, device))
        var changes: [Change] = []
        for _ in 0..<(1 + pick(2)) {
            guard let ident = object("nlctf") else { continue }
            changes.append(chance(7) ? .delete(ident) : .set(ident, values(of: ident)))
        }
        if chance(3) {
            let ident = fresh(element(["n", "c"]))
            let (kind, values) = insertionValues(ident)
            changes.append(.insert(kind, ident, values))
        }
        return [
            .hold(
                holder, device, element([.object, .object, .store, .error, .overwrite, .rollback]),
                chance(3), changes)
        ]
    }

    private mutating func several(_ device: Int) -> [Step] {
        var changes: [Change] = []
        for _ in 0..<(2 + pick(3)) {
            if chance(3) {
                let ident = fresh(element(["n", "c", "l"]))
                let (kind, values) = insertionValues(ident)
                changes.append(.insert(kind, ident, values))
            } else if let ident = object("nlctf") {
                changes.append(chance(6) ? .delete(ident) : .set(ident, values(of: ident)))
            }
        }
        return changes.isEmpty ? [] : [.save(changes, device)]
    }

    private mutating func batch(_ device: Int) -> [Step] {
        switch pick(3) {
        case 0: return [.batchSet(.node, device, "note", .text("-"), .text("v\(next())"))]
        case 1:
            guard let ident = object("nc"), let root = Change.root(of: ident) else { return [] }
            return [.batchDelete(root, [ident], device)]
        default:
            let ident = fresh("n")
            idents.append(ident)
            return [
                .batchInsert(.node, [ident, fresh("n")], device, ["title": .text("v\(next())")])
            ]
        }
    }

    private mutating func rarely(_ device: Int) -> [Step] {
        switch pick(9) {
        case 0, 1, 2: return [.resetCloudFields(device)]
        case 3, 4:
            guard let list = object("l") else { return [] }
            return [.insertMany(36, "n\(next())m", list, 1, device)]
        case 5 where setting.mode == .clean && chance(4):
            guard let ident = object("n") else { return [] }
            return [.burst(device, ident)]
        case 6:
            let size = 1_200_000
            return (0..<5).map { number in
                .insert(.node, fresh("n"), device, ["photo": .data(size + number)])
            }
        default:
            guard let ident = object("nt") else { return [] }
            return [.resetCloudFields(device), .delete(ident, device)]
        }
    }

    // MARK: - Trouble

    private mutating func code() -> ServerErrorCode {
        element([
            .networkFailure, .networkUnavailable, .internalError, .zoneBusy, .throttled,
            .serverResponseLost,
        ])
    }

    /// What may go wrong with a device's next pass.
    private mutating func fault(_ device: Int) -> Step? {
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

    private mutating func within(_ device: Int) -> Step {
        let step: Step
        if chance(3) {
            step = .sync((device + 1) % setting.devices)
        } else if let ident = object("nlct") {
            step = chance(5) ? .delete(ident, device) : .set(ident, device, values(of: ident))
        } else {
            step = .insert(.node, fresh("n"), device, [:])
        }
        return .during(
            element([.modifyRecords, .fetchZoneChanges]), device, chance(2), step)
    }

    /// What goes wrong for longer.
    private mutating func trouble(_ device: Int) {
        switch setting.mode {
        case .poison: poison()
        case .versions: steps.append(.upgrade(device, upgrade))
        case .account:
            steps.append(
                .happens(
                    element(Array(Fleet.Event.allCases) + [.signInAgain, .signInAgain]), device))
        case .hostile:
            let foreign: Fleet.Foreign = element(
                Fleet.Foreign.allCases.filter {
                    ![.deletingReference, .deleteWithCascade].contains($0)
                })
            let others: String
            switch foreign {
            case .wrongType: others = element(["t", "f", "c"])
            case .secondLink: others = "t"
            case .twoOwners, .halfOwner: others = "c"
            default: others = "nltfc"
            }
            guard let first = object("n"), let second = object(others) else { return }
            steps.append(.foreign(foreign, first, second))
        case .original:
            let foreign: Fleet.Foreign = element([
                .deletingReference, .deletingReference, .deleteWithCascade, .edit,
            ])
            let letters = foreign == .deleteWithCascade ? "ln" : "n"
            guard let first = object(letters), let second = object("lf") else { return }
            steps.append(.foreign(foreign, first, second))
        case .damage:
            steps.append(.damage(element(Fleet.Damage.allCases), device))
        default: break
        }
    }

    private mutating func poison() {
        let refusals: [ServerErrorCode] = [.serverRejectedRequest, .badRequest, .internalError]
        if chance(3), let size = photos.last {
            steps.append(.loseAsset(size, chance(3)))
        } else if let ident = object("nlct") {
            let code = element(refusals)
            steps.append(
                chance(2)
                    ? .refuseRequests(ident, code) : .refuseRecord(ident, .badRequest, chance(2)))
        }
    }
}
