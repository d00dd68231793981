/// Sentences for the errors of validation.
extension CocoaError.Code {
    /// A sentence about a property that is not valid.
    ///
    /// - Parameter path: The entity and the property, as "Note.title".
    func validationMessage(_ path: String) -> String {
        switch self {
        case .validationMissingMandatoryProperty: return "\(path) is a required value."
        case .validationRelationshipLacksMinimumCount: return "\(path) has too few objects."
        case .validationRelationshipExceedsMaximumCount: return "\(path) has too many objects."
        case .validationRelationshipDeniedDelete:
            return "The object cannot be deleted because of what \(path) has."
        case .validationNumberTooLarge: return "\(path) is too large."
        case .validationNumberTooSmall: return "\(path) is too small."
        case .validationDateTooLate: return "\(path) is too late."
        case .validationDateTooSoon: return "\(path) is too soon."
        case .validationInvalidDate: return "\(path) is an invalid date."
        case .validationStringTooLong: return "\(path) is too long."
        case .validationStringTooShort: return "\(path) is too short."
        case .validationStringPatternMatching: return "\(path) does not match its pattern."
        default: return "\(path) is invalid."
        }
    }
}
