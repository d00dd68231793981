/// On Apple's systems objects, and the values that bridge to objects, can be variadic C arguments; on
/// Linux only numbers and text can. With these conformances `value as CVarArg` compiles for them.
///
/// The encoding is the address of the object that stands for the value. For a value type this object
/// is never released, since nothing tells when the argument list is done; the predicate initialisers
/// take values as they are and encode nothing.
extension NSObject: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] {
        [Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())]
    }
}

extension Date: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(self as NSDate) }
}

extension UUID: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(self as NSUUID) }
}

extension URL: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(self as NSURL) }
}

extension Data: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(self as NSData) }
}

extension Decimal: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(NSDecimalNumber(decimal: self)) }
}

extension Array: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(NSArray(array: self)) }
}

extension Set: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(NSSet(array: map { $0 })) }
}

extension Dictionary: @retroactive CVarArg {
    /// The address of the object.
    public var _cVarArgEncoding: [Int] { encoding(self as NSDictionary) }
}

private func encoding(_ object: NSObject) -> [Int] {
    [Int(bitPattern: Unmanaged.passRetained(object).toOpaque())]
}
