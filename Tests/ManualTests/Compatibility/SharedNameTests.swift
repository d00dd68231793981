import Foundation
import Testing

/// The sources for all systems compile here against modules of this package. What these declare and
/// `AppleAPITests` does not spell may be missing on Apple's systems.
@Suite("The sources for all systems") struct SharedNameTests {
    private static let folders = [
        "Sources/Seam3", "Sources/Seam3Testing", "Sources/NestedCloudKitCodable",
        "Sources/SeamSQLite", "Tests/LocalCloudTests", "Tests/AppleFacts",
    ]

    private static let modules = ["CoreData", "CloudKit", "CoreLocation", "FoundationGaps"]

    /// Names that are right though the signatures do not spell them.
    private static let exceptions: Set<String> = [
        // Declared for Apple's systems in Support/Platform.
        "AttributeValue", "RowSnapshot", "attributeValue", "decimalReference", "destinationID",
        "expectObjects", "setDestination", "afterDate", "beforeDate", "beforeToken",
        // Core Location's.
        "CLLocationCoordinate2D", "altitude", "coordinate", "course", "horizontalAccuracy",
        "latitude", "longitude", "speed", "verticalAccuracy",
        // Swift's and Foundation's.
        "distance", "errorDescription", "hash", "isEqual", "subscript",
        // The sources' own, which only happen to have the name of something else.
        "Handler", "allowsRepeatedRecords", "device", "encryptedDataReset", "fetchDatabaseChanges",
        "integer", "isFinished", "item", "line", "purged", "registerForRemoteNotifications",
        "relativeLocation", "remoteNotificationHandler", "requestContext", "row", "service",
        "start",
    ]

    @Test("Use only names of Apple's frameworks that the signatures spell")
    func names() throws {
        var declared: Set<String> = []
        for module in Self.modules {
            for symbol in try SymbolGraph.symbols(ofModule: module)
            where symbol.kind.identifier != "swift.extension" {
                guard let name = symbol.pathComponents.last else { continue }
                declared.insert(String(name.prefix { $0 != "(" }))
            }
        }
        #expect(declared.count > 1000)
        let spelled = try Set(Self.words(in: "Tests/AppleAPITests").keys)
        var unknown: [String: String] = [:]
        for folder in Self.folders {
            for (name, path) in try Self.words(in: folder)
            where declared.contains(name) && !spelled.contains(name) {
                unknown[name] = path
            }
        }
        #expect(unknown.filter { !Self.exceptions.contains($0.key) } == [:])
        #expect(Self.exceptions.subtracting(unknown.keys) == [], "No longer exceptions")
    }

    /// The words of the sources in a folder outside of comments, texts and what only Linux compiles, each
    /// with a file that has it.
    private static func words(in folder: String) throws -> [String: String] {
        let folder = Manual.root.appendingPathComponent(folder)
        var words: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix(".swift") {
            let text = try String(
                contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            for line in linesForApple(text) {
                let code = line.replacing(/"(\\.|[^"\\])*"/, with: "").replacing(/\/\/.*/, with: "")
                for word in code.matches(of: /[A-Za-z_][A-Za-z0-9_]*/) {
                    words[String(word.output)] = path
                }
            }
        }
        return words
    }

    /// The lines that are compiled on Apple's systems.
    private static func linesForApple(_ text: String) -> [Substring] {
        // For each condition around a line whether it holds there.
        var conditions: [Bool] = []
        return text.split(separator: "\n").filter { line in
            let line = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("#if") {
                conditions.append(
                    line != "#if os(Linux)" && line != "#if !canImport(ObjectiveC)")
            } else if line.hasPrefix("#else"), let last = conditions.popLast() {
                conditions.append(!last || line != "#else")
            } else if line.hasPrefix("#endif") {
                conditions.removeLast()
            } else {
                return conditions.allSatisfy { $0 }
            }
            return false
        }
    }
}
