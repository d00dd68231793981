import CloudKitService
import Foundation

/// The faults for the requests that go through a cloud instance.
///
/// Several faults may apply to one request: they take effect in the order in which they were added.
/// Each counts the requests that its pattern matches.
public final class FaultPlan: @unchecked Sendable {
    /// The ID of a fault that was added.
    public struct ID: Hashable, Sendable {
        fileprivate let number: Int
    }

    private struct Entry {
        let id: ID
        let fault: Fault
        var matches = 0
        /// Whether it has affected a request.
        var isUsed = false
    }

    // Unchecked because the following are accessed only while `lock` is held.
    private let lock = NSLock()
    private var entries: [Entry] = []
    private var removedUnused: [Fault] = []
    private var seenDevices: Set<String> = []
    private var seenContainers: Set<String> = []
    private var nextNumber = 1
    private var temperState = TemperState(temper: .kind)

    init() {}

    /// Adds a fault.
    ///
    /// - Returns: Its ID, for looking it up or removing it later.
    @discardableResult
    public func add(_ fault: Fault) -> ID {
        lock.locked {
            defer { nextNumber += 1 }
            let id = ID(number: nextNumber)
            entries.append(Entry(id: id, fault: fault))
            return id
        }
    }

    /// Adds a fault.
    ///
    /// - Parameters:
    ///   - effect: The effect on a request.
    ///   - requests: The requests that it applies to; by default all.
    ///   - occurrences: The occurrences among those requests; by default the next one.
    /// - Returns: Its ID, for looking it up or removing it later.
    @discardableResult
    public func add(
        _ effect: Fault.Effect, for requests: RequestPattern = RequestPattern(),
        occurrences: Fault.Occurrences = .next()
    ) -> ID {
        add(Fault(effect, for: requests, occurrences: occurrences))
    }

    /// Removes a fault. Requests that it has already affected do not change.
    public func remove(_ id: ID) {
        lock.locked {
            removedUnused += entries.filter { $0.id == id && !$0.isUsed }.map(\.fault)
            entries.removeAll { $0.id == id }
        }
    }

    /// Removes all faults.
    public func removeAll() {
        lock.locked {
            removedUnused += entries.filter { !$0.isUsed }.map(\.fault)
            entries = []
        }
    }

    /// The faults that have not affected any request, including those that have been removed since.
    ///
    ///     #expect(cloud.faults.unused.isEmpty)
    ///
    /// A test whose fault is unused tests nothing: no request matched its pattern, for example because no device has
    /// that name, or fewer requests did than its occurrences require. See ``LocalCloud/checkUnused()``.
    public var unused: [Fault] {
        lock.locked { removedUnused + entries.filter { !$0.isUsed }.map(\.fault) }
    }

    /// The names of the devices that have made a request of this cloud instance.
    public var devices: Set<String> { lock.locked { seenDevices } }

    /// The containers to which a request of this cloud instance was made.
    public var containers: Set<String> { lock.locked { seenContainers } }

    /// How many requests a fault's pattern has matched so far.
    public func matchCount(of id: ID) -> Int {
        lock.locked { entries.first { $0.id == id }?.matches ?? 0 }
    }

    /// The records and assets that a harsh cloud has randomly chosen to refuse forever. An asset is
    /// listed as its record's name, a slash, and the asset's receipt.
    public var poisonedItems: Set<String> { lock.locked { temperState.poisonedItems } }

    /// How the cloud treats its clients. Setting it restarts the random sequences.
    var temper: LocalCloud.Temper {
        get { lock.locked { temperState.temper } }
        set { lock.locked { temperState = TemperState(temper: newValue) } }
    }

    /// The effect of the temper on a push.
    func delivery(toDevice device: String) -> PushDelivery {
        lock.locked { temperState.delivery(toDevice: device) }
    }

    /// The effects on a request. The call counts the request.
    func effects(on request: RequestSummary) -> [Fault.Effect] {
        lock.locked {
            seenDevices.insert(request.context.device)
            seenContainers.insert(request.context.container)
            var effects: [Fault.Effect] = []
            for index in entries.indices where entries[index].fault.requests.matches(request) {
                entries[index].matches += 1
                let fault = entries[index].fault
                if fault.occurrences.includes(entries[index].matches) {
                    effects.append(fault.effect)
                    if fault.effect.concerns(request) { entries[index].isUsed = true }
                }
            }
            return effects + temperState.effects(on: request)
        }
    }
}

extension [Fault.Effect] {
    /// After how many items the answer is interrupted, and with what error.
    var interruption: (after: Int, error: CloudKitServiceError)? {
        for case .interrupt(let count, let error) in self { return (Swift.max(0, count), error) }
        return nil
    }

    /// The parts that conflicts lack.
    var omissions: Set<Fault.ConflictPart> {
        var parts: Set<Fault.ConflictPart> = []
        for case .omitFromConflicts(let more) in self { parts.formUnion(more) }
        return parts
    }

    /// The maximum size of a page in bytes.
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

    /// The items that fail, and their errors.
    var itemFaults: [String: ErrorDictionary] {
        var faults: [String: ErrorDictionary] = [:]
        for case .failItems(let names, let error) in self {
            for name in names { faults[name] = error }
        }
        return faults
    }

    /// Applies the effects of one moment.
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
