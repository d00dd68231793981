#pragma once
@import Foundation;

// The systems of one year: their versions have always got the same declarations.
#define CORE_DATA_IOS_3_4 API_AVAILABLE(macos(10.6), ios(3.0), visionos(1.0))
#define CORE_DATA_IOS_4 API_AVAILABLE(macos(10.7), ios(4.0), visionos(1.0))
#define CORE_DATA_IOS_5 API_AVAILABLE(macos(10.7), ios(5.0), visionos(1.0))
#define CORE_DATA_IOS_6 API_AVAILABLE(macos(10.8), ios(6.0), visionos(1.0))
#define CORE_DATA_IOS_7 API_AVAILABLE(macos(10.9), ios(7.0), visionos(1.0))
#define CORE_DATA_IOS_8 API_AVAILABLE(macos(10.10), ios(8.0), visionos(1.0))
#define CORE_DATA_IOS_8_3 API_AVAILABLE(macos(10.11), ios(8.3), visionos(1.0))
#define CORE_DATA_IOS_9 API_AVAILABLE(macos(10.11), ios(9.0), visionos(1.0))
#define CORE_DATA_IOS_10 API_AVAILABLE(macos(10.12), ios(10.0), tvos(10.0), watchos(3.0), visionos(1.0))
#define CORE_DATA_IOS_10_3 API_AVAILABLE(macos(10.12.4), ios(10.3), tvos(10.2), watchos(3.2), visionos(1.0))
#define CORE_DATA_IOS_11 API_AVAILABLE(macos(10.13), ios(11.0), tvos(11.0), watchos(4.0), visionos(1.0))
#define CORE_DATA_IOS_12 API_AVAILABLE(macos(10.14), ios(12.0), tvos(12.0), watchos(5.0), visionos(1.0))
#define CORE_DATA_IOS_13 API_AVAILABLE(macos(10.15), ios(13.0), tvos(13.0), watchos(6.0), visionos(1.0))
#define CORE_DATA_IOS_14 API_AVAILABLE(macos(11.0), ios(14.0), tvos(14.0), watchos(7.0), visionos(1.0))
#define CORE_DATA_IOS_15 API_AVAILABLE(macos(12.0), ios(15.0), tvos(15.0), watchos(8.0), visionos(1.0))
#define CORE_DATA_IOS_17 API_AVAILABLE(macos(14.0), ios(17.0), tvos(17.0), watchos(10.0), visionos(1.0))
#define CORE_DATA_IOS_18 API_AVAILABLE(macos(15.0), ios(18.0), tvos(18.0), watchos(11.0), visionos(2.0))
#define CORE_DATA_IOS_26_4 API_AVAILABLE(macos(26.4), ios(26.4), tvos(26.4), watchos(26.4), visionos(26.4))

#define CORE_DATA_DEPRECATED_IOS_9(message) \
    API_DEPRECATED(message, macos(10.4, 10.11), ios(3.0, 9.0), tvos(9.0, 9.0), watchos(2.0, 2.0), visionos(1.0, 1.0))
#define CORE_DATA_DEPRECATED_IOS_11(message) \
    API_DEPRECATED(message, macos(10.5, 10.13), ios(3.0, 11.0), tvos(9.0, 11.0), watchos(2.0, 4.0), visionos(1.0, 1.0))

NS_ASSUME_NONNULL_BEGIN

extern double NSCoreDataVersionNumber;

@class NSManagedObject, NSManagedObjectID, NSManagedObjectContext, NSManagedObjectModel;
@class NSEntityDescription, NSPropertyDescription, NSAttributeDescription, NSRelationshipDescription;
@class NSPersistentStore, NSPersistentStoreCoordinator, NSPersistentStoreDescription, NSPersistentContainer;
@class NSPersistentStoreRequest, NSPersistentStoreResult, NSQueryGenerationToken;
@class NSPersistentHistoryToken, NSPersistentHistoryTransaction, NSPersistentHistoryChange;

NS_ASSUME_NONNULL_END
