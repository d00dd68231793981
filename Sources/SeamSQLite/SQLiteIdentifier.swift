import Foundation

extension String {
    /// The string as a quoted SQL identifier, safe for all characters.
    public var sqlIdentifier: String {
        guard utf8.contains(UInt8(ascii: "\"")) else { return "\"\(self)\"" }
        return "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
