#pragma once
#import "CoreDataDefines.h"

NS_ASSUME_NONNULL_BEGIN

@class NSEntityMapping, NSPropertyMapping, NSMigrationManager, NSStagedMigrationManager, NSMigrationStage;

// MARK: Mapping models

@interface NSMappingModel : NSObject

+ (nullable NSMappingModel *)mappingModelFromBundles:(nullable NSArray<NSBundle *> *)bundles
                                      forSourceModel:(nullable NSManagedObjectModel *)sourceModel
                                    destinationModel:(nullable NSManagedObjectModel *)destinationModel;
+ (nullable NSMappingModel *)inferredMappingModelForSourceModel:(NSManagedObjectModel *)sourceModel
                                               destinationModel:(NSManagedObjectModel *)destinationModel
                                                          error:(NSError **)error CORE_DATA_IOS_3_4;
- (nullable instancetype)initWithContentsOfURL:(nullable NSURL *)url;
@property (null_unspecified, strong) NSArray<NSEntityMapping *> *entityMappings;
@property (readonly, copy) NSDictionary<NSString *, NSEntityMapping *> *entityMappingsByName;

@end

typedef NS_ENUM(NSUInteger, NSEntityMappingType) {
    NSUndefinedEntityMappingType = 0x00,
    NSCustomEntityMappingType = 0x01,
    NSAddEntityMappingType = 0x02,
    NSRemoveEntityMappingType = 0x03,
    NSCopyEntityMappingType = 0x04,
    NSTransformEntityMappingType = 0x05,
};

@interface NSEntityMapping : NSObject

@property (null_resettable, copy) NSString *name;
@property NSEntityMappingType mappingType;
@property (nullable, copy) NSString *sourceEntityName;
@property (nullable, copy) NSData *sourceEntityVersionHash;
@property (nullable, copy) NSString *destinationEntityName;
@property (nullable, copy) NSData *destinationEntityVersionHash;
@property (nullable, strong) NSArray<NSPropertyMapping *> *attributeMappings;
@property (nullable, strong) NSArray<NSPropertyMapping *> *relationshipMappings;
@property (nullable, strong) NSExpression *sourceExpression;
@property (nullable, strong) NSDictionary *userInfo;
@property (nullable, copy) NSString *entityMigrationPolicyClassName;

@end

@interface NSPropertyMapping : NSObject

@property (nullable, copy) NSString *name;
@property (nullable, strong) NSExpression *valueExpression;
@property (nullable, strong) NSDictionary *userInfo;

@end

// MARK: Migrations by mapping models

@interface NSMigrationManager : NSObject

- (instancetype)initWithSourceModel:(NSManagedObjectModel *)sourceModel
                   destinationModel:(NSManagedObjectModel *)destinationModel;
- (BOOL)migrateStoreFromURL:(NSURL *)sourceURL
                       type:(NSString *)sStoreType
                    options:(nullable NSDictionary *)sOptions
           withMappingModel:(nullable NSMappingModel *)mappings
           toDestinationURL:(NSURL *)dURL
            destinationType:(NSString *)dStoreType
         destinationOptions:(nullable NSDictionary *)dOptions
                      error:(NSError **)error
    NS_SWIFT_NAME(migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:));
@property BOOL usesStoreSpecificMigrationManager CORE_DATA_IOS_5;
- (void)reset;
@property (readonly, strong) NSMappingModel *mappingModel;
@property (readonly, strong) NSManagedObjectModel *sourceModel;
@property (readonly, strong) NSManagedObjectModel *destinationModel;
@property (readonly, strong) NSManagedObjectContext *sourceContext;
@property (readonly, strong) NSManagedObjectContext *destinationContext;
- (nullable NSEntityDescription *)sourceEntityForEntityMapping:(NSEntityMapping *)mEntity;
- (nullable NSEntityDescription *)destinationEntityForEntityMapping:(NSEntityMapping *)mEntity;
- (void)associateSourceInstance:(NSManagedObject *)sourceInstance
        withDestinationInstance:(NSManagedObject *)destinationInstance
               forEntityMapping:(NSEntityMapping *)entityMapping
    NS_SWIFT_NAME(associate(sourceInstance:withDestinationInstance:for:));
- (NSArray<__kindof NSManagedObject *> *)
    destinationInstancesForEntityMappingNamed:(NSString *)mappingName
                              sourceInstances:(nullable NSArray<__kindof NSManagedObject *> *)sourceInstances
    NS_SWIFT_NAME(destinationInstances(forEntityMappingName:sourceInstances:));
- (NSArray<__kindof NSManagedObject *> *)
    sourceInstancesForEntityMappingNamed:(NSString *)mappingName
                    destinationInstances:(nullable NSArray<__kindof NSManagedObject *> *)destinationInstances
    NS_SWIFT_NAME(sourceInstances(forEntityMappingName:destinationInstances:));
@property (readonly, strong) NSEntityMapping *currentEntityMapping;
@property (readonly) float migrationProgress;
@property (nullable, strong) NSDictionary *userInfo;
- (void)cancelMigrationWithError:(NSError *)error;

@end

extern NSString *const NSMigrationManagerKey;
extern NSString *const NSMigrationSourceObjectKey;
extern NSString *const NSMigrationDestinationObjectKey;
extern NSString *const NSMigrationEntityMappingKey;
extern NSString *const NSMigrationPropertyMappingKey;
extern NSString *const NSMigrationEntityPolicyKey CORE_DATA_IOS_4;

@interface NSEntityMigrationPolicy : NSObject

- (BOOL)beginEntityMapping:(NSEntityMapping *)mapping
                   manager:(NSMigrationManager *)manager
                     error:(NSError **)error NS_SWIFT_NAME(begin(_:with:));
- (BOOL)createDestinationInstancesForSourceInstance:(NSManagedObject *)sInstance
                                      entityMapping:(NSEntityMapping *)mapping
                                            manager:(NSMigrationManager *)manager
                                              error:(NSError **)error
    NS_SWIFT_NAME(createDestinationInstances(forSource:in:manager:));
- (BOOL)endInstanceCreationForEntityMapping:(NSEntityMapping *)mapping
                                    manager:(NSMigrationManager *)manager
                                      error:(NSError **)error
    NS_SWIFT_NAME(endInstanceCreation(forMapping:manager:));
- (BOOL)createRelationshipsForDestinationInstance:(NSManagedObject *)dInstance
                                    entityMapping:(NSEntityMapping *)mapping
                                          manager:(NSMigrationManager *)manager
                                            error:(NSError **)error
    NS_SWIFT_NAME(createRelationships(forDestination:in:manager:));
- (BOOL)endRelationshipCreationForEntityMapping:(NSEntityMapping *)mapping
                                        manager:(NSMigrationManager *)manager
                                          error:(NSError **)error
    NS_SWIFT_NAME(endRelationshipCreation(forMapping:manager:));
- (BOOL)performCustomValidationForEntityMapping:(NSEntityMapping *)mapping
                                        manager:(NSMigrationManager *)manager
                                          error:(NSError **)error
    NS_SWIFT_NAME(performCustomValidation(forMapping:manager:));
- (BOOL)endEntityMapping:(NSEntityMapping *)mapping manager:(NSMigrationManager *)manager error:(NSError **)error;

@end

// MARK: Staged migrations

CORE_DATA_IOS_17
@interface NSManagedObjectModelReference : NSObject

@property (strong, readonly) NSManagedObjectModel *resolvedModel;
@property (strong, readonly) NSString *versionChecksum;
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)initWithModel:(NSManagedObjectModel *)model
              versionChecksum:(NSString *)versionChecksum NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithFileURL:(NSURL *)fileURL
                versionChecksum:(NSString *)versionChecksum NS_DESIGNATED_INITIALIZER;
- (instancetype)initWithEntityVersionHashes:(NSDictionary *)versionHash
                                   inBundle:(nullable NSBundle *)bundle
                            versionChecksum:(NSString *)versionChecksum NS_DESIGNATED_INITIALIZER
    NS_SWIFT_NAME(init(entityVersionHashes:in:versionChecksum:));
- (instancetype)initWithName:(NSString *)modelName
                    inBundle:(nullable NSBundle *)bundle
             versionChecksum:(NSString *)versionChecksum NS_DESIGNATED_INITIALIZER
    NS_SWIFT_NAME(init(name:in:versionChecksum:));

@end

CORE_DATA_IOS_17
@interface NSMigrationStage : NSObject

@property (null_resettable, strong) NSString *label;

@end

CORE_DATA_IOS_17
@interface NSLightweightMigrationStage : NSMigrationStage

@property (readonly) NSArray<NSString *> *versionChecksums;
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)initWithVersionChecksums:(NSArray<NSString *> *)versionChecksums
    NS_DESIGNATED_INITIALIZER NS_REFINED_FOR_SWIFT;

@end

CORE_DATA_IOS_17
@interface NSCustomMigrationStage : NSMigrationStage

@property (readonly) NSManagedObjectModelReference *currentModel;
@property (readonly) NSManagedObjectModelReference *nextModel;
@property (nullable, copy) BOOL (^willMigrateHandler)(NSStagedMigrationManager *, NSCustomMigrationStage *, NSError **)
    NS_REFINED_FOR_SWIFT;
@property (nullable, copy) BOOL (^didMigrateHandler)(NSStagedMigrationManager *, NSCustomMigrationStage *, NSError **)
    NS_REFINED_FOR_SWIFT;
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)initWithCurrentModelReference:(NSManagedObjectModelReference *)currentModel
                           nextModelReference:(NSManagedObjectModelReference *)nextModel
    NS_DESIGNATED_INITIALIZER NS_REFINED_FOR_SWIFT;

@end

CORE_DATA_IOS_17
@interface NSStagedMigrationManager : NSObject

@property (readonly) NSArray<NSMigrationStage *> *stages;
@property (readonly, nullable) NSPersistentContainer *container;
- (instancetype)init NS_UNAVAILABLE;
+ (instancetype)new NS_UNAVAILABLE;
- (instancetype)initWithMigrationStages:(NSArray<NSMigrationStage *> *)stages
    NS_DESIGNATED_INITIALIZER NS_REFINED_FOR_SWIFT;

@end

NS_ASSUME_NONNULL_END
