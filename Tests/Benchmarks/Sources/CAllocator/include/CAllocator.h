// glibc's statistics of the heap, which Swift's Glibc module leaves out.
#include <malloc.h>
