#pragma once
#import "CoreDataDefines.h"
#import "Requests.h"

NS_ASSUME_NONNULL_BEGIN

@class NSFetchIndexDescription, NSFetchIndexElementDescription;

// MARK: Models

@interface NSManagedObjectModel : NSObject <NSCoding, NSCopying, NSFastEnumeration>

- (instancetype)init NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithContentsOfURL:(NSURL *)url;
+ (nullable NSManagedObjectModel *)mergedModelFromBundles:(nullable NSArray<NSBundle *> *)bundles;
+ (nullable NSManagedObjectModel *)mergedModelFromBundles:(nullable NSArray<NSBundle *> *)bundles
                                         forStoreMetadata:(NSDictionary<NSString *, id> *)metadata;
+ (nullable NSManagedObjectModel *)modelByMergingModels:(nullable NSArray<NSManagedObjectModel *> *)models;
+ (nullable NSManagedObjectModel *)modelByMergingModels:(NSArray<NSManagedObjectModel *> *)models
                                       forStoreMetadata:(NSDictionary<NSString *, id> *)metadata;

@property (readonly, copy) NSDictionary<NSString *, NSEntityDescription *> *entitiesByName;
@property (strong) NSArray<NSEntityDescription *> *entities;
@property (readonly, strong) NSArray<NSString *> *configurations;
- (nullable NSArray<NSEntityDescription *> *)entitiesForConfiguration:(nullable NSString *)configuration
    NS_SWIFT_NAME(entities(forConfigurationName:));
- (void)setEntities:(NSArray<NSEntityDescription *> *)entities
    forConfiguration:(NSString *)configuration NS_SWIFT_NAME(setEntities(_:forConfigurationName:));

@property (readonly, copy) NSDictionary<NSString *, NSFetchRequest *> *fetchRequestTemplatesByName;
- (void)setFetchRequestTemplate:(nullable NSFetchRequest *)fetchRequestTemplate forName:(NSString *)name;
- (nullable NSFetchRequest *)fetchRequestTemplateForName:(NSString *)name;
- (nullable NSFetchRequest *)fetchRequestFromTemplateWithName:(NSString *)name
                                        substitutionVariables:(NSDictionary<NSString *, id> *)variables;

@property (nullable, strong) NSDictionary<NSString *, NSString *> *localizationDictionary;
@property (copy) NSSet *versionIdentifiers;
@property (readonly, copy) NSDictionary<NSString *, NSData *> *entityVersionHashesByName;
- (BOOL)isConfiguration:(nullable NSString *)configuration
    compatibleWithStoreMetadata:(NSDictionary<NSString *, id> *)metadata
    NS_SWIFT_NAME(isConfiguration(withName:compatibleWithStoreMetadata:));
@property (readonly, copy) NSString *versionChecksum CORE_DATA_IOS_17;
+ (nullable NSDictionary<NSString *, NSString *> *)
    checksumsForVersionedModelAtURL:(NSURL *)modelURL
                              error:(NSError **)error CORE_DATA_IOS_17 NS_SWIFT_NAME(checksumsForVersionedModel(at:));

@end

// MARK: Entities

@interface NSEntityDescription : NSObject <NSCoding, NSCopying, NSFastEnumeration>

+ (nullable NSEntityDescription *)entityForName:(NSString *)entityName
                         inManagedObjectContext:(NSManagedObjectContext *)context
    NS_SWIFT_NAME(entity(forEntityName:in:));
+ (__kindof NSManagedObject *)insertNewObjectForEntityForName:(NSString *)entityName
                                       inManagedObjectContext:(NSManagedObjectContext *)context
    NS_SWIFT_NAME(insertNewObject(forEntityName:into:));

@property (readonly, assign) NSManagedObjectModel *managedObjectModel;
@property (null_resettable, copy) NSString *managedObjectClassName;
@property (nullable, copy) NSString *name;
@property (getter=isAbstract) BOOL abstract;
@property (readonly, copy) NSDictionary<NSString *, NSEntityDescription *> *subentitiesByName;
@property (strong) NSArray<NSEntityDescription *> *subentities;
@property (nullable, readonly, assign) NSEntityDescription *superentity;
@property (readonly, copy) NSDictionary<NSString *, __kindof NSPropertyDescription *> *propertiesByName;
@property (strong) NSArray<__kindof NSPropertyDescription *> *properties;
@property (nullable, strong) NSDictionary *userInfo;
@property (readonly, copy) NSDictionary<NSString *, NSAttributeDescription *> *attributesByName;
@property (readonly, copy) NSDictionary<NSString *, NSRelationshipDescription *> *relationshipsByName;
- (NSArray<NSRelationshipDescription *> *)relationshipsWithDestinationEntity:(NSEntityDescription *)entity
    NS_SWIFT_NAME(relationships(forDestination:));
- (BOOL)isKindOfEntity:(NSEntityDescription *)entity NS_SWIFT_NAME(isKindOf(entity:));
@property (readonly, copy) NSData *versionHash;
@property (nullable, copy) NSString *versionHashModifier;
@property (nullable, copy) NSString *renamingIdentifier;
@property (copy) NSArray<NSFetchIndexDescription *> *indexes CORE_DATA_IOS_11;
@property (strong) NSArray<NSArray<id> *> *uniquenessConstraints CORE_DATA_IOS_9;
@property (strong) NSArray<NSArray<id> *> *compoundIndexes CORE_DATA_DEPRECATED_IOS_11("Use indexes instead");

@end

// MARK: Properties

@interface NSPropertyDescription : NSObject <NSCoding, NSCopying>

@property (readonly, assign) NSEntityDescription *entity;
@property (copy) NSString *name;
@property (getter=isOptional) BOOL optional;
@property (getter=isTransient) BOOL transient;
@property (readonly, strong) NSArray<NSPredicate *> *validationPredicates;
@property (readonly, strong) NSArray *validationWarnings;
- (void)setValidationPredicates:(nullable NSArray<NSPredicate *> *)validationPredicates
         withValidationWarnings:(nullable NSArray<NSString *> *)validationWarnings;
@property (nullable, strong) NSDictionary *userInfo;
@property (getter=isIndexed) BOOL indexed CORE_DATA_DEPRECATED_IOS_11("Use the entity's indexes instead");
@property (readonly, copy) NSData *versionHash;
@property (nullable, copy) NSString *versionHashModifier;
@property (nullable, copy) NSString *renamingIdentifier;

@end

typedef NS_ENUM(NSUInteger, NSAttributeType) {
    NSUndefinedAttributeType = 0,
    NSInteger16AttributeType = 100,
    NSInteger32AttributeType = 200,
    NSInteger64AttributeType = 300,
    NSDecimalAttributeType = 400,
    NSDoubleAttributeType = 500,
    NSFloatAttributeType = 600,
    NSStringAttributeType = 700,
    NSBooleanAttributeType = 800,
    NSDateAttributeType = 900,
    NSBinaryDataAttributeType = 1000,
    NSUUIDAttributeType CORE_DATA_IOS_11 NS_SWIFT_NAME(UUIDAttributeType) = 1100,
    NSURIAttributeType CORE_DATA_IOS_11 NS_SWIFT_NAME(URIAttributeType) = 1200,
    NSTransformableAttributeType = 1800,
    NSObjectIDAttributeType = 2000,
    NSCompositeAttributeType CORE_DATA_IOS_17 = 2100,
};

@interface NSAttributeDescription : NSPropertyDescription

@property NSAttributeType attributeType;
@property (nullable, copy) NSString *attributeValueClassName;
@property (nullable, retain) id defaultValue;
@property (readonly, copy) NSData *versionHash;
@property (nullable, copy) NSString *valueTransformerName;
@property BOOL allowsExternalBinaryDataStorage CORE_DATA_IOS_5;
@property BOOL preservesValueInHistoryOnDeletion CORE_DATA_IOS_13;
@property BOOL allowsCloudEncryption CORE_DATA_IOS_15;

@end

CORE_DATA_IOS_13
@interface NSDerivedAttributeDescription : NSAttributeDescription

@property (nullable, strong) NSExpression *derivationExpression;

@end

CORE_DATA_IOS_17
@interface NSCompositeAttributeDescription : NSAttributeDescription

@property (copy) NSArray<NSAttributeDescription *> *elements;

@end

typedef NS_ENUM(NSUInteger, NSDeleteRule) {
    NSNoActionDeleteRule,
    NSNullifyDeleteRule,
    NSCascadeDeleteRule,
    NSDenyDeleteRule,
};

@interface NSRelationshipDescription : NSPropertyDescription

@property (nullable, assign) NSEntityDescription *destinationEntity;
@property (nullable, assign) NSRelationshipDescription *inverseRelationship;
@property NSUInteger maxCount;
@property NSUInteger minCount;
@property NSDeleteRule deleteRule;
@property (readonly, getter=isToMany) BOOL toMany;
@property (readonly, copy) NSData *versionHash;
@property (getter=isOrdered) BOOL ordered CORE_DATA_IOS_5;

@end

@interface NSFetchedPropertyDescription : NSPropertyDescription

@property (nullable, strong) NSFetchRequest *fetchRequest;

@end

@interface NSExpressionDescription : NSPropertyDescription

@property (nullable, strong) NSExpression *expression;
@property NSAttributeType expressionResultType;

@end

// MARK: Indexes

CORE_DATA_IOS_11
@interface NSFetchIndexDescription : NSObject <NSCoding, NSCopying>

- (instancetype)initWithName:(NSString *)name elements:(nullable NSArray<NSFetchIndexElementDescription *> *)elements;
@property (copy) NSString *name;
@property (copy) NSArray<NSFetchIndexElementDescription *> *elements;
@property (readonly, nonatomic, nullable, assign) NSEntityDescription *entity;
@property (nullable, copy) NSPredicate *partialIndexPredicate;

@end

typedef NS_ENUM(NSUInteger, NSFetchIndexElementType) {
    NSFetchIndexElementTypeBinary,
    NSFetchIndexElementTypeRTree,
} CORE_DATA_IOS_11;

CORE_DATA_IOS_11
@interface NSFetchIndexElementDescription : NSObject <NSCoding, NSCopying>

- (instancetype)initWithProperty:(NSPropertyDescription *)property
                   collationType:(NSFetchIndexElementType)collationType;
@property (nullable, readonly, retain) NSPropertyDescription *property;
@property (nullable, readonly, retain) NSString *propertyName;
@property NSFetchIndexElementType collationType;
@property (getter=isAscending) BOOL ascending;
@property (readonly, nonatomic, nullable, assign) NSFetchIndexDescription *indexDescription;

@end

// MARK: Fetches in predicates

CORE_DATA_IOS_3_4
@interface NSFetchRequestExpression : NSExpression

+ (NSExpression *)expressionForFetch:(NSExpression *)fetch
                             context:(NSExpression *)context
                           countOnly:(BOOL)countFlag;
@property (readonly) NSExpression *requestExpression;
@property (readonly) NSExpression *contextExpression;
@property (getter=isCountOnlyRequest, readonly) BOOL countOnlyRequest;

@end

NS_ASSUME_NONNULL_END
