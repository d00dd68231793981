// A test that imports this module has the local cloud as well.

@_exported import CloudKitService
@_exported import LocalCloud
