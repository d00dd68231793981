/// The methods that `FUNCTION(target, "selector", …)` can call on Linux, where nothing can be called
/// by name.
enum MethodCall {
    /// The result of a method; an unknown one traps.
    static func result(of selector: String, on target: Any?, arguments: [Any?]) -> Any? {
        guard let target else { return nil }
        if arguments.isEmpty { return KeyValueCoding.value(of: target, forKey: selector) }
        let first = arguments[0]
        switch (selector, target) {
        case ("valueForKey:", _), ("valueForKeyPath:", _):
            return (first as? String).flatMap { KeyPathPlan($0).value(of: target) }
        case ("isEqual:", _):
            return PredicateValue(target) == PredicateValue(first)
        case ("dateByAddingTimeInterval:", let date as Date):
            return PredicateArithmetic.double(first).map(date.addingTimeInterval)
        case ("timeIntervalSinceDate:", let date as Date):
            return (first as? Date).map(date.timeIntervalSince)
        case ("stringByAppendingString:", let text as String):
            return (first as? String).map { text + $0 }
        case ("hasPrefix:", let text as String):
            return (first as? String).map { LiteralSearch.text(text, hasPrefix: $0) }
        case ("hasSuffix:", let text as String):
            return (first as? String).map { LiteralSearch.text(text, hasSuffix: $0) }
        case ("containsString:", let text as String):
            return (first as? String).map { LiteralSearch.text(text, contains: $0) }
        case ("objectAtIndex:", _), ("objectForKey:", _):
            return PredicateFunction.implementation(of: PredicateFunction.element)?([target, first])
        default:
            guard let function = PredicateFunction.implementation(of: selector) else {
                _raise(
                    invalidArgumentException,
                    "-[\(type(of: target)) \(selector)]: unrecognized selector sent to instance")
            }
            return function(arguments)
        }
    }
}
