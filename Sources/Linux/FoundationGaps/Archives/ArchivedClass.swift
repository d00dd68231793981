/// The classes of property lists, and a few like them, whose archived form is known.
enum ArchivedClass: String {
    case string = "NSString"
    case mutableString = "NSMutableString"
    case data = "NSData"
    case mutableData = "NSMutableData"
    case date = "NSDate"
    case uuid = "NSUUID"
    case url = "NSURL"
    case decimal = "NSDecimalNumber"
    case decimalPlaceholder = "NSDecimalNumberPlaceholder"
    case null = "NSNull"
    case array = "NSArray"
    case mutableArray = "NSMutableArray"
    case set = "NSSet"
    case mutableSet = "NSMutableSet"
    case orderedSet = "NSOrderedSet"
    case mutableOrderedSet = "NSMutableOrderedSet"
    case dictionary = "NSDictionary"
    case mutableDictionary = "NSMutableDictionary"

    /// The classes whose objects a property list has.
    static let propertyLists: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSString.self, NSNumber.self, NSDate.self, NSData.self,
    ]

    var type: AnyClass {
        switch self {
        case .string: NSString.self
        case .mutableString: NSMutableString.self
        case .data: NSData.self
        case .mutableData: NSMutableData.self
        case .date: NSDate.self
        case .uuid: NSUUID.self
        case .url: NSURL.self
        case .decimal, .decimalPlaceholder: NSDecimalNumber.self
        case .null: NSNull.self
        case .array: NSArray.self
        case .mutableArray: NSMutableArray.self
        case .set: NSSet.self
        case .mutableSet: NSMutableSet.self
        case .orderedSet: NSOrderedSet.self
        case .mutableOrderedSet: NSMutableOrderedSet.self
        case .dictionary: NSDictionary.self
        case .mutableDictionary: NSMutableDictionary.self
        }
    }
}

extension Decimal {
    /// The decimal in an archive; nil if its parts fit no decimal.
    ///
    /// - Parameters:
    ///   - mantissa: The units of 16 bits, the lowest first.
    ///   - length: How many of them count.
    ///   - exponent: The power of ten.
    ///   - isBigEndian: Whether the first byte of a unit is the high one.
    ///   - isNegative: Whether it is less than zero.
    package init?(
        archivedMantissa mantissa: Data, length: Int, exponent: Int, isBigEndian: Bool,
        isNegative: Bool
    ) {
        guard (0...8).contains(length), mantissa.count >= length * 2,
            Int8(exactly: exponent) != nil
        else { return nil }
        var result = Decimal(0)
        let bytes = [UInt8](mantissa)
        for place in (0..<length).reversed() {
            let (first, second) = (UInt16(bytes[2 * place]), UInt16(bytes[2 * place + 1]))
            result =
                result * 65536
                + Decimal(Int(isBigEndian ? first << 8 | second : second << 8 | first))
        }
        self.init(
            sign: isNegative ? .minus : .plus, exponent: exponent, significand: result)
    }
}
