import FoundationGaps

extension ModelElement {
    /// Converts the limits of an attribute to validation predicates with error codes, as Xcode does
    /// when it compiles a model.
    func readValidation(into attribute: NSAttributeDescription) throws {
        var rules: [(predicate: NSPredicate, code: Int)] = []
        switch attribute.attributeType {
        case .stringAttributeType:
            if let length = try integer("minValueString") {
                rules.append(
                    (NSPredicate(format: "length >= %ld", length), NSValidationStringTooShortError))
            }
            if let length = try integer("maxValueString") {
                rules.append(
                    (NSPredicate(format: "length <= %ld", length), NSValidationStringTooLongError))
            }
            if let pattern = try regularExpression() {
                rules.append(
                    (
                        NSPredicate(format: "SELF MATCHES %@", pattern),
                        NSValidationStringPatternMatchingError
                    ))
            }
        case .dateAttributeType:
            if let seconds = try number("minDateTimeInterval") {
                let date = Date(timeIntervalSinceReferenceDate: seconds)
                rules.append(
                    (NSPredicate(format: "SELF >= %@", date), NSValidationDateTooSoonError))
            }
            if let seconds = try number("maxDateTimeInterval") {
                let date = Date(timeIntervalSinceReferenceDate: seconds)
                rules.append(
                    (NSPredicate(format: "SELF <= %@", date), NSValidationDateTooLateError))
            }
        default:
            if let bound = try bound("minValueString", of: attribute.attributeType) {
                rules.append(
                    (NSPredicate(format: "SELF >= %@", bound), NSValidationNumberTooSmallError))
            }
            if let bound = try bound("maxValueString", of: attribute.attributeType) {
                rules.append(
                    (NSPredicate(format: "SELF <= %@", bound), NSValidationNumberTooLargeError))
            }
        }
        attribute.setValidation(
            rules.map(\.predicate), warnings: rules.map { NSNumber(value: $0.code) })
    }

    /// A limit of a numeric attribute. Old files contain limits for attributes of other types,
    /// where they have no effect.
    private func bound(_ attribute: String, of type: NSAttributeType) throws -> NSNumber? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .decimalAttributeType, .doubleAttributeType, .floatAttributeType:
            break
        default:
            return nil
        }
        guard let text = text(attribute), !text.isEmpty else { return nil }
        if let integer = Int64(text) { return NSNumber(value: integer) }
        if type == .decimalAttributeType, let decimal = Self.decimal(text) { return decimal }
        return try number(attribute).map { NSNumber(value: $0) }
    }

    private func regularExpression() throws -> String? {
        guard let pattern = text("regularExpressionString"), !pattern.isEmpty else { return nil }
        do {
            _ = try NSRegularExpression(pattern: pattern)
        } catch {
            throw failure(
                "'\(pattern)' is not a regular expression", attribute: "regularExpressionString")
        }
        return pattern
    }
}
