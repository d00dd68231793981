/// An object whose methods expressions can call by name: `FUNCTION(object, "selector", …)`.
///
/// Linux-only: Linux cannot call methods by selector, so a class lists its methods itself.
public protocol _MethodCalling: AnyObject {
    /// The result of a method; nil if the object has no such method.
    ///
    /// - Parameters:
    ///   - selector: The method's Objective-C name, such as `objectWithID:`.
    ///   - arguments: The values of the arguments.
    func _result(of selector: String, arguments: [Any?]) -> _MethodResult?
}

/// The result of a method that an expression called. Linux-only, see ``_MethodCalling``.
public struct _MethodResult {
    let value: Any?

    /// A result, which may be nil.
    public init(_ value: Any?) {
        self.value = value
    }
}

/// The methods that `FUNCTION(target, "selector", …)` can call on Linux, which cannot call methods
/// by name.
enum MethodCall {
    /// The method of the context that `FETCH(request, context, countOnly)` calls.
    static let fetch = "executeFetchRequest:countOnly:"

    /// The result of a method. An unknown method traps.
    static func result(of selector: String, on target: Any?, arguments: [Any?]) -> Any? {
        guard let target else { return nil }
        if let object = target as? any _MethodCalling,
            let result = object._result(of: selector, arguments: arguments)
        {
            return result.value
        }
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
