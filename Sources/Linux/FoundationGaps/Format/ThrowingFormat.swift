// Linux only: what reads formats from files reports a bad one instead of stopping the process.

/// Why a text is neither a predicate nor an expression.
public struct _PredicateFormatFailure: Error, CustomStringConvertible {
    /// The reason that Apple's exception gives for the same text.
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
