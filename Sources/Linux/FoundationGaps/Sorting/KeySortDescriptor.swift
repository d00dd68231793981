/// A sort descriptor by key path, created through the initializers that Linux's Foundation lacks.
final class KeySortDescriptor: NSSortDescriptor {
    /// How two values are compared.
    enum Comparison {
        case selector(Selector, ValueOrder)
        case comparator(Comparator)
    }

    let path: String?
    let comparison: Comparison
    private let plan: KeyPathPlan?

    init(key: String?, ascending: Bool, comparison: Comparison) {
        path = key
        self.comparison = comparison
        plan = key.map(KeyPathPlan.init)
        // Foundation's part only stores the direction; the comparison is overridden.
        super.init(
            keyPath: \NSObject.self, ascending: ascending, comparator: { _, _ in .orderedSame })
    }

    /// The comparison closure. On Apple's systems a descriptor with a selector has none, and
    /// calling it terminates the process.
    override var comparator: Comparator {
        switch comparison {
        case .selector(let selector, _):
            { _, _ in
                _raise(
                    invalidArgumentException,
                    "a sort descriptor that compares by '\(selector)' has no comparator")
            }
        case .comparator(let comparator): comparator
        }
    }

    override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        let left = value(of: object1)
        let right = value(of: object2)
        let result =
            switch comparison {
            case .selector(_, let order):
                order.order(PredicateValue(left), PredicateValue(right))
            case .comparator(let comparator): comparator(left ?? NSNull(), right ?? NSNull())
            }
        return ascending ? result : result.reversed
    }

    /// The value by which an object is sorted; without a key, the object itself.
    func value(of object: Any) -> Any? {
        guard let plan else { return unwrapped(object) }
        return plan.value(of: object)
    }

    override var reversedSortDescriptor: Any {
        KeySortDescriptor(key: path, ascending: !ascending, comparison: comparison)
    }

    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor else { return false }
        if self === other { return true }
        guard case .selector(let selector, _) = comparison,
            case .selector(let otherSelector, _) = other.comparison
        else { return false }
        return path == other.path && ascending == other.ascending && selector == otherSelector
    }

    override var hash: Int {
        var hasher = Hasher()
        hasher.combine(path)
        hasher.combine(ascending)
        return hasher.finalize()
    }

    override var description: String {
        let selector = selector.map { ", \($0)" } ?? ""
        return "(\(path ?? "SELF"), \(ascending ? "ascending" : "descending")\(selector))"
    }
}

extension ComparisonResult {
    /// The result with the two values exchanged.
    var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedDescending: .orderedAscending
        case .orderedSame: .orderedSame
        }
    }
}
