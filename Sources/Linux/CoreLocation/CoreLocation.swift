// As on Apple's systems, `import CoreLocation` also imports Foundation.
@_exported public import FoundationGaps
