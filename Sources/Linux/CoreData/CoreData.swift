// As on Apple's systems, `import CoreData` also imports Foundation.
@_exported public import FoundationGaps
