#pragma once
#import "CoreDataDefines.h"
#import "Requests.h"

NS_ASSUME_NONNULL_BEGIN

// MARK: Kinds of stores, keys of metadata, options

extern NSString *const NSSQLiteStoreType;
extern NSString *const NSXMLStoreType API_AVAILABLE(macos(10.4)) API_UNAVAILABLE(ios, tvos, watchos, visionos);
extern NSString *const NSBinaryStoreType;
extern NSString *const NSInMemoryStoreType;

extern NSString *const NSStoreTypeKey;
extern NSString *const NSStoreUUIDKey;
extern NSString *const NSStoreModelVersionHashesKey;
extern NSString *const NSStoreModelVersionIdentifiersKey;
extern NSString *const NSPersistentStoreOSCompatibility;
extern NSString *const NSPersistentStoreModelVersionChecksumKey CORE_DATA_IOS_18;

extern NSString *const NSReadOnlyPersistentStoreOption;
extern NSString *const NSValidateXMLStoreOption API_AVAILABLE(macos(10.4)) API_UNAVAILABLE(ios, tvos, watchos, visionos);
extern NSString *const NSPersistentStoreTimeoutOption;
extern NSString *const NSSQLitePragmasOption;
extern NSString *const NSSQLiteAnalyzeOption;
extern NSString *const NSSQLiteManualVacuumOption CORE_DATA_IOS_3_4;
extern NSString *const NSIgnorePersistentStoreVersioningOption;
extern NSString *const NSMigratePersistentStoresAutomaticallyOption;
extern NSString *const NSInferMappingModelAutomaticallyOption CORE_DATA_IOS_3_4;
extern NSString *const NSPersistentStoreForceDestroyOption CORE_DATA_IOS_6;
extern NSString *const NSPersistentStoreFileProtectionKey API_AVAILABLE(ios(5.0), visionos(1.0)) API_UNAVAILABLE(macos);
extern NSString *const NSPersistentStoreConnectionPoolMaxSizeKey CORE_DATA_IOS_10;
extern NSString *const NSPersistentHistoryTrackingKey CORE_DATA_IOS_11;
extern NSString *const NSBinaryStoreSecureDecodingClasses CORE_DATA_IOS_11;
extern NSString *const NSBinaryStoreInsecureDecodingCompatibilityOption CORE_DATA_IOS_11;
extern NSString *const NSPersistentStoreRemoteChangeNotificationPostOptionKey CORE_DATA_IOS_13;
extern NSString *const NSPersistentStoreDeferredLightweightMigrationOptionKey CORE_DATA_IOS_14;
extern NSString *const NSPersistentStoreStagedMigrationManagerOptionKey CORE_DATA_IOS_17;

// MARK: Notifications

extern NSString *const NSPersistentStoreCoordinatorStoresWillChangeNotification CORE_DATA_IOS_7;
extern NSString *const NSPersistentStoreCoordinatorStoresDidChangeNotification;
extern NSString *const NSPersistentStoreCoordinatorWillRemoveStoreNotification;
extern NSString *const NSPersistentStoreRemoteChangeNotification CORE_DATA_IOS_12;
extern NSString *const NSAddedPersistentStoresKey;
extern NSString *const NSRemovedPersistentStoresKey;
extern NSString *const NSUUIDChangedPersistentStoresKey;
extern NSString *const NSPersistentStoreURLKey CORE_DATA_IOS_12;
extern NSString *const NSPersistentHistoryTokenKey CORE_DATA_IOS_12;

// MARK: Coordinators

NS_SWIFT_SENDABLE
@interface NSPersistentStoreCoordinator : NSObject <NSLocking>

- (instancetype)initWithManagedObjectModel:(NSManagedObjectModel *)model NS_DESIGNATED_INITIALIZER;
@property (readonly, strong) NSManagedObjectModel *managedObjectModel;
@property (readonly, strong) NSArray<__kindof NSPersistentStore *> *persistentStores;
@property (nullable, copy) NSString *name CORE_DATA_IOS_8;

- (nullable __kindof NSPersistentStore *)persistentStoreForURL:(NSURL *)URL;
- (NSURL *)URLForPersistentStore:(NSPersistentStore *)store;
- (BOOL)setURL:(NSURL *)url forPersistentStore:(NSPersistentStore *)store;
- (nullable __kindof NSPersistentStore *)addPersistentStoreWithType:(NSString *)storeType
                                                      configuration:(nullable NSString *)configuration
                                                                URL:(nullable NSURL *)storeURL
                                                            options:(nullable NSDictionary *)options
                                                              error:(NSError **)error
    NS_SWIFT_NAME(addPersistentStore(ofType:configurationName:at:options:));
- (void)addPersistentStoreWithDescription:(NSPersistentStoreDescription *)storeDescription
                        completionHandler:(void (^)(NSPersistentStoreDescription *, NSError *_Nullable))block
    CORE_DATA_IOS_10 NS_SWIFT_DISABLE_ASYNC;
- (BOOL)removePersistentStore:(NSPersistentStore *)store error:(NSError **)error NS_SWIFT_NAME(remove(_:));
- (void)setMetadata:(nullable NSDictionary<NSString *, id> *)metadata forPersistentStore:(NSPersistentStore *)store;
- (NSDictionary<NSString *, id> *)metadataForPersistentStore:(NSPersistentStore *)store;
- (nullable NSManagedObjectID *)managedObjectIDForURIRepresentation:(NSURL *)url;
- (NSManagedObjectID *)managedObjectIDFromUTF8String:(const char *)utf8string
                                              length:(NSUInteger)len CORE_DATA_IOS_18 NS_REFINED_FOR_SWIFT;
- (nullable id)executeRequest:(NSPersistentStoreRequest *)request
                  withContext:(NSManagedObjectContext *)context
                        error:(NSError **)error CORE_DATA_IOS_5;

@property (class, readonly, copy) NSDictionary<NSString *, NSValue *> *registeredStoreTypes;
+ (void)registerStoreClass:(nullable Class)storeClass forStoreType:(NSString *)storeType;
+ (nullable NSDictionary<NSString *, id> *)metadataForPersistentStoreOfType:(NSString *)storeType
                                                                       URL:(NSURL *)url
                                                                   options:(nullable NSDictionary *)options
                                                                     error:(NSError **)error
    CORE_DATA_IOS_7 NS_SWIFT_NAME(metadataForPersistentStore(ofType:at:options:));
+ (BOOL)setMetadata:(nullable NSDictionary<NSString *, id> *)metadata
    forPersistentStoreOfType:(NSString *)storeType
                         URL:(NSURL *)url
                     options:(nullable NSDictionary *)options
                       error:(NSError **)error
    CORE_DATA_IOS_7 NS_SWIFT_NAME(setMetadata(_:forPersistentStoreOfType:at:options:));
+ (nullable NSManagedObjectModel *)cachedModelForPersistentStoreAtURL:(NSURL *)url
                                                              options:(nullable NSDictionary *)options
                                                                error:(NSError **)error
    CORE_DATA_IOS_26_4 NS_SWIFT_NAME(cachedModelForPersistentStore(at:options:));

- (nullable __kindof NSPersistentStore *)migratePersistentStore:(NSPersistentStore *)store
                                                          toURL:(NSURL *)URL
                                                        options:(nullable NSDictionary *)options
                                                       withType:(NSString *)storeType
                                                          error:(NSError **)error;
- (BOOL)destroyPersistentStoreAtURL:(NSURL *)url
                           withType:(NSString *)storeType
                            options:(nullable NSDictionary *)options
                              error:(NSError **)error
    CORE_DATA_IOS_9 NS_SWIFT_NAME(destroyPersistentStore(at:ofType:options:));
- (BOOL)replacePersistentStoreAtURL:(NSURL *)destinationURL
                 destinationOptions:(nullable NSDictionary *)destinationOptions
         withPersistentStoreFromURL:(NSURL *)sourceURL
                      sourceOptions:(nullable NSDictionary *)sourceOptions
                          storeType:(NSString *)storeType
                              error:(NSError **)error CORE_DATA_IOS_9
    NS_SWIFT_NAME(replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:));

- (void)performBlock:(void(NS_SWIFT_SENDABLE ^)(void))block CORE_DATA_IOS_8;
- (void)performBlockAndWait:(void(NS_NOESCAPE NS_SWIFT_SENDABLE ^)(void))block
    CORE_DATA_IOS_8 NS_SWIFT_NAME(performAndWait(_:));
- (nullable NSPersistentHistoryToken *)currentPersistentHistoryTokenFromStores:(nullable NSArray *)stores
    CORE_DATA_IOS_12;
- (BOOL)finishDeferredLightweightMigration:(NSError **)error CORE_DATA_IOS_14;
- (BOOL)finishDeferredLightweightMigrationTask:(NSError **)error CORE_DATA_IOS_14;

+ (nullable NSDictionary *)metadataForPersistentStoreWithURL:(NSURL *)url
                                                       error:(NSError **)error
    API_DEPRECATED("Use -metadataForPersistentStoreOfType:URL:options:error: instead", macos(10.4, 10.5))
    API_UNAVAILABLE(ios, tvos, watchos, visionos);
+ (nullable NSDictionary<NSString *, id> *)metadataForPersistentStoreOfType:(nullable NSString *)storeType
                                                                       URL:(NSURL *)url
                                                                     error:(NSError **)error
    CORE_DATA_DEPRECATED_IOS_9("Use -metadataForPersistentStoreOfType:URL:options:error: instead")
    NS_SWIFT_NAME(metadataForPersistentStore(ofType:at:));
+ (BOOL)setMetadata:(nullable NSDictionary<NSString *, id> *)metadata
    forPersistentStoreOfType:(nullable NSString *)storeType
                         URL:(NSURL *)url
                       error:(NSError **)error
    CORE_DATA_DEPRECATED_IOS_9("Use -setMetadata:forPersistentStoreOfType:URL:options:error: instead")
    NS_SWIFT_NAME(setMetadata(_:forPersistentStoreOfType:at:));
- (void)lock CORE_DATA_DEPRECATED_IOS_9("Use -performBlockAndWait: instead");
- (void)unlock CORE_DATA_DEPRECATED_IOS_9("Use -performBlockAndWait: instead");
- (BOOL)tryLock CORE_DATA_DEPRECATED_IOS_9("Use -performBlock: instead");

@end

// MARK: Containers

CORE_DATA_IOS_10
@interface NSPersistentStoreDescription : NSObject <NSCopying>

+ (instancetype)persistentStoreDescriptionWithURL:(NSURL *)URL;
- (instancetype)initWithURL:(NSURL *)url NS_DESIGNATED_INITIALIZER;
@property (copy) NSString *type;
@property (copy, nullable) NSString *configuration;
@property (copy, nullable) NSURL *URL;
@property (nonatomic, copy, readonly) NSDictionary<NSString *, NSObject *> *options;
- (void)setOption:(nullable NSObject *)option forKey:(NSString *)key;
@property (getter=isReadOnly) BOOL readOnly;
@property NSTimeInterval timeout;
@property (copy, readonly) NSDictionary<NSString *, NSObject *> *sqlitePragmas;
- (void)setValue:(nullable NSObject *)value forPragmaNamed:(NSString *)name;
@property BOOL shouldAddStoreAsynchronously;
@property BOOL shouldMigrateStoreAutomatically;
@property BOOL shouldInferMappingModelAutomatically;

@end

CORE_DATA_IOS_10
NS_SWIFT_SENDABLE
@interface NSPersistentContainer : NSObject

+ (instancetype)persistentContainerWithName:(NSString *)name;
+ (instancetype)persistentContainerWithName:(NSString *)name managedObjectModel:(NSManagedObjectModel *)model;
+ (NSURL *)defaultDirectoryURL;
- (instancetype)initWithName:(NSString *)name;
- (instancetype)initWithName:(NSString *)name
          managedObjectModel:(NSManagedObjectModel *)model NS_DESIGNATED_INITIALIZER;
@property (copy, readonly) NSString *name;
@property (strong, readonly) NSManagedObjectContext *viewContext;
@property (strong, readonly) NSManagedObjectModel *managedObjectModel;
@property (strong, readonly) NSPersistentStoreCoordinator *persistentStoreCoordinator;
@property (copy) NSArray<NSPersistentStoreDescription *> *persistentStoreDescriptions;
- (void)loadPersistentStoresWithCompletionHandler:
    (void (^)(NSPersistentStoreDescription *, NSError *_Nullable))block NS_SWIFT_DISABLE_ASYNC;
- (NSManagedObjectContext *)newBackgroundContext;
- (void)performBackgroundTask:(void(NS_SWIFT_SENDABLE ^)(NSManagedObjectContext *))block;

@end

NS_ASSUME_NONNULL_END
