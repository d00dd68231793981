import CoreData

/// The order that a sort descriptor gives to values that were read, the same as in SQL.
///
/// A descriptor itself sends `compare:` to the values, or the selector that it has. Data, URLs and objects do not
/// know it on Apple's systems, UUIDs only since macOS 14, and numbers know none of those for texts.
struct StoredOrder {
    private let ascending: Bool
    /// Compares values that are not nil, from small to large; the descriptor's own comparison in memory.
    private let descriptor: NSSortDescriptor
    private let hasSelector: Bool
    private let keyOf: (NSManagedObjectID) -> Int64?

    private static var plain: NSSortDescriptor { NSSortDescriptor(key: nil, ascending: true) }

    /// - Parameter keyOf: The number of an object.
    init(_ descriptor: NSSortDescriptor, keyOf: @escaping (NSManagedObjectID) -> Int64?) {
        ascending = descriptor.ascending
        hasSelector = descriptor.selector != nil
        self.keyOf = keyOf
        // A descriptor with a selector has no comparator to call.
        if let selector = descriptor.selector {
            self.descriptor = NSSortDescriptor(key: nil, ascending: true, selector: selector)
        } else {
            self.descriptor = NSSortDescriptor(
                key: nil, ascending: true, comparator: descriptor.comparator)
        }
    }

    /// The order of two values of the descriptor's key.
    func compare(_ left: Any?, _ right: Any?) -> ComparisonResult {
        let result = rising(Self.unwrapped(left), Self.unwrapped(right))
        guard !ascending else { return result }
        switch result {
        case .orderedAscending: return .orderedDescending
        case .orderedDescending: return .orderedAscending
        case .orderedSame: return .orderedSame
        }
    }

    private static func unwrapped(_ value: Any?) -> Any? { value is NSNull ? nil : value }

    private func rising(_ left: Any?, _ right: Any?) -> ComparisonResult {
        switch (left, right) {
        case (nil, nil): return .orderedSame
        case (nil, _): return .orderedAscending
        case (_, nil): return .orderedDescending
        case (let left?, let right?): return order(of: left, and: right)
        }
    }

    private func order(of left: Any, and right: Any) -> ComparisonResult {
        guard hasSelector else { return descriptor.compare(left, to: right) }
        switch (QueryConstant(left), QueryConstant(right)) {
        case (.data(let left), .data(let right)): return Self.order(left, right)
        case (.uuid(let left), .uuid(let right)):
            return Self.order(SQLiteValue(left).bytes, SQLiteValue(right).bytes)
        case (.url(let left), .url(let right)):
            return Self.order(left.absoluteString.utf8, right.absoluteString.utf8)
        case (.object(let left), .object(let right)):
            guard let left = keyOf(left), let right = keyOf(right) else { return .orderedSame }
            return Self.order(CollectionOfOne(left), CollectionOfOne(right))
        case (.string, .string), (.other, .other): return descriptor.compare(left, to: right)
        case (.integer, .integer), (.integer, .double), (.integer, .decimal), (.double, .integer),
            (.double, .double), (.double, .decimal), (.decimal, .integer), (.decimal, .double),
            (.decimal, .decimal), (.date, .date):
            return Self.plain.compare(left, to: right)
        default: return .orderedSame
        }
    }

    private static func order<Values: Sequence>(
        _ left: Values, _ right: Values
    ) -> ComparisonResult where Values.Element: Comparable {
        if left.lexicographicallyPrecedes(right) { return .orderedAscending }
        return right.lexicographicallyPrecedes(left) ? .orderedDescending : .orderedSame
    }
}

extension SQLiteValue {
    /// The bytes of a blob; nothing for other values.
    fileprivate var bytes: Data {
        if case .blob(let data) = self { return data }
        return Data()
    }
}
