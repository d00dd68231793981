// PrivateFiles for all files of this module. In the pod it is part of the module itself.

#if SWIFT_PACKAGE
@_exported import PrivateFiles
#endif
