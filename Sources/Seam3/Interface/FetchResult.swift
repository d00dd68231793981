/// The result of a sync, with the numbers of `UIBackgroundFetchResult`.
public enum FetchResult: UInt, Sendable {
    /// The server had something new.
    case newData = 0
    /// The server had nothing new.
    case noData = 1
    /// The sync failed.
    case failed = 2
}
