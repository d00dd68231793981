// Linux only: code that reads formats from files reports an invalid one instead of stopping the
// process.

/// Why a string is neither a predicate nor an expression.
public struct _PredicateFormatFailure: Error, CustomStringConvertible {
    /// The reason of Apple's exception for the same string.
    public let description: String
}

extension NSPredicate {
    /// Parses a predicate.
    ///
    /// - Throws: A `_PredicateFormatFailure` where `init(format:argumentArray:)` would trap.
    public static func _parsing(_ format: String, _ arguments: [Any?] = []) throws -> NSPredicate {
        do throws(PredicateFormatError) {
            let syntax = try PredicateParser.predicate(format)
            return try PredicateBuilder(arguments: arguments).predicate(syntax)
        } catch {
            throw _PredicateFormatFailure(description: error.reason(for: format))
        }
    }
}

extension NSExpression {
    /// Parses an expression.
    ///
    /// - Throws: A `_PredicateFormatFailure` where `init(format:argumentArray:)` would trap.
    public static func _parsing(_ format: String, _ arguments: [Any?] = []) throws -> NSExpression {
        do throws(PredicateFormatError) {
            let syntax = try PredicateParser.expression(format)
            return try PredicateBuilder(arguments: arguments).expression(syntax)
        } catch {
            throw _PredicateFormatFailure(description: error.reason(for: format))
        }
    }
}
