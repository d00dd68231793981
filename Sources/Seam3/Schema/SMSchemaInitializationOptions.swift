/// How ``SMStore/initializeCloudKitSchema(options:)`` works. As
/// `NSPersistentCloudKitContainerSchemaInitializationOptions`.
public struct SMSchemaInitializationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Makes options of bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Makes the records without sending them.
    public static let dryRun = Self(rawValue: 1 << 1)
    /// Prints the schema.
    public static let printSchema = Self(rawValue: 1 << 2)
}
