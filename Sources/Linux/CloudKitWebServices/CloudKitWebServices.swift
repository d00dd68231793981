// What a client of this module names in its calls comes with it.
@_exported public import CloudKitService
