// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// What of Core Data is Swift's only.

@_exported import CoreData
import Foundation

// MARK: - Errors

extension CocoaError.Code {
    public static var managedObjectValidation: CocoaError.Code { CocoaError.Code(rawValue: 1550) }
    public static var validationMultipleErrors: CocoaError.Code { CocoaError.Code(rawValue: 1560) }
    public static var validationMissingMandatoryProperty: CocoaError.Code {
        CocoaError.Code(rawValue: 1570)
    }
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        CocoaError.Code(rawValue: 1580)
    }
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        CocoaError.Code(rawValue: 1590)
    }
    public static var validationRelationshipDeniedDelete: CocoaError.Code {
        CocoaError.Code(rawValue: 1600)
    }
    public static var validationNumberTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 1610) }
    public static var validationNumberTooSmall: CocoaError.Code { CocoaError.Code(rawValue: 1620) }
    public static var validationDateTooLate: CocoaError.Code { CocoaError.Code(rawValue: 1630) }
    public static var validationDateTooSoon: CocoaError.Code { CocoaError.Code(rawValue: 1640) }
    public static var validationInvalidDate: CocoaError.Code { CocoaError.Code(rawValue: 1650) }
    public static var validationStringTooLong: CocoaError.Code { CocoaError.Code(rawValue: 1660) }
    public static var validationStringTooShort: CocoaError.Code { CocoaError.Code(rawValue: 1670) }
    public static var validationStringPatternMatching: CocoaError.Code {
        CocoaError.Code(rawValue: 1680)
    }
    public static var managedObjectContextLocking: CocoaError.Code {
        CocoaError.Code(rawValue: 132000)
    }
    public static var persistentStoreCoordinatorLocking: CocoaError.Code {
        CocoaError.Code(rawValue: 132010)
    }
    public static var managedObjectReferentialIntegrity: CocoaError.Code {
        CocoaError.Code(rawValue: 133000)
    }
    public static var managedObjectExternalRelationship: CocoaError.Code {
        CocoaError.Code(rawValue: 133010)
    }
    public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: 133020) }
    public static var managedObjectConstraintMerge: CocoaError.Code {
        CocoaError.Code(rawValue: 133021)
    }
    public static var persistentStoreInvalidType: CocoaError.Code {
        CocoaError.Code(rawValue: 134000)
    }
    public static var persistentStoreTypeMismatch: CocoaError.Code {
        CocoaError.Code(rawValue: 134010)
    }
    public static var persistentStoreIncompatibleSchema: CocoaError.Code {
        CocoaError.Code(rawValue: 134020)
    }
    public static var persistentStoreSave: CocoaError.Code { CocoaError.Code(rawValue: 134030) }
    public static var persistentStoreIncompleteSave: CocoaError.Code {
        CocoaError.Code(rawValue: 134040)
    }
    public static var persistentStoreSaveConflicts: CocoaError.Code {
        CocoaError.Code(rawValue: 134050)
    }
    public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: 134060) }
    public static var persistentStoreOperation: CocoaError.Code {
        CocoaError.Code(rawValue: 134070)
    }
    public static var persistentStoreOpen: CocoaError.Code { CocoaError.Code(rawValue: 134080) }
    public static var persistentStoreTimeout: CocoaError.Code { CocoaError.Code(rawValue: 134090) }
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
        CocoaError.Code(rawValue: 134091)
    }
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        CocoaError.Code(rawValue: 134100)
    }
    public static var migration: CocoaError.Code { CocoaError.Code(rawValue: 134110) }
    public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: 134120) }
    public static var migrationMissingSourceModel: CocoaError.Code {
        CocoaError.Code(rawValue: 134130)
    }
    public static var migrationMissingMappingModel: CocoaError.Code {
        CocoaError.Code(rawValue: 134140)
    }
    public static var migrationManagerSourceStore: CocoaError.Code {
        CocoaError.Code(rawValue: 134150)
    }
    public static var migrationManagerDestinationStore: CocoaError.Code {
        CocoaError.Code(rawValue: 134160)
    }
    public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: 134170) }
    public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: 134180) }
    public static var inferredMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134190) }
    public static var externalRecordImport: CocoaError.Code { CocoaError.Code(rawValue: 134200) }
}

extension CocoaError {
    public static var managedObjectValidation: CocoaError.Code { CocoaError.Code(rawValue: 1550) }
    public static var validationMultipleErrors: CocoaError.Code { CocoaError.Code(rawValue: 1560) }
    public static var validationMissingMandatoryProperty: CocoaError.Code {
        CocoaError.Code(rawValue: 1570)
    }
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
        CocoaError.Code(rawValue: 1580)
    }
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
        CocoaError.Code(rawValue: 1590)
    }
    public static var validationRelationshipDeniedDelete: CocoaError.Code {
        CocoaError.Code(rawValue: 1600)
    }
    public static var validationNumberTooLarge: CocoaError.Code { CocoaError.Code(rawValue: 1610) }
    public static var validationNumberTooSmall: CocoaError.Code { CocoaError.Code(rawValue: 1620) }
    public static var validationDateTooLate: CocoaError.Code { CocoaError.Code(rawValue: 1630) }
    public static var validationDateTooSoon: CocoaError.Code { CocoaError.Code(rawValue: 1640) }
    public static var validationInvalidDate: CocoaError.Code { CocoaError.Code(rawValue: 1650) }
    public static var validationStringTooLong: CocoaError.Code { CocoaError.Code(rawValue: 1660) }
    public static var validationStringTooShort: CocoaError.Code { CocoaError.Code(rawValue: 1670) }
    public static var validationStringPatternMatching: CocoaError.Code {
        CocoaError.Code(rawValue: 1680)
    }
    public static var managedObjectContextLocking: CocoaError.Code {
        CocoaError.Code(rawValue: 132000)
    }
    public static var persistentStoreCoordinatorLocking: CocoaError.Code {
        CocoaError.Code(rawValue: 132010)
    }
    public static var managedObjectReferentialIntegrity: CocoaError.Code {
        CocoaError.Code(rawValue: 133000)
    }
    public static var managedObjectExternalRelationship: CocoaError.Code {
        CocoaError.Code(rawValue: 133010)
    }
    public static var managedObjectMerge: CocoaError.Code { CocoaError.Code(rawValue: 133020) }
    public static var managedObjectConstraintMerge: CocoaError.Code {
        CocoaError.Code(rawValue: 133021)
    }
    public static var persistentStoreInvalidType: CocoaError.Code {
        CocoaError.Code(rawValue: 134000)
    }
    public static var persistentStoreTypeMismatch: CocoaError.Code {
        CocoaError.Code(rawValue: 134010)
    }
    public static var persistentStoreIncompatibleSchema: CocoaError.Code {
        CocoaError.Code(rawValue: 134020)
    }
    public static var persistentStoreSave: CocoaError.Code { CocoaError.Code(rawValue: 134030) }
    public static var persistentStoreIncompleteSave: CocoaError.Code {
        CocoaError.Code(rawValue: 134040)
    }
    public static var persistentStoreSaveConflicts: CocoaError.Code {
        CocoaError.Code(rawValue: 134050)
    }
    public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: 134060) }
    public static var persistentStoreOperation: CocoaError.Code {
        CocoaError.Code(rawValue: 134070)
    }
    public static var persistentStoreOpen: CocoaError.Code { CocoaError.Code(rawValue: 134080) }
    public static var persistentStoreTimeout: CocoaError.Code { CocoaError.Code(rawValue: 134090) }
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
        CocoaError.Code(rawValue: 134091)
    }
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
        CocoaError.Code(rawValue: 134100)
    }
    public static var migration: CocoaError.Code { CocoaError.Code(rawValue: 134110) }
    public static var migrationCancelled: CocoaError.Code { CocoaError.Code(rawValue: 134120) }
    public static var migrationMissingSourceModel: CocoaError.Code {
        CocoaError.Code(rawValue: 134130)
    }
    public static var migrationMissingMappingModel: CocoaError.Code {
        CocoaError.Code(rawValue: 134140)
    }
    public static var migrationManagerSourceStore: CocoaError.Code {
        CocoaError.Code(rawValue: 134150)
    }
    public static var migrationManagerDestinationStore: CocoaError.Code {
        CocoaError.Code(rawValue: 134160)
    }
    public static var entityMigrationPolicy: CocoaError.Code { CocoaError.Code(rawValue: 134170) }
    public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: 134180) }
    public static var inferredMappingModel: CocoaError.Code { CocoaError.Code(rawValue: 134190) }
    public static var externalRecordImport: CocoaError.Code { CocoaError.Code(rawValue: 134200) }
}

// MARK: - Contexts

extension NSManagedObjectContext {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct ConcurrencyType {
        public static let mainQueue = ConcurrencyType()
        public static let privateQueue = ConcurrencyType()
    }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public enum ScheduledTaskType {
        case immediate, enqueued
    }

    @available(macOS 10.4, iOS 3.0, visionOS 1.0, *)
    public enum NotificationKey: String {
        case insertedObjects, updatedObjects, deletedObjects, refreshedObjects, invalidatedObjects
        case invalidatedAllObjects, insertedObjectIDs, updatedObjectIDs, deletedObjectIDs
        case refreshedObjectIDs, invalidatedObjectIDs, queryGeneration
    }

    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    public static let didChangeObjectsNotification = Notification.Name
        .NSManagedObjectContextObjectsDidChange
    @available(macOS 10.12.4, iOS 10.3, tvOS 10.2, watchOS 3.2, visionOS 1.0, *)
    public static let didSaveObjectIDsNotification = Notification.Name
        .NSManagedObjectContextDidSaveObjectIDs
    @available(macOS 10.12.4, iOS 10.3, tvOS 10.2, watchOS 3.2, visionOS 1.0, *)
    public static let didMergeChangesObjectIDsNotification = Notification.Name
        .NSManagedObjectContextDidMergeChangesObjectIDs

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    nonisolated public convenience init(_ type: ConcurrencyType) { fatalError() }

    public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] where T: NSFetchRequestResult {
        fatalError()
    }

    public func count<T>(for request: NSFetchRequest<T>) throws -> Int
    where T: NSFetchRequestResult { fatalError() }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @preconcurrency nonisolated public func performAndWait<T>(_ block: @Sendable () throws -> T)
        rethrows -> T
    {
        fatalError()
    }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @preconcurrency nonisolated public func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T { fatalError() }
}

extension NSManagedObject {
    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public subscript(key: String) -> Any? {
        get { fatalError() }
        set {}
    }
}

// MARK: - Models

extension NSAttributeDescription {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct AttributeType: RawRepresentable {
        public typealias RawValue = NSAttributeType
        public let rawValue: NSAttributeType
        public init(rawValue: NSAttributeType) { self.rawValue = rawValue }

        public static let undefined = AttributeType(rawValue: .undefinedAttributeType)
        public static let integer16 = AttributeType(rawValue: .integer16AttributeType)
        public static let integer32 = AttributeType(rawValue: .integer32AttributeType)
        public static let integer64 = AttributeType(rawValue: .integer64AttributeType)
        public static let decimal = AttributeType(rawValue: .decimalAttributeType)
        public static let double = AttributeType(rawValue: .doubleAttributeType)
        public static let float = AttributeType(rawValue: .floatAttributeType)
        public static let string = AttributeType(rawValue: .stringAttributeType)
        public static let boolean = AttributeType(rawValue: .booleanAttributeType)
        public static let date = AttributeType(rawValue: .dateAttributeType)
        public static let binaryData = AttributeType(rawValue: .binaryDataAttributeType)
        public static let uuid = AttributeType(rawValue: .UUIDAttributeType)
        public static let uri = AttributeType(rawValue: .URIAttributeType)
        public static let transformable = AttributeType(rawValue: .transformableAttributeType)
        public static let objectID = AttributeType(rawValue: .objectIDAttributeType)
        @available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
        public static let composite = AttributeType(rawValue: .compositeAttributeType)
    }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public var type: AttributeType {
        get { fatalError() }
        set {}
    }
}

extension NSExpressionDescription {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public var resultType: NSAttributeDescription.AttributeType {
        get { fatalError() }
        set {}
    }
}

// MARK: - Stores

extension NSPersistentStore {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public struct StoreType: RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        #if os(macOS)
        public static let xml = StoreType(rawValue: NSXMLStoreType)
        #endif
    }
}

extension NSPersistentStoreCoordinator {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @preconcurrency public func performAndWait<T>(_ block: @Sendable () throws -> T) rethrows -> T {
        fatalError()
    }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    @preconcurrency public func perform<T>(_ block: @escaping @Sendable () throws -> T)
        async rethrows -> T
    {
        fatalError()
    }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType)
    {}

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public class func metadataForPersistentStore(
        type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] { fatalError() }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public class func setMetadata(
        _ metadata: [String: Any]?, type storeType: NSPersistentStore.StoreType, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {}

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore { fatalError() }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore { fatalError() }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {}

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {}

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    public func managedObjectID(for string: String) -> NSManagedObjectID? { fatalError() }
}

extension NSPersistentContainer {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public class var defaultDirectoryURL: URL { fatalError() }

    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public func performBackgroundTask<T>(
        _ block: @escaping (NSManagedObjectContext) throws -> T
    ) async rethrows -> T { fatalError() }
}

// MARK: - Migration

extension NSMigrationManager {
    @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, visionOS 1.0, *)
    public func migrateStore(
        from sourceURL: URL, type sStoreType: NSPersistentStore.StoreType,
        options sOptions: [AnyHashable: Any]? = nil,
        mapping: NSMappingModel, to destinationURL: URL,
        type dStoreType: NSPersistentStore.StoreType,
        options dOptions: [AnyHashable: Any]? = nil
    ) throws {}
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension NSLightweightMigrationStage {
    public convenience init(_ versionChecksums: [String]) { fatalError() }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension NSCustomMigrationStage {
    public convenience init(
        migratingFrom currentModel: NSManagedObjectModelReference,
        to nextModel: NSManagedObjectModelReference
    ) { fatalError() }

    public var willMigrateHandler:
        ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
    {
        get { fatalError() }
        set {}
    }

    public var didMigrateHandler:
        ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
    {
        get { fatalError() }
        set {}
    }
}

@available(macOS 14.0, iOS 17.0, tvOS 17.0, watchOS 10.0, visionOS 1.0, *)
extension NSStagedMigrationManager {
    public convenience init(_ stages: [NSMigrationStage]) { fatalError() }
}
