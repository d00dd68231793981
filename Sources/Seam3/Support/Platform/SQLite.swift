// SeamSQLite's types for all files of this module. In the pod they are part of the module itself.
// An exported import, unlike aliases, also shows their members under `MemberImportVisibility`.

#if SWIFT_PACKAGE
@_exported import SeamSQLite
#endif
