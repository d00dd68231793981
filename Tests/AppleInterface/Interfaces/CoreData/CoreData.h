// Core Data's declarations for Objective-C, in our own words: names, selectors, types, nullability, and the systems
// that have them. Objective-C is what Apple's compiler reads; what it makes of it in Swift is what is to be checked.
// Left out: Spotlight, iCloud's files of before iOS 10, external records, mirroring to CloudKit, locks.

#import "CoreDataDefines.h"
#import "CoreDataErrors.h"
#import "Models.h"
#import "ManagedObjects.h"
#import "Contexts.h"
#import "Requests.h"
#import "Results.h"
#import "Stores.h"
#import "Coordinators.h"
#import "MergePolicies.h"
#import "History.h"
#import "Migration.h"
#import "FetchedResults.h"
