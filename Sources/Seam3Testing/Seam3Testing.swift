// A test that imports this module can use the local cloud as well.

@_exported import CloudKitService
@_exported import LocalCloud
