#if canImport(UIKit) && !os(watchOS)
import UIKit

extension FetchResult {
    /// The same result for the completion handler that UIKit passes along with a push.
    public var uiBackgroundFetchResult: UIBackgroundFetchResult {
        switch self {
        case .newData: return .newData
        case .noData: return .noData
        case .failed: return .failed
        }
    }
}
#endif
