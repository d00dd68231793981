// Makes the types of ModelMatching available in all files of this module. In the pod they are part
// of the module itself.

#if SWIFT_PACKAGE
@_exported import ModelMatching
#endif
