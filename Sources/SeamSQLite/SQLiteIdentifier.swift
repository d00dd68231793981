import Foundation

extension String {
    /// The string as a quoted SQL identifier, safe whatever characters it holds.
    public var sqlIdentifier: String {
        "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
