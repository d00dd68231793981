/// Options for ``SMStore/initializeCloudKitSchema(options:)``. The counterpart of
/// `NSPersistentCloudKitContainerSchemaInitializationOptions`.
public struct SMSchemaInitializationOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: UInt

    /// Creates options from bits.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Creates the records without sending them.
    public static let dryRun = Self(rawValue: 1 << 1)
    /// Prints the schema.
    public static let printSchema = Self(rawValue: 1 << 2)
}
