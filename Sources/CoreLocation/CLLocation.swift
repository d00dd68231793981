@_exported public import FoundationGaps
