/// A value as predicates see it, independent of the Swift or Foundation type that contains it.
///
/// `5`, `NSNumber(value: 5)` and `5.0` are one value, a nil inside an `Any` and `NSNull` are nil,
/// and every array, set or ordered set is a collection.
enum PredicateValue {
    case null
    case integer(Int64)
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case collection([Any], isOrdered: Bool)
    /// Anything else; compared with `isEqual(_:)` or as a hashable value.
    case object(Any)

    init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        self = Self.common(value) ?? Self.foundationObject(value) ?? Self.uncommon(value)
    }

    /// The types of attributes, distinguished by type identity: a failed dynamic cast takes a
    /// hundred times as long.
    private static func common(_ value: Any) -> PredicateValue? {
        if let value = _exactly(value, String.self) { return .string(value) }
        if let value = _exactly(value, NSNumber.self) { return PredicateValue(plain: value) }
        let type = type(of: value)
        if type == Int.self, let value = value as? Int { return .integer(Int64(value)) }
        if type == Int64.self, let value = value as? Int64 { return .integer(value) }
        if type == Int32.self, let value = value as? Int32 { return .integer(Int64(value)) }
        if type == Int16.self, let value = value as? Int16 { return .integer(Int64(value)) }
        if type == Bool.self, let value = value as? Bool { return .integer(value ? 1 : 0) }
        if type == Double.self, let value = value as? Double { return .double(value) }
        if type == Float.self, let value = value as? Float { return .double(Double(value)) }
        if type == Date.self, let value = value as? Date { return .date(value) }
        if type == UUID.self, let value = value as? UUID { return .uuid(value) }
        if type == Data.self, let value = value as? Data { return .data(value) }
        if type == URL.self, let value = value as? URL { return .url(value) }
        if type == Decimal.self, let value = value as? Decimal { return .decimal(value) }
        return nil
    }

    /// The Foundation classes for plain values.
    private static func foundationObject(_ value: Any) -> PredicateValue? {
        guard let object = value as? NSObject, type(of: value) is AnyClass else { return nil }
        switch object {
        case is any _KeyValueCoding: return .object(object)
        case is NSNull: return .null
        case let number as NSNumber: return PredicateValue(number: number)
        case let string as NSString: return .string(String(string))
        case let date as NSDate: return .date(date as Date)
        case let uuid as NSUUID: return .uuid(uuid as UUID)
        case let url as NSURL: return .url(url as URL)
        case let data as NSData: return .data(data as Data)
        case let array as NSArray: return .collection(array.allElements, isOrdered: true)
        case let set as NSSet: return .collection(set.allObjects, isOrdered: false)
        case let set as NSOrderedSet: return .collection(set.array, isOrdered: true)
        default: return .object(object)
        }
    }

    private static func uncommon(_ value: Any) -> PredicateValue {
        switch value {
        case let optional as any OptionalValue: PredicateValue(optional.wrappedValue)
        case let number as any FixedWidthInteger: PredicateValue(integer: number)
        case let string as Substring: .string(String(string))
        case let array as [Any]: .collection(array.map(dynamicValue), isOrdered: true)
        case let set as Set<AnyHashable>: .collection(set.map(dynamicValue), isOrdered: false)
        default: .object(value)
        }
    }

    private init(number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
        } else {
            self.init(plain: number)
        }
    }

    /// A number that is not a decimal.
    private init(plain number: NSNumber) {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"): self = PredicateValue(integer: number.uint64Value)
        default: self = .integer(number.int64Value)
        }
    }

    private init(integer: some FixedWidthInteger) {
        if let value = Int64(exactly: integer) {
            self = .integer(value)
        } else {
            self = .decimal(Decimal(string: String(integer)) ?? .nan)
        }
    }
}

// MARK: - Comparison

/// An object that predicates and sort descriptors can compare with others, like one with a method `compare:` on Apple's
/// systems.
///
/// Linux-only.
public protocol _OrderedObject: AnyObject {
    /// The order of the object and another value; nil if they have none.
    func _order(to other: Any) -> ComparisonResult?
}

extension PredicateValue {
    /// The order of two values, or nil if their kinds have no order.
    func ordering(to other: PredicateValue) -> ComparisonResult? {
        switch (self, other) {
        case (.null, .null): .orderedSame
        case (.integer(let left), .integer(let right)): order(left, right)
        case (.decimal, .integer), (.integer, .decimal), (.decimal, .decimal):
            zip(decimalValue, other.decimalValue).map(order)
        case (.string(let left), .string(let right)): left.literalOrder(to: right)
        case (.date(let left), .date(let right)): order(left, right)
        case (.uuid(let left), .uuid(let right)): order(left.uuidString, right.uuidString)
        case (.url(let left), .url(let right)): order(left.absoluteString, right.absoluteString)
        case (.object(let left), .object(let right)):
            (left as? any _OrderedObject)?._order(to: right)
        default: zip(doubleValue, other.doubleValue).flatMap(orderNumbers)
        }
    }

    /// The value as a floating-point number, if it is a number.
    var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): NSDecimalNumber(decimal: value).doubleValue
        default: nil
        }
    }

    /// The value as a decimal number, if it is a number and not infinite: there is no infinite decimal.
    var decimalValue: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .double(let value): value.isInfinite ? nil : Decimal(value)
        case .decimal(let value): value
        default: nil
        }
    }

    var isNotANumber: Bool {
        if case .double(let value) = self { return value.isNaN }
        return false
    }

    /// Whether the value counts as true: a number other than 0.
    var isTrue: Bool { (doubleValue ?? 0) != 0 }
}

extension PredicateValue: Hashable {
    static func == (left: PredicateValue, right: PredicateValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.string(let left), .string(let right)): left.isLiterallyEqual(to: right)
        case (.data(let left), .data(let right)): left == right
        case (.uuid(let left), .uuid(let right)): left == right
        case (.url(let left), .url(let right)): left == right
        case (.collection(let left, let ordered), .collection(let right, let otherOrdered)):
            areEqual(left, right, isOrdered: ordered && otherOrdered)
        case (.object(let left), .object(let right)):
            _areEqual(identity(of: left), identity(of: right))
        default: left.ordering(to: right) == .orderedSame
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer, .double, .decimal: hasher.combine(doubleValue)
        case .string(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .data(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        case .url(let value): hasher.combine(value)
        case .collection(let elements, _): hasher.combine(elements.count)
        case .object(let value):
            if let value = identity(of: value) as? AnyHashable { hasher.combine(value) }
        }
    }

    private static func areEqual(_ left: [Any], _ right: [Any], isOrdered: Bool) -> Bool {
        let left = left.map { PredicateValue($0) }
        let right = right.map { PredicateValue($0) }
        return isOrdered ? left == right : Set(left) == Set(right)
    }
}

/// The identity of an object in comparisons.
private func identity(of value: Any) -> Any {
    (value as? any _KeyValueCoding)?._comparisonIdentity ?? value
}

private func order<T: Comparable>(_ left: T, _ right: T) -> ComparisonResult {
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
}

/// The order of two numbers; NaN has none.
private func orderNumbers(_ left: Double, _ right: Double) -> ComparisonResult? {
    left.isNaN || right.isNaN ? nil : order(left, right)
}

private func zip<A, B>(_ first: A?, _ second: B?) -> (A, B)? {
    guard let first, let second else { return nil }
    return (first, second)
}

extension NSArray {
    /// The elements, which `NSArray` provides only one at a time.
    fileprivate var allElements: [Any] { map { $0 } }
}
