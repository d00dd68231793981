import FoundationGaps

/// An attribute of an entity: a single value of a given type.
open class NSAttributeDescription: NSPropertyDescription {
    /// The type of the attribute's values.
    open var attributeType: NSAttributeType = .undefinedAttributeType {
        willSet { requireEditable() }
    }

    /// The type of the attribute's values; the same as `attributeType`.
    open var type: AttributeType {
        get { AttributeType(rawValue: attributeType) }
        set { attributeType = newValue.rawValue }
    }

    private var storedValueClassName: String?

    /// The name of the class of the attribute's values on Apple's systems.
    ///
    /// It follows from the type; setting it has an effect for transformable attributes only.
    open var attributeValueClassName: String? {
        get { storedValueClassName ?? attributeType.valueClassName }
        set {
            requireEditable()
            storedValueClassName = newValue
        }
    }

    /// The value of the attribute in a new object.
    open var defaultValue: Any? {
        willSet { requireEditable() }
    }

    /// The name of the value transformer of a transformable attribute.
    open var valueTransformerName: String? {
        willSet { requireEditable() }
        didSet { if valueTransformerName != nil { _ = LoadedModules.findsTransformers } }
    }

    /// Whether a store may keep large data in separate files.
    open var allowsExternalBinaryDataStorage: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether the attribute's last value is kept in the history of a deletion.
    open var preservesValueInHistoryOnDeletion: Bool = false {
        willSet { requireEditable() }
    }

    /// Whether the value is encrypted in CloudKit.
    open var allowsCloudEncryption: Bool = false {
        willSet { requireEditable() }
    }

    override func emptyCopy() -> NSPropertyDescription {
        NSAttributeDescription()
    }

    override func copySettings(to copy: NSPropertyDescription) {
        super.copySettings(to: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.attributeType = attributeType
        copy.storedValueClassName = storedValueClassName
        copy.defaultValue = defaultValue
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
    }

    override func saysSame(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSAttributeDescription else { return false }
        return super.saysSame(as: other) && attributeType == other.attributeType
            && attributeValueClassName == other.attributeValueClassName
            && _areEqual(defaultValue, other.defaultValue)
            && valueTransformerName == other.valueTransformerName
            && allowsExternalBinaryDataStorage == other.allowsExternalBinaryDataStorage
            && preservesValueInHistoryOnDeletion == other.preservesValueInHistoryOnDeletion
            && allowsCloudEncryption == other.allowsCloudEncryption
    }

    override func combine(into digest: inout StructureDigest) {
        super.combine(into: &digest)
        digest.combine("attribute")
        digest.combine(Int(attributeType.rawValue))
        digest.combine(allowsExternalBinaryDataStorage)
        if attributeType == .transformableAttributeType {
            digest.combine(valueTransformerName)
        }
    }
}

extension NSAttributeType {
    /// The name of the class of the type's values; nil if any class is allowed.
    var valueClassName: String? {
        switch self {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType,
            .doubleAttributeType, .floatAttributeType, .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "NSString"
        case .dateAttributeType: "NSDate"
        case .binaryDataAttributeType: "NSData"
        case .UUIDAttributeType: "NSUUID"
        case .URIAttributeType: "NSURL"
        case .objectIDAttributeType: "NSManagedObjectID"
        case .compositeAttributeType: "NSDictionary"
        case .undefinedAttributeType, .transformableAttributeType: nil
        }
    }
}
