import CloudKitService
import Foundation

/// What is to go wrong with the requests that go through a cloud instance.
///
/// Several faults may meet one request: they take effect in the order in which they were added. Each
/// counts the requests that its pattern matches.
public final class FaultPlan: @unchecked Sendable {
    /// Names a fault that was added.
    public struct ID: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let id: ID
        let fault: Fault
        var matches = 0
    }

    // Unchecked because the following are touched under `lock` only.
    private let lock = NSLock()
    private var entries: [Entry] = []
    private var nextNumber = 1
    private var temperState = TemperState(temper: .kind)

    init() {}

    /// Adds a fault.
    ///
    /// - Returns: Its name, to ask for it later or to remove it.
    @discardableResult
    public func add(_ fault: Fault) -> ID {
        lock.locked {
            defer { nextNumber += 1 }
            let id = ID(number: nextNumber)
            entries.append(Entry(id: id, fault: fault))
            return id
        }
    }

    /// Adds a fault made of its parts.
    ///
    /// - Parameters:
    ///   - effect: What goes wrong.
    ///   - requests: Which requests it concerns. Default: all.
    ///   - occurrences: Which of those requests. Default: the next one.
    /// - Returns: Its name, to ask for it later or to remove it.
    @discardableResult
    public func add(
        _ effect: Fault.Effect, for requests: RequestPattern = RequestPattern(),
        occurrences: Fault.Occurrences = .next()
    ) -> ID {
        add(Fault(effect, for: requests, occurrences: occurrences))
    }

    /// Removes a fault. Requests that it has met already are not changed.
    public func remove(_ id: ID) {
        lock.locked { entries.removeAll { $0.id == id } }
    }

    /// Removes all faults.
    public func removeAll() { lock.locked { entries = [] } }

    /// How many requests a fault's pattern has matched so far.
    public func matchCount(of id: ID) -> Int {
        lock.locked { entries.first { $0.id == id }?.matches ?? 0 }
    }

    /// The records that a harsh cloud has drawn to refuse for ever, and the assets, each as its
    /// record's name, a slash, and the asset's receipt.
    public var poisonedItems: Set<String> { lock.locked { temperState.poisonedItems } }

    /// How the cloud treats its clients. Setting it restarts the draws.
    var temper: LocalCloud.Temper {
        get { lock.locked { temperState.temper } }
        set { lock.locked { temperState = TemperState(temper: newValue) } }
    }

    /// What the temper makes of a push.
    func delivery(toDevice device: String) -> PushDelivery {
        lock.locked { temperState.delivery(toDevice: device) }
    }

    /// The effects on a request, which is counted by this.
    func effects(on request: RequestSummary) -> [Fault.Effect] {
        lock.locked {
            var effects: [Fault.Effect] = []
            for index in entries.indices where entries[index].fault.requests.matches(request) {
                entries[index].matches += 1
                let fault = entries[index].fault
                if fault.occurrences.includes(entries[index].matches) {
                    effects.append(fault.effect)
                }
            }
            return effects + temperState.effects(on: request)
        }
    }
}

extension [Fault.Effect] {
    /// After how many items the answer breaks off, and with what error.
    var interruption: (after: Int, error: CloudKitServiceError)? {
        for case .interrupt(let count, let error) in self { return (Swift.max(0, count), error) }
        return nil
    }

    /// What conflicts lack.
    var omissions: Set<Fault.ConflictPart> {
        var parts: Set<Fault.ConflictPart> = []
        for case .omitFromConflicts(let more) in self { parts.formUnion(more) }
        return parts
    }

    /// How many bytes a page may have.
    var pageBytes: Int? {
        var least: Int?
        for case .cutPages(let bytes) in self { least = Swift.min(least ?? bytes, bytes) }
        return least
    }

    /// The records that get a new tag with a save.
    var touched: Set<Fault.Relative> {
        var relatives: Set<Fault.Relative> = []
        for case .touch(let more) in self { relatives.formUnion(more) }
        return relatives
    }

    /// The items that fail, and how.
    var itemFaults: [String: ErrorDictionary] {
        var faults: [String: ErrorDictionary] = [:]
        for case .failItems(let names, let error) in self {
            for name in names { faults[name] = error }
        }
        return faults
    }

    /// Lets the effects of one moment happen.
    func happen(
        at moment: Fault.Moment, _ request: RequestSummary, _ options: LocalCloudOptions
    ) async throws(CloudKitServiceError) {
        for effect in self {
            switch effect {
            case .fail(let error) where moment == .beforeCommit: throw error
            case .loseAnswer(let error) where moment == .afterCommit: throw error
            case .interrupt(_, let error)
            where moment == .afterCommit && !request.kind.hasParts: throw error
            case .delay(moment, let seconds): await options.sleep(seconds)
            case .wait(moment, let gate): await gate.pass()
            case .call(moment, let call): await call(request)
            default: break
            }
        }
    }
}
