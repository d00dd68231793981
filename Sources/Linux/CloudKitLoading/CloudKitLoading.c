#include "CloudKitLoading.h"

/// Defined in the module CloudKit.
extern void seam3_registerArchivedClasses(void);

/// An archive of Apple's framework names its classes without a module. The unarchiver looks a class up
/// before any code of the class runs, so the names must be known from the start.
__attribute__((constructor)) static void registerArchivedClasses(void) {
    seam3_registerArchivedClasses();
}
