import Foundation
import Testing

/// On Linux the shared sources are compiled against modules of this package. A declaration of these
/// that `AppleAPITests` does not spell may be missing on Apple's systems.
@Suite("The sources for all systems") struct SharedNameTests {
    private static let modules = ["CoreData", "CloudKit", "CoreLocation", "FoundationGaps"]

    /// Names that are correct although the signatures do not spell them.
    private static let exceptions: Set<String> = [
        // Declared for Apple's systems in Support/Platform.
        "AttributeValue", "RowSnapshot", "attributeValue", "decimalReference", "destinationID",
        "expectObjects", "setAttributes", "setDestination", "afterDate", "beforeDate",
        "beforeToken",
        // Core Location's.
        "CLLocationCoordinate2D", "altitude", "coordinate", "course", "horizontalAccuracy",
        "latitude", "longitude", "speed", "verticalAccuracy",
        // Swift's and Foundation's.
        "distance", "errorDescription", "hash", "isEqual", "keyedUnarchiveFromDataTransformerName",
        "subscript",
        // The sources' own names, which are the same as others by coincidence.
        "Handler", "allowsRepeatedRecords", "currentHistoryToken", "device", "encryptedDataReset",
        "fetchDatabaseChanges",
        "integer", "isFinished", "item", "line", "purged", "registerForRemoteNotifications",
        "relativeLocation", "remoteNotificationHandler", "requestContext", "row", "rowVersions",
        "service",
        "start",
    ]

    @Test("Use only names of Apple's frameworks that the signatures spell")
    func names() async throws {
        var declared: Set<String> = []
        for module in Self.modules {
            for symbol in try await SymbolGraph.symbols(ofModule: module)
            where symbol.kind.identifier != "swift.extension" {
                guard let name = symbol.pathComponents.last else { continue }
                declared.insert(String(name.prefix { $0 != "(" }))
            }
        }
        #expect(declared.count > 1000)
        let signatures = Manual.root.appendingPathComponent("Tests/AppleAPITests")
        var spelled: Set<String> = []
        for name in try FileManager.default.contentsOfDirectory(atPath: signatures.path)
        where name.hasSuffix(".swift") {
            let source = try AppleSource(signatures.appendingPathComponent(name))
            spelled.formUnion(source.words)
        }
        var unknown: [String: String] = [:]
        for target in try await MacPackage.whole.value.targets where !target.isOfThisPackageAlone {
            for file in target.files {
                for name in try AppleSource(file).words
                where declared.contains(name) && !spelled.contains(name) {
                    unknown[name] = file.path
                }
            }
        }
        #expect(unknown.filter { !Self.exceptions.contains($0.key) } == [:])
        #expect(Self.exceptions.subtracting(unknown.keys) == [], "No longer exceptions")
    }
}
