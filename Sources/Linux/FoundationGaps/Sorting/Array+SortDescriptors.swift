extension Array {
    /// The elements in the order of sort descriptors. Elements that all descriptors consider equal
    /// keep their order.
    ///
    /// Linux-only. It is equivalent to `NSArray.sortedArray(using:)`, but reads each value once
    /// instead of at every comparison.
    public func _sorted(using descriptors: [NSSortDescriptor]) -> [Element] {
        guard count > 1, !descriptors.isEmpty else { return self }
        let columns = descriptors.map { SortColumn(of: self, for: $0) }
        let order = indices.sorted { left, right in
            for column in columns {
                switch column.order(left, right) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return left < right
        }
        return order.map { self[$0] }
    }
}

/// The values by which one sort descriptor sorts an array.
private struct SortColumn {
    private enum Values {
        /// The values under the descriptor's key, read once.
        case keys([PredicateValue], ValueOrder)
        /// The elements themselves, for a descriptor with its own comparison.
        case elements([Any])
    }

    private let descriptor: NSSortDescriptor
    private let ascending: Bool
    private let values: Values

    init(of elements: [Any], for descriptor: NSSortDescriptor) {
        self.descriptor = descriptor
        ascending = descriptor.ascending
        if let descriptor = descriptor as? KeySortDescriptor,
            case .selector(_, let order) = descriptor.comparison
        {
            values = .keys(elements.map { PredicateValue(descriptor.value(of: $0)) }, order)
        } else {
            values = .elements(elements)
        }
    }

    func order(_ left: Int, _ right: Int) -> ComparisonResult {
        switch values {
        case .keys(let keys, let order):
            let result = order.order(keys[left], keys[right])
            return ascending ? result : result.reversed
        case .elements(let elements):
            return descriptor.compare(elements[left], to: elements[right])
        }
    }
}
