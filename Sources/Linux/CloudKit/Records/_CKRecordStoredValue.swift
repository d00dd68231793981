/// The stored form of a record's value: a closed set of types that can be sent, compared and
/// archived without examining the value's dynamic class.
public enum _CKRecordStoredValue: Sendable {
    case string(String)
    case integer(Int64)
    case double(Double)
    case data(Data)
    case date(Date)
    case location(CLLocation)
    case reference(CKRecord.Reference)
    case asset(CKAsset)
    case list([_CKRecordStoredValue])
}

typealias RecordValue = _CKRecordStoredValue

extension RecordValue {
    /// The value as an object of the class that Apple's CloudKit uses.
    var object: any __CKRecordObjCValue & NSObjectProtocol {
        switch self {
        case .string(let string): NSString(string: string)
        case .integer(let integer): NSNumber(value: integer)
        case .double(let double): NSNumber(value: double)
        case .data(let data): NSData(data: data)
        case .date(let date):
            NSDate(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate)
        case .location(let location): location
        case .reference(let reference): reference
        case .asset(let asset): asset
        case .list(let values): NSArray(array: values.map(\.object))
        }
    }

    /// The value as a Swift value: an integer is an `Int64`, any other number a `Double`.
    var swiftValue: any CKRecordValueProtocol {
        switch self {
        case .string(let string): string
        case .integer(let integer): integer
        case .double(let double): double
        case .data(let data): data
        case .date(let date): date
        case .location(let location): location
        case .reference(let reference): reference
        case .asset(let asset): asset
        case .list(let values): Self.swiftList(values)
        }
    }

    /// A list as an array of its first element's type, or as an `NSArray` if it is empty or mixed.
    private static func swiftList(_ values: [RecordValue]) -> any CKRecordValueProtocol {
        let list = RecordValue.list(values)
        let typed: (any CKRecordValueProtocol)? =
            switch values.first {
            case .string: [String]._value(from: list)
            case .integer: [Int64]._value(from: list)
            case .double: [Double]._value(from: list)
            case .data: [Data]._value(from: list)
            case .date: [Date]._value(from: list)
            case .location: [CLLocation]._value(from: list)
            case .reference: [CKReference]._value(from: list)
            case .asset: [CKAsset]._value(from: list)
            case .list, nil: nil
            }
        return typed ?? NSArray(array: values.map(\.object))
    }
}

extension RecordValue {
    /// The stored form of an untyped object; nil if records cannot store it.
    init?(untyped value: Any) {
        switch value {
        case let value as any CKRecordValueProtocol: self = value._storedValue
        case let value as String: self = .string(value)
        case let value as NSNumber: self = value._storedValue
        case let value as Date: self = .date(value)
        case let value as Data: self = .data(value)
        case let values as [Any]:
            var list: [RecordValue] = []
            for element in values {
                guard let element = RecordValue(untyped: element) else { return nil }
                list.append(element)
            }
            self = .list(list)
        default: return nil
        }
    }
}
