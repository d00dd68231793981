#ifndef CLOUDKIT_LOADING_H
#define CLOUDKIT_LOADING_H

// Nothing to call: `CloudKitLoading.c` runs when the process starts.

#endif
