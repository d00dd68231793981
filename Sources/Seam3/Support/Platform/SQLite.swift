// Makes the types of SeamSQLite available in all files of this module. In the pod they are part of
// the module itself. Unlike type aliases, an exported import also makes their members visible under
// `MemberImportVisibility`.

#if SWIFT_PACKAGE
@_exported import SeamSQLite
#endif
