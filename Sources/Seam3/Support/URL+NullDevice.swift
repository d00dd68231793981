import Foundation

extension URL {
    /// Whether the URL is that of the null device, however it is spelled.
    var isNullDevice: Bool {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return parts == ["dev", "null"]
    }
}
