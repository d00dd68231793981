/// A type whose values can be stored in a record's field.
///
/// The set of conforming types is closed, as on Apple's systems: strings, dates, data, numbers of
/// every width, Booleans, references, assets, locations, and arrays of these. The underscored
/// requirements define how they are stored, and are not for apps.
public protocol CKRecordValueProtocol {
    /// The value in its stored form.
    var _storedValue: _CKRecordStoredValue { get }

    /// The stored value as a value of this type, or nil if it has another type.
    static func _value(from stored: _CKRecordStoredValue) -> Self?
}

/// A value that can be stored in a record's field; spelled `CKRecordValue` in app code.
///
/// On Apple's systems it is a protocol of classes, to which Swift values are bridged. There is no
/// bridging here, so Swift's types conform directly, and the protocol does not inherit from
/// `NSObjectProtocol`.
public protocol __CKRecordObjCValue: CKRecordValueProtocol {}

/// A value that can be stored in a record's field: `NSString`, `NSNumber`, `NSArray`, `NSDate`,
/// `NSData`, `CKRecord.Reference`, `CKAsset`, `CLLocation`, and the Swift values that bridge to
/// these.
public typealias CKRecordValue = __CKRecordObjCValue

// MARK: - Classes

extension NSString: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .string(String(describing: self)) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        guard case .string(let string) = stored else { return nil }
        return NSString(string: string) as? Self
    }
}

extension NSDate: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue {
        .date(Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate))
    }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        guard case .date = stored else { return nil }
        return stored.object as? Self
    }
}

extension NSData: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .data(Data(referencing: self)) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        guard case .data = stored else { return nil }
        return stored.object as? Self
    }
}

extension NSNumber: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue {
        // "d" and "f" are the Objective-C type codes of double and float.
        switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): .double(doubleValue)
        default: .integer(int64Value)
        }
    }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        switch stored {
        case .integer(let integer): NSNumber(value: integer) as? Self
        case .double(let double): NSNumber(value: double) as? Self
        default: nil
        }
    }
}

extension NSArray: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue {
        .list(
            map { element in
                guard let value = RecordValue(untyped: element) else {
                    NameRules.refuse(element)
                }
                return value
            })
    }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        guard case .list = stored else { return nil }
        return stored.object as? Self
    }
}

extension CKReference: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .reference(self) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        guard case .reference(let reference) = stored else { return nil }
        return reference as? Self
    }
}

extension CKAsset: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .asset(self) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        guard case .asset(let asset) = stored else { return nil }
        return asset as? Self
    }
}

extension CLLocation: __CKRecordObjCValue {
    /// The value in its stored form.
    public var _storedValue: _CKRecordStoredValue { .location(self) }

    /// The stored value as this type, or nil.
    public static func _value(from stored: _CKRecordStoredValue) -> Self? {
        guard case .location(let location) = stored else { return nil }
        return location as? Self
    }
}
