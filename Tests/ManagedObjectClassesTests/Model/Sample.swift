import CoreData

/// A property of each type that a managed property may have, except relationships.
final class Sample: NSManagedObject {
    enum Size: Int {
        case small, large
    }

    enum Level: UInt8 {
        case low, high
    }

    /// A class of this target that is used as a value.
    final class Label: NSObject {
        let text: String

        init(_ text: String) {
            self.text = text
        }
    }

    @NSManaged var int: Int
    @NSManaged var int8: Int8
    @NSManaged var int16: Int16
    @NSManaged var int32: Int32
    @NSManaged var int64: Int64
    @NSManaged var uint: UInt
    @NSManaged var uint8: UInt8
    @NSManaged var uint16: UInt16
    @NSManaged var uint32: UInt32
    @NSManaged var uint64: UInt64
    @NSManaged var bool: Bool
    @NSManaged var double: Double
    @NSManaged var float: Float
    @NSManaged var interval: TimeInterval
    @NSManaged var decimal: Decimal
    @NSManaged var size: Size
    @NSManaged var level: Level
    @NSManaged var string: String
    @NSManaged var date: Date
    @NSManaged var data: Data
    @NSManaged var uuid: UUID
    @NSManaged var url: URL
    @NSManaged var attributedString: AttributedString
    @NSManaged var calendar: Calendar
    @NSManaged var characterSet: CharacterSet
    @NSManaged var dateComponents: DateComponents
    @NSManaged var dateInterval: DateInterval
    @NSManaged var indexPath: IndexPath
    @NSManaged var indexSet: IndexSet
    @NSManaged var locale: Locale
    @NSManaged var personName: PersonNameComponents
    @NSManaged var timeZone: TimeZone
    @NSManaged var hashable: AnyHashable
    @NSManaged var label: Label
    @NSManaged var labels: [Label]
    @NSManaged var words: [String]
    @NSManaged var wordSet: Set<String>
    @NSManaged var counts: [String: Int]
    @NSManaged var nested: [String: [Date]]

    @NSManaged var optionalInt: Int?
    @NSManaged var optionalInt8: Int8?
    @NSManaged var optionalInt16: Int16?
    @NSManaged var optionalInt32: Int32?
    @NSManaged var optionalInt64: Int64?
    @NSManaged var optionalUint: UInt?
    @NSManaged var optionalUint8: UInt8?
    @NSManaged var optionalUint16: UInt16?
    @NSManaged var optionalUint32: UInt32?
    @NSManaged var optionalUint64: UInt64?
    @NSManaged var optionalBool: Bool?
    @NSManaged var optionalDouble: Double?
    @NSManaged var optionalFloat: Float?
    @NSManaged var optionalInterval: TimeInterval?
    @NSManaged var optionalDecimal: Decimal?
    @NSManaged var optionalSize: Size?
    @NSManaged var optionalLevel: Level?
    @NSManaged var optionalString: String?
    @NSManaged var optionalDate: Date?
    @NSManaged var optionalData: Data?
    @NSManaged var optionalUuid: UUID?
    @NSManaged var optionalUrl: URL?
    @NSManaged var optionalAttributedString: AttributedString?
    @NSManaged var optionalCalendar: Calendar?
    @NSManaged var optionalCharacterSet: CharacterSet?
    @NSManaged var optionalDateComponents: DateComponents?
    @NSManaged var optionalDateInterval: DateInterval?
    @NSManaged var optionalIndexPath: IndexPath?
    @NSManaged var optionalIndexSet: IndexSet?
    @NSManaged var optionalLocale: Locale?
    @NSManaged var optionalPersonName: PersonNameComponents?
    @NSManaged var optionalTimeZone: TimeZone?
    @NSManaged var optionalHashable: AnyHashable?
    @NSManaged var optionalLabel: Label?
    @NSManaged var optionalLabels: [Label]?
    @NSManaged var optionalWords: [String]?
    @NSManaged var optionalWordSet: Set<String>?
    @NSManaged var optionalCounts: [String: Int]?
    @NSManaged var optionalNested: [String: [Date]]?

    @NSManaged var nsString: NSString
    @NSManaged var nsNumber: NSNumber
    @NSManaged var nsDecimalNumber: NSDecimalNumber
    @NSManaged var nsDate: NSDate
    @NSManaged var nsData: NSData
    @NSManaged var nsUUID: NSUUID
    @NSManaged var nsURL: NSURL
    @NSManaged var nsArray: NSArray
    @NSManaged var nsAttributedString: NSAttributedString
    @NSManaged var nsCalendar: NSCalendar
    @NSManaged var nsDateComponents: NSDateComponents
    @NSManaged var nsDateInterval: NSDateInterval
    @NSManaged var nsDictionary: NSDictionary
    @NSManaged var nsIndexPath: NSIndexPath
    @NSManaged var nsIndexSet: NSIndexSet
    @NSManaged var nsLocale: NSLocale
    @NSManaged var nsMutableArray: NSMutableArray
    @NSManaged var nsMutableAttributedString: NSMutableAttributedString
    @NSManaged var nsMutableData: NSMutableData
    @NSManaged var nsMutableDictionary: NSMutableDictionary
    @NSManaged var nsMutableOrderedSet: NSMutableOrderedSet
    @NSManaged var nsMutableSet: NSMutableSet
    @NSManaged var nsMutableString: NSMutableString
    @NSManaged var nsObject: NSObject
    @NSManaged var nsOrderedSet: NSOrderedSet
    @NSManaged var nsSet: NSSet
    @NSManaged var nsTimeZone: NSTimeZone
    @NSManaged var nsValue: NSValue
}
