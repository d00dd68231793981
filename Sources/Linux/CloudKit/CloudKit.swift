// As on Apple's systems, `import CloudKit` brings Foundation and CoreLocation along.
@_exported public import CoreLocation
@_exported public import FoundationGaps
