#pragma once
#import "CoreDataDefines.h"
#import "Requests.h"

NS_ASSUME_NONNULL_BEGIN

@protocol NSFetchedResultsControllerDelegate;
@protocol NSFetchedResultsSectionInfo;

API_AVAILABLE(macos(10.12), ios(3.0), visionos(1.0))
@interface NSFetchedResultsController<ResultType : id<NSFetchRequestResult>> : NSObject

- (instancetype)initWithFetchRequest:(NSFetchRequest<ResultType> *)fetchRequest
                managedObjectContext:(NSManagedObjectContext *)context
                  sectionNameKeyPath:(nullable NSString *)sectionNameKeyPath
                           cacheName:(nullable NSString *)name;
- (BOOL)performFetch:(NSError **)error;
@property (nonatomic, readonly) NSFetchRequest<ResultType> *fetchRequest;
@property (nonatomic, readonly) NSManagedObjectContext *managedObjectContext;
@property (nonatomic, nullable, readonly) NSString *sectionNameKeyPath;
@property (nonatomic, nullable, readonly) NSString *cacheName;
@property (nullable, nonatomic, assign) id<NSFetchedResultsControllerDelegate> delegate;
+ (void)deleteCacheWithName:(nullable NSString *)name;
@property (nullable, nonatomic, readonly) NSArray<ResultType> *fetchedObjects;
- (ResultType)objectAtIndexPath:(NSIndexPath *)indexPath;
- (nullable NSIndexPath *)indexPathForObject:(ResultType)object;
- (nullable NSString *)sectionIndexTitleForSectionName:(NSString *)sectionName;
@property (nonatomic, readonly) NSArray<NSString *> *sectionIndexTitles;
@property (nullable, nonatomic, readonly) NSArray<id<NSFetchedResultsSectionInfo>> *sections;
- (NSInteger)sectionForSectionIndexTitle:(NSString *)title atIndex:(NSInteger)sectionIndex;

@end

API_AVAILABLE(macos(10.12), ios(3.0), visionos(1.0))
@protocol NSFetchedResultsSectionInfo

@property (nonatomic, readonly) NSString *name;
@property (nullable, nonatomic, readonly) NSString *indexTitle;
@property (nonatomic, readonly) NSUInteger numberOfObjects;
@property (nullable, nonatomic, readonly) NSArray *objects;

@end

typedef NS_ENUM(NSUInteger, NSFetchedResultsChangeType) {
    NSFetchedResultsChangeInsert = 1,
    NSFetchedResultsChangeDelete = 2,
    NSFetchedResultsChangeMove = 3,
    NSFetchedResultsChangeUpdate = 4,
} API_AVAILABLE(macos(10.12), ios(3.0), visionos(1.0));

API_AVAILABLE(macos(10.12), ios(3.0), visionos(1.0))
@protocol NSFetchedResultsControllerDelegate <NSObject>
@optional

- (void)controller:(NSFetchedResultsController *)controller
    didChangeContentWithDifference:(NSOrderedCollectionDifference<NSManagedObjectID *> *)diff CORE_DATA_IOS_13;
- (void)controller:(NSFetchedResultsController *)controller
    didChangeObject:(id)anObject
        atIndexPath:(nullable NSIndexPath *)indexPath
      forChangeType:(NSFetchedResultsChangeType)type
       newIndexPath:(nullable NSIndexPath *)newIndexPath;
- (void)controller:(NSFetchedResultsController *)controller
    didChangeSection:(id<NSFetchedResultsSectionInfo>)sectionInfo
             atIndex:(NSUInteger)sectionIndex
       forChangeType:(NSFetchedResultsChangeType)type NS_SWIFT_NAME(controller(_:didChange:atSectionIndex:for:));
- (void)controllerWillChangeContent:(NSFetchedResultsController *)controller;
- (void)controllerDidChangeContent:(NSFetchedResultsController *)controller;
- (nullable NSString *)controller:(NSFetchedResultsController *)controller
    sectionIndexTitleForSectionName:(NSString *)sectionName CORE_DATA_IOS_4;

@end

NS_ASSUME_NONNULL_END
