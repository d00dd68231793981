/// A query: a record type, filters that must all match, and an order.
public struct QueryDictionary: Hashable, Sendable, Codable {
    /// The type of the records.
    public var recordType: String
    /// Conditions. All of them must hold.
    public var filterBy: [FilterDictionary]?
    /// The order of the results.
    public var sortBy: [SortDictionary]?

    /// Creates a query.
    public init(
        recordType: String, filterBy: [FilterDictionary]? = nil, sortBy: [SortDictionary]? = nil
    ) {
        self.recordType = recordType
        self.filterBy = filterBy
        self.sortBy = sortBy
    }
}

/// One condition of a query.
public struct FilterDictionary: Hashable, Sendable, Codable {
    /// How the field is compared.
    public var comparator: Comparator
    /// The field. Either this or `systemFieldName` is set, or neither for a token search.
    public var fieldName: String?
    /// The system field: `recordName`, `createdTimestamp`, `createdUserRecordName`,
    /// `modifiedTimestamp`, `modifiedUserRecordName`, `parent`, `share`.
    public var systemFieldName: String?
    /// The value that the field is compared with.
    public var fieldValue: RecordFieldDictionary?
    /// The radius in meters, for `NEAR`.
    public var distance: Double?

    /// Creates a condition.
    public init(
        comparator: Comparator,
        fieldName: String? = nil,
        systemFieldName: String? = nil,
        fieldValue: RecordFieldDictionary? = nil,
        distance: Double? = nil
    ) {
        self.comparator = comparator
        self.fieldName = fieldName
        self.systemFieldName = systemFieldName
        self.fieldValue = fieldValue
        self.distance = distance
    }

    /// How a field is compared.
    public enum Comparator: String, Hashable, Sendable, Codable, CaseIterable {
        /// The field equals the value.
        case equals = "EQUALS"
        /// The field does not equal the value.
        case notEquals = "NOT_EQUALS"
        /// The field is less than the value.
        case lessThan = "LESS_THAN"
        /// The field is less than or equal to the value.
        case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
        /// The field is greater than the value.
        case greaterThan = "GREATER_THAN"
        /// The field is greater than or equal to the value.
        case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
        /// The location is within the distance of the value.
        case near = "NEAR"
        /// The text contains all words of the value.
        case containsAllTokens = "CONTAINS_ALL_TOKENS"
        /// The text contains a word of the value.
        case containsAnyTokens = "CONTAINS_ANY_TOKENS"
        /// The field is an element of the value.
        case `in` = "IN"
        /// The field is not an element of the value.
        case notIn = "NOT_IN"
        /// The list contains the value.
        case listContains = "LIST_CONTAINS"
        /// The list does not contain the value.
        case notListContains = "NOT_LIST_CONTAINS"
        /// The list contains an element of the value.
        case listContainsAny = "LIST_CONTAINS_ANY"
        /// The list contains no element of the value.
        case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
        /// The list contains all elements of the value.
        case listContainsAll = "LIST_CONTAINS_ALL"
        /// The list lacks an element of the value.
        case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
        /// The text begins with the value.
        case beginsWith = "BEGINS_WITH"
        /// The text does not begin with the value.
        case notBeginsWith = "NOT_BEGINS_WITH"
        /// An element of the list begins with the value.
        case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
        /// No element of the list begins with the value.
        case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"
    }
}

/// One key of a query's order.
public struct SortDictionary: Hashable, Sendable, Codable {
    /// The field. Either this or `systemFieldName` is set.
    public var fieldName: String?
    /// The system field, as in a filter.
    public var systemFieldName: String?
    /// Whether the smallest value comes first; true if absent.
    public var ascending: Bool?
    /// Orders by the distance from this location.
    public var relativeLocation: LocationDictionary?

    /// Creates a sort key.
    public init(
        fieldName: String? = nil,
        systemFieldName: String? = nil,
        ascending: Bool? = nil,
        relativeLocation: LocationDictionary? = nil
    ) {
        self.fieldName = fieldName
        self.systemFieldName = systemFieldName
        self.ascending = ascending
        self.relativeLocation = relativeLocation
    }
}
