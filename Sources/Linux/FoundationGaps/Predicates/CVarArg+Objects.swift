/// On Apple's systems, objects and values that bridge to objects can be variadic C arguments; on
/// Linux only numbers and strings can. With these conformances `value as CVarArg` compiles for
/// them, and `String(format: "%@", value)` prints their description.
///
/// The predicate initializers take values directly and encode nothing.
public protocol _DescribedCVarArg: CVarArg, _CVarArgObject {}

extension _DescribedCVarArg {
    /// The object for `%@` in a string format.
    public var _cVarArgObject: CVarArg { NSString(string: "\(self)") }

    /// The address of the value's description, for an argument list that C code reads. The
    /// description is never released, because it is unknown when the list is no longer used.
    public var _cVarArgEncoding: [Int] {
        [Int(bitPattern: Unmanaged.passRetained(NSString(string: "\(self)")).toOpaque())]
    }
}

extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension Date: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension URL: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension Data: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension Array: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension Set: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject, _DescribedCVarArg {}
