import Foundation

/// The path of a request: `/database/1/{container}/{environment}/{database}/{operation}`, or
/// `/device/1/{container}/{environment}/tokens/{create|register}`.
struct WebServicePath: Hashable {
    var container: String
    var environment: RequestContext.Environment
    var database: RequestContext.DatabaseScope
    /// The operation, for example `records/modify`.
    var operation: String

    /// Parses a path. Each component is decoded separately, so that an encoded slash does not split
    /// it.
    ///
    /// - Returns: nil if the path is not one of CloudKit's.
    init?(_ path: some StringProtocol) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { String($0).removingPercentEncoding ?? "" }
        guard parts.count >= 6, parts.removeFirst().isEmpty else { return nil }
        let kind = parts.removeFirst()
        guard ["database", "device"].contains(kind), parts.removeFirst() == "1" else { return nil }
        let container = parts.removeFirst()
        guard Self.isContainer(container),
            let environment = RequestContext.Environment(rawValue: parts.removeFirst())
        else { return nil }
        self.container = container
        self.environment = environment
        if kind == "device" {
            database = .private
            guard parts.first == "tokens" else { return nil }
        } else {
            guard let scope = RequestContext.DatabaseScope(rawValue: parts.removeFirst()) else {
                return nil
            }
            database = scope
        }
        guard parts.count == 2 || parts.count == 3, parts.allSatisfy(Self.isWord) else {
            return nil
        }
        operation = parts.joined(separator: "/")
    }

    init(_ context: RequestContext, operation: String) {
        container = context.container
        environment = context.environment
        database = context.database
        self.operation = operation
    }

    /// The path as it appears in a request.
    var text: String {
        let start = operation.hasPrefix("tokens/") ? "device" : "database"
        let scope = operation.hasPrefix("tokens/") ? "" : "\(database.rawValue)/"
        let allowed = CharacterSet(charactersIn: Self.containerCharacters)
        let name =
            container.addingPercentEncoding(withAllowedCharacters: allowed) ?? container
        return "/\(start)/1/\(name)/\(environment.rawValue)/\(scope)\(operation)"
    }

    private static let containerCharacters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_"

    /// Apple's identifiers consist of `iCloud.` and a bundle identifier, which have no other
    /// characters.
    private static func isContainer(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 255 && !name.hasPrefix(".")
            && name.allSatisfy(containerCharacters.contains)
    }

    private static func isWord(_ part: String) -> Bool {
        !part.isEmpty && part.utf8.allSatisfy { (97...122).contains($0) }
    }
}
