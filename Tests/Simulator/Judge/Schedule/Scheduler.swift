import CloudKitService
import LocalCloud
import Seam3
import SeededRandom

/// Generates the steps of a schedule.
struct Scheduler {
    var setting: Setting
    var random: SeededGenerator
    var counter = 0
    var steps: [Step] = []
    var idents: [String] = []
    var hot: [String] = []
    var holders: [(holder: Int, device: Int)] = []
    var photos: [Int] = []
    /// Whether the server always answers a record with a temporary error.
    var hasPostponed = false
    var upgrade: ModelVersion = .second
    var upgraded: Set<Int> = []

    init(seed: UInt64, mode: Mode?, policy: SMSyncConflictResolutionPolicy?) {
        random = SeededGenerator(seed: seed)
        let drawn = Mode.allCases[Int(seed % UInt64(Mode.allCases.count))]
        setting = Setting(mode: mode ?? drawn)
        let policies = SMSyncConflictResolutionPolicy.allCases
        setting.policy = policy ?? policies[pick(policies.count)]
        drawEntityPolicy(unless: policy != nil)
        setting.devices = chance(3) ? 3 : 2
        setting.pageSize = chance(3) ? 1 : chance(3) ? 2 + pick(4) : 200
        // Not the same in all schedules of a mode.
        let turn = seed + seed / UInt64(Mode.allCases.count)
        if turn % 3 == 1 { setting.stepLimit = 1 + Int(turn / 3 % 3) }
        setting.harsh = seed % 5 == (seed / 10) % 5 ? nil : seed
        if setting.mode == .schemaless {
            let some = Kind.allCases.filter { _ in chance(2) }
            setting.stampless = chance(2) || some.isEmpty ? Kind.allCases : some
        }
        if setting.mode == .versions {
            setting.version = .first
            upgrade = element([
                .second, .second, .memoIsSynced, .titleHasAnotherField, .titleHasAnotherField,
                .noteIsEncrypted, .draftIsSynced,
            ])
        }
    }

    /// One fleet in three has another policy for an entity.
    private mutating func drawEntityPolicy(unless isGiven: Bool) {
        guard chance(3), !isGiven else { return }
        let kind: Kind = element([.node, .node, .cover, .item, .list, .tag])
        setting.entityPolicies = [kind: element(SMSyncConflictResolutionPolicy.allCases)]
    }

    // MARK: - Chance

    mutating func pick(_ limit: Int) -> Int { Int.random(in: 0..<max(1, limit), using: &random) }
    mutating func chance(_ one: Int) -> Bool { pick(one) == 0 }
    mutating func element<T>(_ elements: [T]) -> T { elements[pick(elements.count)] }
    mutating func device() -> Int { pick(setting.devices) }

    mutating func next() -> Int {
        counter += 1
        return counter
    }

    // MARK: - The schedule

    mutating func makeSteps() -> [Step] {
        if !chance(5) { begin() }
        if setting.mode == .versions, upgrade == .memoIsSynced, chance(2) {
            // Later, few devices have the older model.
            let device = device()
            steps += calmly(firstValue(device, (device + 1) % setting.devices))
        }
        let phases = 3 + pick(9)
        for _ in 0..<phases {
            if chance([.clean, .lossy, .kill].contains(setting.mode) ? 4 : 2) { trouble(device()) }
            phase()
        }
        while let held = holders.popLast() { steps.append(.saveHeld(held.holder, held.device)) }
        return steps
    }

    /// Objects that all devices have.
    mutating func begin() {
        let first = device()
        for ident in ["l1", "f1", "n1", "n2", "n3", "c1", "c2", "i1", "i2"] where !chance(3) {
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

    /// A session of a user at a device.
    mutating func phase() {
        let device = device()
        let hasStory = chance(3)
        if hasStory { steps.append(contentsOf: story(device)) }
        for _ in 0..<((hasStory ? 0 : 1) + pick(3)) { steps.append(contentsOf: deed(device)) }
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

    /// There are few natural keys, so that they coincide.
    mutating func day() -> Value { .date(element([86_400.5, 172_800, -1e9, 1e300])) }

    mutating func fresh(_ letter: String) -> String { "\(letter)\(next() + 10)" }

    mutating func object(_ letters: String) -> String? {
        let warm = hot.filter { $0.first.map(letters.contains) ?? false }
        if !warm.isEmpty, !chance(4) { return element(warm) }
        let all = idents.filter { $0.first.map(letters.contains) ?? false }
        return all.isEmpty ? nil : element(all)
    }

    mutating func text() -> Value {
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
            switch pick(14) {
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
            case 13: return ["partner": reference("n")]
            default: return ["title": text(), "count": .int(next())]
            }
        case "l", "d": return ["title": text()]
        case "f":
            return chance(3) ? ["code": .text(element(["A", "B"]))] : ["title": text()]
        case "c": return chance(3) ? ["title": text()] : ["node": reference("n")]
        case "t":
            if chance(6) { return ["name": .text(word())] }
            return [element(["x", "y"]): text()]
        case "i": return itemValues()
        default: return chance(8) ? ["day": day()] : ["text": text()]
        }
    }

    mutating func reference(_ letter: String) -> Value {
        guard !chance(4), let ident = object(letter) else { return .none }
        return .object(ident)
    }

    mutating func photo() -> Value {
        if chance(5) { return .none }
        // Empty data differs from nil.
        if chance(12) { return .data(0) }
        let size = (chance(2) ? 200_000 : 100) + next()
        photos.append(size)
        return .data(size)
    }

    mutating func insertion(_ ident: String, _ device: Int) -> Step {
        let (kind, values) = insertionValues(ident)
        return .insert(kind, ident, device, values)
    }

    mutating func insertionValues(_ ident: String) -> (Kind, [String: Value]) {
        if !idents.contains(ident) { idents.append(ident) }
        switch ident.first {
        case "t":
            var values: [String: Value] = ["name": .text(String(ident.dropFirst()))]
            if chance(2) { values[element(["x", "y"])] = .text("v\(next())") }
            return (.tag, values)
        case "e":
            let seconds = Double(ident.dropFirst()) ?? 0
            // Dates within a millisecond are the same key.
            let day = Value.date(seconds + (chance(2) ? 0.0002 : 0))
            return (.event, ["day": day, "text": .text("v\(next())")])
        case "l": return (.list, ["title": .text("v\(next())")])
        case "f": return (.folder, ["title": .text("v\(next())")])
        case "c": return (.cover, chance(3) ? [:] : ["node": reference("n")])
        case "d": return (.draft, ["title": .text("v\(next())")])
        case "i":
            var values: [String: Value] = chance(2) ? ["title": .text("v\(next())")] : [:]
            for _ in 0..<pick(5) { values.merge(itemValues()) { $1 } }
            return (.item, values)
        default:
            var values: [String: Value] = ["title": .text("v\(next())")]
            if chance(2) { values.merge(self.values(of: ident)) { $1 } }
            return (chance(4) ? .leaf : .node, values)
        }
    }

    mutating func newIdent() -> String {
        switch pick(14) {
        case 0, 1, 2: return "t\(word())"
        case 3:
            guard case .date(let seconds) = day() else { return "e1" }
            return "e\(seconds)"
        case 4: return fresh("l")
        case 5: return fresh("f")
        case 6, 7: return fresh("c")
        case 8: return fresh("d")
        case 9, 10: return fresh("i")
        default: return fresh("n")
        }
    }
}
