/// Lets an array literal be an `NSSet` or an `NSMutableSet`, as on Apple's systems.
///
/// The initializer is one of a protocol, because one of a class would have to be declared in it.
public protocol _ArrayLiteralSet: ExpressibleByArrayLiteral {}

extension NSSet: @retroactive ExpressibleByArrayLiteral, _ArrayLiteralSet {}

extension _ArrayLiteralSet {
    /// Creates a set of the elements.
    public init(arrayLiteral elements: Any...) {
        // Also for NSMutableSet, whose conformance is that of NSSet.
        let members: Any = NSMutableSet(array: elements)
        guard let result = members as? Self else {
            _raise(invalidArgumentException, "\(Self.self) is not a class for array literals")
        }
        self = result
    }
}
