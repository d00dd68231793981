/// The statistical functions that need all values at once.
enum Statistics {
    /// The middle value, or the mean of the two in the middle; nil without values.
    static func median(of values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2)
            ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// The values that occur most often, in ascending order.
    static func modes(of values: [Double]) -> [Double] {
        let counts = values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let highest = counts.values.max()
        return counts.filter { $0.value == highest }.keys.sorted()
    }

    /// The standard deviation of a whole population; nil without values.
    static func standardDeviation(of values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
    }
}
