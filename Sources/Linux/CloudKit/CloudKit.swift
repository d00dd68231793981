// As on Apple's systems, `import CloudKit` also imports Foundation and CoreLocation.
@_exported public import CoreLocation
@_exported public import FoundationGaps
