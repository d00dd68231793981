/// The comparisons that a sort descriptor supports by selector.
enum ValueOrder: String {
    case standard = "compare:"
    case caseInsensitive = "caseInsensitiveCompare:"
    case localized = "localizedCompare:"
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    case localizedStandard = "localizedStandardCompare:"

    /// The order of two values. Nil is first, NaN comes after all numbers; values without a common
    /// order count as equal. Data has no order, so comparing it stops the process.
    func order(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult {
        switch (left, right) {
        case (.null, .null): .orderedSame
        case (.null, _): .orderedAscending
        case (_, .null): .orderedDescending
        case (.string(let left), .string(let right)): order(left, right)
        case (.data, .data):
            _raise(
                invalidArgumentException,
                "-[NSConcreteData \(rawValue)]: unrecognized selector sent to instance")
        case (let left, let right): left.ordering(to: right) ?? orderOfNotANumber(left, right)
        }
    }

    /// Sorting needs a total order of numbers, but comparisons have no order for NaN.
    private func orderOfNotANumber(
        _ left: PredicateValue, _ right: PredicateValue
    ) -> ComparisonResult {
        guard left.doubleValue != nil, right.doubleValue != nil else { return .orderedSame }
        switch (left.isNotANumber, right.isNotANumber) {
        case (true, false): return .orderedDescending
        case (false, true): return .orderedAscending
        default: return .orderedSame
        }
    }

    private func order(_ left: String, _ right: String) -> ComparisonResult {
        switch self {
        case .standard: left.literalOrder(to: right)
        case .caseInsensitive: left.caseInsensitiveCompare(right)
        case .localized: left.localizedCompare(right)
        case .localizedCaseInsensitive: left.localizedCaseInsensitiveCompare(right)
        case .localizedStandard: left.localizedStandardCompare(right)
        }
    }
}
