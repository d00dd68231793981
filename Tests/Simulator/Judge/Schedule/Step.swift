import CloudKitService
import LocalCloud
import Seam3

/// One step of a schedule: a call of a method of ``Fleet``.
public indirect enum Step: Sendable {
    case insert(Kind, String, Int, [String: Value])
    case set(String, Int, [String: Value])
    case delete(String, Int)
    case save([Change], Int)
    case place(String, String, String, Int, Int)
    case link(String, String, String, Bool, Int)
    case insertMany(Int, String, String, Int, Int)
    case crowd(Int, String, String, Int)
    case hold(Int, Int, Trump, Bool, [Change])
    case changeHeld(Int, Int, [Change])
    case saveHeld(Int, Int)
    case saveInChild([Change], Int)
    case saveAndUndo([Change], Int, Bool)
    case batchSet(Kind, Int, String, Value, Value)
    case batchDelete(Kind, [String], Int)
    case batchInsert(Kind, [String], Int, [String: Value])
    case seed(String, Int, [String: Value])
    case sync(Int)
    case completeSync(Int)
    case syncAll
    case catchUp
    case calm(Bool)
    case relaunch(Int)
    case resetCloudFields(Int)
    case burst(Int, String)
    case during(RequestKind, Int, Bool, Step)
    case fail(RequestKind, Int, Int, Int, Bool, ServerErrorCode, Double?)
    case refuseRequests(String, ServerErrorCode)
    case refuseRecord(String, ServerErrorCode, Bool)
    case conflictsLack([Fault.ConflictPart], Int)
    case loseAsset(Int, Bool)
    case kill(Int, Int)
    case switchProcess(Int)
    case upgrade(Int, ModelVersion)
    case happens(Fleet.Event, Int)
    case damage(Fleet.Damage, Int)
    case foreign(Fleet.Foreign, String, String)
    case copyFile(Int, Int)
    case backUp(Int)
    case restore(Int)
    case lag(Int, Int, Int)
    case deploySchema

    /// Executes the step.
    func perform(on fleet: Fleet) async throws {
        switch self {
        case .insert(let kind, let ident, let device, let values):
            try await fleet.insert(kind, ident, on: device, values)
        case .set(let ident, let device, let values):
            try await fleet.set(ident, on: device, values)
        case .delete(let ident, let device): try await fleet.delete(ident, on: device)
        case .save(let changes, let device): try await fleet.save(changes, on: device)
        case .place(let member, let owner, let name, let index, let device):
            try await fleet.place(member, in: owner, name, at: index, on: device)
        case .link(let ident, let name, let other, let isThere, let device):
            try await fleet.link(ident, name, other, isThere: isThere, on: device)
        case .insertMany(let count, let prefix, let list, let index, let device):
            try await fleet.insertMany(count, prefix, in: list, at: index, on: device)
        case .crowd(let count, let prefix, let list, let device):
            try await fleet.crowd(count, prefix, in: list, on: device)
        case .hold(let holder, let device, let trump, let follows, let changes):
            try await fleet.hold(holder, on: device, trump: trump, follows: follows, changes)
        case .changeHeld(let holder, let device, let changes):
            try await fleet.changeHeld(holder, on: device, changes)
        case .saveHeld(let holder, let device): try await fleet.saveHeld(holder, on: device)
        case .batchSet(let kind, let device, let name, let former, let value):
            try await fleet.batchSet(kind, on: device, name, from: former, to: value)
        case .batchDelete(let kind, let idents, let device):
            try await fleet.batchDelete(kind, idents, on: device)
        case .batchInsert(let kind, let idents, let device, let values):
            try await fleet.batchInsert(kind, idents, on: device, values)
        case .seed(let ident, let device, let values):
            try await fleet.seed(ident, on: device, values)
        default: try await performRest(on: fleet)
        }
    }

    private func performRest(on fleet: Fleet) async throws {
        switch self {
        case .saveInChild(let changes, let device):
            try await fleet.saveInChild(changes, on: device)
        case .saveAndUndo(let changes, let device, let syncs):
            try await fleet.saveAndUndo(changes, on: device, syncs: syncs)
        case .sync(let device): try await fleet.sync(device)
        case .completeSync(let device): try await fleet.sync(device, complete: true)
        case .syncAll: try await fleet.syncAll()
        case .catchUp: try await fleet.catchUp()
        case .calm(let isCalm): try await fleet.calm(isCalm)
        case .relaunch(let device): try await fleet.relaunch(device)
        case .resetCloudFields(let device): try await fleet.resetCloudFields(device)
        case .burst(let device, let ident): try await fleet.burst(device, ident)
        case .during(let kind, let device, let afterwards, let step):
            try await fleet.during(kind, of: device, afterwards: afterwards, step)
        case .fail(let kind, let device, let skip, let times, let done, let code, let delay):
            try await fleet.fail(
                kind, of: device, skip: skip, times: times, done: done, code, retryAfter: delay)
        case .refuseRequests(let ident, let code):
            try await fleet.refuseRequests(with: ident, code)
        case .refuseRecord(let ident, let code, let once):
            try await fleet.refuseRecord(of: ident, code, once: once)
        case .conflictsLack(let parts, let device):
            try await fleet.conflictsLack(parts, for: device)
        case .loseAsset(let size, let once): try await fleet.loseAsset(ofSize: size, once: once)
        case .kill(let device, let count): try await fleet.kill(device, atCommit: count)
        case .switchProcess(let device): try await fleet.switchProcess(device)
        case .upgrade(let device, let version): try await fleet.upgrade(device, to: version)
        case .happens(let event, let device): try await fleet.happens(event, on: device)
        case .damage(let damage, let device): try await fleet.damage(damage, on: device)
        case .foreign(let foreign, let ident, let other):
            try await fleet.foreign(foreign, ident, other)
        case .copyFile(let device, let other): try await fleet.copyFile(of: device, to: other)
        case .backUp(let device): try await fleet.backUp(device)
        case .restore(let device): try await fleet.restore(device)
        case .lag(let device, let behind, let times):
            try await fleet.lag(device, behind: behind, times: times)
        case .deploySchema: try await fleet.deploySchema()
        default: break
        }
    }
}

extension Step {
    /// The call as Swift code.
    public var swift: String { "try await fleet.\(call)" }

    private static func quote(_ text: String) -> String { text.debugDescription }

    private static func code(_ code: ServerErrorCode) -> String {
        "ServerErrorCode(rawValue: \(quote(code.rawValue)))"
    }

    /// The step as a value, for a step within another.
    private var literal: String {
        let quote = Self.quote
        switch self {
        case .set(let ident, let device, let values):
            return ".set(\(quote(ident)), \(device), \(values.swift))"
        case .delete(let ident, let device): return ".delete(\(quote(ident)), \(device))"
        case .sync(let device): return ".sync(\(device))"
        case .insert(let kind, let ident, let device, let values):
            return ".insert(.\(kind), \(quote(ident)), \(device), \(values.swift))"
        case .save(let changes, let device):
            return ".save([\(changes.map(\.swift).joined(separator: ", "))], \(device))"
        case .link(let ident, let name, let other, let isThere, let device):
            return ".link(\(quote(ident)), \(quote(name)), \(quote(other)), \(isThere), \(device))"
        case .place(let member, let owner, let name, let index, let device):
            return ".place(\(quote(member)), \(quote(owner)), \(quote(name)), \(index),"
                + " \(device))"
        case .saveHeld(let holder, let device): return ".saveHeld(\(holder), \(device))"
        default: return ".syncAll"
        }
    }

    private var call: String {
        let quote = Self.quote
        switch self {
        case .insert(let kind, let ident, let device, let values):
            return "insert(.\(kind), \(quote(ident)), on: \(device), \(values.swift))"
        case .set(let ident, let device, let values):
            return "set(\(quote(ident)), on: \(device), \(values.swift))"
        case .delete(let ident, let device): return "delete(\(quote(ident)), on: \(device))"
        case .save(let changes, let device):
            return "save([\(changes.map(\.swift).joined(separator: ", "))], on: \(device))"
        case .place(let member, let owner, let name, let index, let device):
            return "place(\(quote(member)), in: \(quote(owner)), \(quote(name)), at: \(index),"
                + " on: \(device))"
        case .link(let ident, let name, let other, let isThere, let device):
            return "link(\(quote(ident)), \(quote(name)), \(quote(other)), isThere: \(isThere),"
                + " on: \(device))"
        case .insertMany(let count, let prefix, let list, let index, let device):
            return "insertMany(\(count), \(quote(prefix)), in: \(quote(list)), at: \(index),"
                + " on: \(device))"
        case .crowd(let count, let prefix, let list, let device):
            return "crowd(\(count), \(quote(prefix)), in: \(quote(list)), on: \(device))"
        case .hold(let holder, let device, let trump, let follows, let changes):
            return "hold(\(holder), on: \(device), trump: .\(trump), follows: \(follows),"
                + " [\(changes.map(\.swift).joined(separator: ", "))])"
        case .changeHeld(let holder, let device, let changes):
            return "changeHeld(\(holder), on: \(device),"
                + " [\(changes.map(\.swift).joined(separator: ", "))])"
        case .saveHeld(let holder, let device): return "saveHeld(\(holder), on: \(device))"
        case .batchSet(let kind, let device, let name, let former, let value):
            return
                "batchSet(.\(kind), on: \(device), \(quote(name)), from: \(former), to: \(value))"
        case .batchDelete(let kind, let idents, let device):
            return "batchDelete(.\(kind), \(idents), on: \(device))"
        case .batchInsert(let kind, let idents, let device, let values):
            return "batchInsert(.\(kind), \(idents), on: \(device), \(values.swift))"
        case .seed(let ident, let device, let values):
            return "seed(\(quote(ident)), on: \(device), \(values.swift))"
        default: return restOfCalls
        }
    }

    private var restOfCalls: String {
        let quote = Self.quote
        switch self {
        case .saveInChild(let changes, let device):
            return "saveInChild([\(changes.map(\.swift).joined(separator: ", "))], on: \(device))"
        case .saveAndUndo(let changes, let device, let syncs):
            return "saveAndUndo([\(changes.map(\.swift).joined(separator: ", "))], on: \(device),"
                + " syncs: \(syncs))"
        case .sync(let device): return "sync(\(device))"
        case .completeSync(let device): return "sync(\(device), complete: true)"
        case .syncAll: return "syncAll()"
        case .catchUp: return "catchUp()"
        case .calm(let isCalm): return "calm(\(isCalm))"
        case .relaunch(let device): return "relaunch(\(device))"
        case .resetCloudFields(let device): return "resetCloudFields(\(device))"
        case .burst(let device, let ident): return "burst(\(device), \(quote(ident)))"
        case .during(let kind, let device, let afterwards, let step):
            return "during(.\(kind), of: \(device), afterwards: \(afterwards), \(step.literal))"
        case .fail(let kind, let device, let skip, let times, let done, let code, let delay):
            return "fail(.\(kind), of: \(device), skip: \(skip), times: \(times), done: \(done),"
                + " \(Self.code(code)), retryAfter: \(delay.map { "\($0)" } ?? "nil"))"
        case .refuseRequests(let ident, let code):
            return "refuseRequests(with: \(quote(ident)), \(Self.code(code)))"
        case .refuseRecord(let ident, let code, let once):
            return "refuseRecord(of: \(quote(ident)), \(Self.code(code)), once: \(once))"
        case .conflictsLack(let parts, let device):
            let names = parts.map { ".\($0)" }.joined(separator: ", ")
            return "conflictsLack([\(names)], for: \(device))"
        case .loseAsset(let size, let once): return "loseAsset(ofSize: \(size), once: \(once))"
        case .kill(let device, let count): return "kill(\(device), atCommit: \(count))"
        case .switchProcess(let device): return "switchProcess(\(device))"
        case .upgrade(let device, let version): return "upgrade(\(device), to: .\(version))"
        case .happens(let event, let device): return "happens(.\(event), on: \(device))"
        case .damage(let damage, let device): return "damage(.\(damage), on: \(device))"
        case .foreign(let foreign, let ident, let other):
            return "foreign(.\(foreign), \(quote(ident)), \(quote(other)))"
        case .copyFile(let device, let other): return "copyFile(of: \(device), to: \(other))"
        case .backUp(let device): return "backUp(\(device))"
        case .restore(let device): return "restore(\(device))"
        case .lag(let device, let behind, let times):
            return "lag(\(device), behind: \(behind), times: \(times))"
        case .deploySchema: return "deploySchema()"
        default: return "syncAll()"
        }
    }
}
