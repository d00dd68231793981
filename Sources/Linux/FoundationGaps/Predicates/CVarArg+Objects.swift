/// On Apple's systems objects, and the values that bridge to objects, can be variadic C arguments; on
/// Linux only numbers and text can. With these conformances `value as CVarArg` compiles for them, and
/// `String(format: "%@", value)` prints their description.
///
/// The predicate initializers take values as they are and encode nothing.
public protocol _DescribedCVarArg: CVarArg, _CVarArgObject {}

extension _DescribedCVarArg {
    /// What stands for the value behind `%@` in a string format.
    public var _cVarArgObject: CVarArg { NSString(string: "\(self)") }

    /// The address of the value's description, in a list of arguments that is read by C. The
    /// description is never released, since nothing tells when the list is done.
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
