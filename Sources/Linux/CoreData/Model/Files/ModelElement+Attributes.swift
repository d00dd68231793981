import FoundationGaps

extension ModelElement {
    /// Reads the settings that attributes and relationships share.
    func readPropertySettings(into property: NSPropertyDescription) throws {
        property.name = try required("name")
        property.isOptional = try flag("optional")
        property.isTransient = try flag("transient")
        property.isIndexed = try flag("indexed")
        property.isIndexedBySpotlight = try flag("spotlightIndexingEnabled")
        property.isStoredInExternalRecord = try flag("storedInTruthFile")
        property.versionHashModifier = text("versionHashModifier")
        property.renamingIdentifier = text("elementID") ?? text("renamingIdentifier")
        property.userInfo = try userInfo()
    }

    /// Reads an attribute.
    ///
    /// - Parameter composites: The model's composite types by name.
    func attributeDescription(
        composites: [String: ModelElement]
    ) throws -> NSAttributeDescription {
        let type = try type("attributeType")
        let attribute = try emptyDescription(of: type, composites: composites)
        try readPropertySettings(into: attribute)
        attribute.attributeType = type
        attribute.allowsExternalBinaryDataStorage = try flag("allowsExternalBinaryDataStorage")
        attribute.preservesValueInHistoryOnDeletion = try flag("preserveAfterDeletion")
        attribute.allowsCloudEncryption = try flag("allowsCloudEncryption")
        attribute.valueTransformerName = text("valueTransformerName")
        if type == .transformableAttributeType {
            attribute.attributeValueClassName = text("customClassName")
        }
        attribute.defaultValue = defaultValue(of: type)
        try readValidation(into: attribute)
        return attribute
    }

    private func emptyDescription(
        of type: NSAttributeType, composites: [String: ModelElement]
    ) throws -> NSAttributeDescription {
        if type == .compositeAttributeType {
            let name = try required("composite")
            guard let composite = composites[name] else {
                throw failure("there is no composite '\(name)'", attribute: "composite")
            }
            // A composite that contains itself would recurse infinitely.
            var others = composites
            others[name] = nil
            let attribute = NSCompositeAttributeDescription()
            attribute.elements = try composite.children("attribute").map {
                try $0.attributeDescription(composites: others)
            }
            return attribute
        }
        guard try flag("derived") else { return NSAttributeDescription() }
        let attribute = NSDerivedAttributeDescription()
        attribute.derivationExpression = try expression("derivationExpression")
        return attribute
    }

    /// A type of attribute by its name in Xcode; undefined if there is none.
    func type(_ attribute: String) throws -> NSAttributeType {
        guard let text = text(attribute), !text.isEmpty else { return .undefinedAttributeType }
        guard let type = Self.types[text] else {
            throw failure("'\(text)' is not a type of attribute", attribute: attribute)
        }
        return type
    }

    private static let types: [String: NSAttributeType] = [
        "Undefined": .undefinedAttributeType,
        "Integer 16": .integer16AttributeType,
        "Integer 32": .integer32AttributeType,
        "Integer 64": .integer64AttributeType,
        "Decimal": .decimalAttributeType,
        "Double": .doubleAttributeType,
        "Float": .floatAttributeType,
        "String": .stringAttributeType,
        "Boolean": .booleanAttributeType,
        "Date": .dateAttributeType,
        "Binary": .binaryDataAttributeType,
        "UUID": .UUIDAttributeType,
        "URI": .URIAttributeType,
        "Transformable": .transformableAttributeType,
        "Composite": .compositeAttributeType,
    ]

    // MARK: - Default values

    private func defaultValue(of type: NSAttributeType) -> Any? {
        let key = type == .dateAttributeType ? "defaultDateTimeInterval" : "defaultValueString"
        guard let text = text(key) else { return nil }
        guard let value = value(of: text, as: type) else {
            // An invalid default does not invalidate the rest of the model.
            ModelFileLog.write(
                failure(
                    "'\(text)' is not a value of the attribute's type; the attribute has no default",
                    attribute: key))
            return nil
        }
        return value
    }

    /// The value of a string in a model file, or nil if it is not valid for the type.
    private func value(of text: String, as type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType:
            integerValue(of: text).flatMap { Int16(exactly: $0) }.map(number)
        case .integer32AttributeType:
            integerValue(of: text).flatMap { Int32(exactly: $0) }.map(number)
        case .integer64AttributeType: integerValue(of: text).map(number)
        case .doubleAttributeType:
            Double(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        case .floatAttributeType:
            Float(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        case .decimalAttributeType: Self.decimal(text)
        case .booleanAttributeType: boolean(text).map { NSNumber(value: $0) }
        case .stringAttributeType: text
        case .UUIDAttributeType: UUID(uuidString: text)
        case .URIAttributeType: URL(string: text)
        case .binaryDataAttributeType: Data(base64Encoded: text)
        case .dateAttributeType:
            Double(text).flatMap {
                $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil
            }
        case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType,
            .compositeAttributeType:
            text
        }
    }

    /// The decimal number in a string. Foundation would accept one that is followed by other text.
    static func decimal(_ text: String) -> NSDecimalNumber? {
        guard text.allSatisfy("+-.eE0123456789".contains), Double(text) != nil else { return nil }
        return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
            .map { NSDecimalNumber(decimal: $0) }
    }

    private func number(_ integer: some BinaryInteger) -> NSNumber {
        NSNumber(value: Int64(integer))
    }

    /// An integer. Xcode leaves YES and NO behind if a Boolean became an integer.
    private func integerValue(of text: String) -> Int64? {
        if let number = Int64(text) { return number }
        // A number that is not an integer is invalid here, even as a Boolean.
        if let number = Double(text) { return Int64(exactly: number) }
        return boolean(text).map { $0 ? 1 : 0 }
    }

    private func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        // If the attribute had another type, Xcode interprets the remaining number.
        default: Double(text).map { $0 != 0 }
        }
    }
}
