// As on Apple's systems, `import CoreData` brings Foundation along.
@_exported public import FoundationGaps
