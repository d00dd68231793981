/// Adds the initializers of `NSPredicate` that Foundation marks as unavailable on Linux.
///
/// An initializer of a protocol can return an instance of a subclass, which one of a class cannot,
/// and it takes part in overload resolution, which an unavailable one does not.
public protocol _FormatInitializablePredicate {}

extension NSPredicate: _FormatInitializablePredicate {}

extension _FormatInitializablePredicate {
    /// Creates a predicate without a condition, as a placeholder. Evaluating it traps with the text of
    /// Apple's exception.
    public init() {
        let predicate = NSPredicate { _, _ in
            _raise(
                invalidArgumentException,
                "*** -evaluateWithObject: only defined for abstract class.  Define "
                    + "-[NSPredicate evaluateWithObject:]!")
        }
        guard let result = predicate as? Self else {
            _raise(invalidArgumentException, "\(Self.self) needs a condition")
        }
        self = result
    }

    /// Parses a predicate.
    ///
    /// - Parameters:
    ///   - predicateFormat: A predicate in the predicate language. An invalid one traps with the
    ///     text
    ///     of Apple's exception.
    ///   - arguments: The values of the conversions in it, in their order.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
        self = Self.parsed(predicateFormat, arguments ?? [])
    }

    /// Parses a predicate.
    ///
    /// On Apple's systems the arguments are `CVarArg`s, to which objects do not conform on Linux.
    /// Here any value is accepted, nil included, and keeps its own type: `%d`, `%ld` and `%f` are
    /// the same.
    ///
    /// - Parameters:
    ///   - predicateFormat: A predicate in the predicate language. An invalid one traps with the
    ///     text
    ///     of Apple's exception.
    ///   - args: The values of the conversions in it, in their order.
    public init(format predicateFormat: String, _ args: Any?...) {
        self = Self.parsed(predicateFormat, args)
    }

    private static func parsed(_ format: String, _ arguments: [Any?]) -> Self {
        do throws(PredicateFormatError) {
            let syntax = try PredicateSyntaxCache.shared.predicate(format)
            let predicate = try PredicateBuilder(arguments: arguments).predicate(syntax)
            guard let result = predicate as? Self else {
                _raise(
                    invalidArgumentException,
                    "The format string \"\(format)\" does not describe a \(Self.self)")
            }
            return result
        } catch {
            _raise(invalidArgumentException, error.reason(for: format))
        }
    }

    /// The predicate with constants instead of its variables.
    ///
    /// - Parameter variables: The values by the variables' names, without the dollar sign. Other
    ///   variables are kept.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        guard let predicate = self as? NSPredicate,
            let result = PredicateSubstitution(variables: variables).predicate(predicate) as? Self
        else { return self }
        return result
    }

    /// Does nothing: predicates cannot be decoded from archives here.
    public func allowEvaluation() {}
}
