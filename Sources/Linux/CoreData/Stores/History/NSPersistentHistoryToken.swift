import FoundationGaps

/// A point in the history of a coordinator's stores. Only stores create tokens; apps store them,
/// also in archives. As on Apple's systems it is not `Sendable`: archive it to pass it to another
/// thread.
///
/// The class is abstract: a store class with tokens of its own archives and copies them itself.
open class NSPersistentHistoryToken: NSObject, NSCopying, NSSecureCoding {
    /// Creates an empty token, for a store class with a subclass of its own.
    public override init() { super.init() }

    /// True: a token is made to be archived.
    open class var supportsSecureCoding: Bool { true }

    /// Reads a token out of an archive. A subclass overrides it and does not call it.
    public required init?(coder: NSCoder) {
        super.init()
        raiseAbstract("initWithCoder:")
    }

    /// Writes the token into an archive. A subclass overrides it and does not call it.
    open func encode(with coder: NSCoder) {
        raiseAbstract("encodeWithCoder:")
    }

    /// The token itself or a copy. A subclass overrides it and does not call it.
    open func copy(with zone: NSZone? = nil) -> Any {
        raiseAbstract("copyWithZone:")
    }
}

extension NSObject {
    /// Stops the process, because a subclass calls a method of an abstract class.
    func raiseAbstract(_ selector: String) -> Never {
        raise(
            .invalidArgument,
            "*** -\(selector) only defined for abstract class.  Define -[\(type(of: self)) \(selector)]!"
        )
    }
}

/// A point in the history of in-memory stores.
final class InMemoryHistoryToken: NSPersistentHistoryToken {
    /// The number of the last transaction in each store, by the store's identifier.
    let positions: [String: Int64]

    init(positions: [String: Int64]) {
        self.positions = positions
        super.init()
    }

    override class var supportsSecureCoding: Bool { true }

    required init?(coder: NSCoder) {
        let classes = [NSDictionary.self, NSString.self, NSNumber.self]
        let stored = coder.decodeObject(of: classes, forKey: "positions") as? [String: NSNumber]
        guard let stored else { return nil }
        positions = stored.mapValues(\.int64Value)
        super.init()
    }

    override func encode(with coder: NSCoder) {
        coder.encode(
            NSDictionary(dictionary: positions.mapValues { NSNumber(value: $0) }),
            forKey: "positions")
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    override func isEqual(_ object: Any?) -> Bool {
        (object as? InMemoryHistoryToken)?.positions == positions
    }

    override var hash: Int { positions.hashValue }
}

extension InMemoryHistoryToken: _OrderedObject {
    /// The order of two points in the history of one store.
    func _order(to other: Any) -> ComparisonResult? {
        guard let other = other as? InMemoryHistoryToken, positions.count == 1,
            let (store, position) = positions.first, let otherPosition = other.positions[store]
        else { return nil }
        return position < otherPosition
            ? .orderedAscending : position == otherPosition ? .orderedSame : .orderedDescending
    }
}

/// A store of a class of one's own that keeps a history. Linux-only: Apple's coordinator knows the histories of
/// its own stores.
public protocol HistoryKeepingStore: NSPersistentStore {
    /// The current point in the store's history; nil if it keeps none.
    func currentHistoryToken() throws -> NSPersistentHistoryToken?

    /// Whether a token is a point in the store's history, also if it is too old.
    func hasIssued(_ token: NSPersistentHistoryToken) -> Bool
}

extension NSPersistentStoreCoordinator {
    /// The current point in the history of stores; nil if none of them keeps a history.
    ///
    /// - Parameter stores: Stores of the coordinator; nil for all of them.
    public func currentPersistentHistoryToken(
        fromStores stores: [Any]?
    ) -> NSPersistentHistoryToken? {
        let stores = stores?.compactMap { $0 as? NSPersistentStore } ?? persistentStores
        var positions: [String: Int64] = [:]
        var tokens: [String: NSPersistentHistoryToken] = [:]
        locked {
            for store in stores {
                if let history = (store as? InMemoryStore)?.history {
                    positions[history.storeID] = history.lastNumber
                } else if let store = store as? any HistoryKeepingStore,
                    let token = try? store.currentHistoryToken()
                {
                    tokens[store.identifier] = token
                }
            }
        }
        if tokens.isEmpty {
            return positions.isEmpty ? nil : InMemoryHistoryToken(positions: positions)
        }
        if tokens.count == 1, positions.isEmpty { return tokens.values.first }
        for (storeID, number) in positions {
            tokens[storeID] = InMemoryHistoryToken(positions: [storeID: number])
        }
        return CombinedHistoryToken(tokens)
    }
}
