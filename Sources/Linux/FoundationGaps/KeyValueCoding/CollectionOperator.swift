/// The operators that a key path can apply to a collection: `children.@max.age`.
enum CollectionOperator: String {
    case count
    case sum
    case average = "avg"
    case minimum = "min"
    case maximum = "max"
    case unionOfObjects
    case distinctUnionOfObjects
    case unionOfArrays
    case distinctUnionOfArrays
    case unionOfSets
    case distinctUnionOfSets

    /// The operator's result for the values at the end of the path, one for each element.
    func value(of values: [Any?]) -> Any? {
        switch self {
        case .count: values.count
        case .sum: PredicateArithmetic.sum(of: values)
        case .average: PredicateArithmetic.average(of: values)
        case .minimum: PredicateArithmetic.extreme(of: values, .orderedAscending)
        case .maximum: PredicateArithmetic.extreme(of: values, .orderedDescending)
        case .unionOfObjects: values.compactMap { $0 }
        case .distinctUnionOfObjects: Self.distinct(values.compactMap { $0 })
        case .unionOfArrays, .unionOfSets: Self.joined(values)
        case .distinctUnionOfArrays, .distinctUnionOfSets: Self.distinct(Self.joined(values))
        }
    }

    private static func joined(_ values: [Any?]) -> [Any] {
        values.flatMap { elements(of: $0) ?? [] }
    }

    /// The values without duplicates, in the order of their first occurrence.
    static func distinct(_ values: [Any]) -> [Any] {
        var seen: Set<PredicateValue> = []
        return values.filter { seen.insert(PredicateValue($0)).inserted }
    }
}
