extension String: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .string(self) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> String? {
        guard case .string(let string) = stored else { return nil }
        return string
    }
}

extension Date: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .date(self) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Date? {
        guard case .date(let date) = stored else { return nil }
        return date
    }
}

extension Data: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .data(self) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Data? {
        guard case .data(let data) = stored else { return nil }
        return data
    }
}

extension Bool: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .integer(self ? 1 : 0) }

    /// 0 and 1 read as Booleans, other numbers do not, as with `NSNumber`.
    public static func _value(from stored: _CKRecordStoredValue) -> Bool? {
        switch stored {
        case .integer(0), .double(0): false
        case .integer(1), .double(1): true
        default: nil
        }
    }
}

extension Array: CKRecordValueProtocol where Element: CKRecordValueProtocol {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .list(map(\._storedValue)) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> [Element]? {
        guard case .list(let values) = stored else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for value in values {
            guard let element = Element._value(from: value) else { return nil }
            elements.append(element)
        }
        return elements
    }
}

extension Array: __CKRecordObjCValue where Element: CKRecordValueProtocol {}

// MARK: - Numbers

extension BinaryInteger where Self: CKRecordValueProtocol {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .integer(Int64(truncatingIfNeeded: self)) }

    /// Numbers that this type holds exactly read as this type, others do not.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        switch stored {
        case .integer(let integer): Self(exactly: integer)
        case .double(let double): Self(exactly: double)
        default: nil
        }
    }
}

extension BinaryFloatingPoint where Self: CKRecordValueProtocol {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .double(Double(self)) }

    /// Numbers that this type holds exactly read as this type, and so does NaN.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        switch stored {
        case .integer(let integer): Self(exactly: integer)
        case .double(let double): double.isNaN ? .nan : Self(exactly: double)
        default: nil
        }
    }
}

extension Int: __CKRecordObjCValue {}
extension Int8: __CKRecordObjCValue {}
extension Int16: __CKRecordObjCValue {}
extension Int32: __CKRecordObjCValue {}
extension Int64: __CKRecordObjCValue {}
extension UInt: __CKRecordObjCValue {}
extension UInt8: __CKRecordObjCValue {}
extension UInt16: __CKRecordObjCValue {}
extension UInt32: __CKRecordObjCValue {}
extension UInt64: __CKRecordObjCValue {}
extension Double: __CKRecordObjCValue {}
extension Float: __CKRecordObjCValue {}
