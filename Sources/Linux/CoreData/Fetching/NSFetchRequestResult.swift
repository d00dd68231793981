import FoundationGaps

/// What a fetch can return: managed objects, their IDs, dictionaries or counts.
public protocol NSFetchRequestResult: NSObjectProtocol {}

extension NSDictionary: NSFetchRequestResult {}
extension NSNumber: NSFetchRequestResult {}
