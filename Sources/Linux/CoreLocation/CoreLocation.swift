// As on Apple's systems, `import CoreLocation` brings Foundation along.
@_exported public import FoundationGaps
