import Foundation
import Testing

@Suite("Files that are not compiled here are in order")
struct PackagingTests {
    static let appFolder = "Example/Apple/WorldClockApp"
    static let appFiles =
        ((try? FileManager.default.contentsOfDirectory(
            atPath: Manual.root.appendingPathComponent(appFolder).path)) ?? []).sorted()

    @Test("The Apple app has the parts that the manual describes")
    func appParts() {
        #expect(
            Set(Self.appFiles).isSuperset(of: [
                "AppDelegate.swift", "ClockStore.swift", "ConflictListView.swift",
                "SyncStatusView.swift", "WorldClockApp.swift",
            ]))
    }

    @Test("A file of the Apple app can be parsed, and names its project", arguments: appFiles)
    func appFile(name: String) async throws {
        let path = "\(Self.appFolder)/\(name)"
        let head = try Manual(path).text.components(separatedBy: "\n").prefix { $0.hasPrefix("//") }
        #expect(head.contains { $0.contains("project.yml") })
        let (status, messages) = try await Shell.parse(Manual.root.appendingPathComponent(path))
        #expect(status == 0, "\(path) does not parse:\n\(messages)")
    }

    @Test("The Swift Package Index builds a library on each platform, not the commands for macOS")
    func packageIndex() async throws {
        let schemes = try Manual(".spi.yml").text.matches(of: /scheme: (\w+)/)
            .map { String($0.1) }
        #expect(schemes.count == 5)
        let targets = try await MacPackage.whole.value.targets
        for scheme in schemes {
            #expect(targets.contains { $0.name == scheme && $0.type == "library" }, "\(scheme)")
        }
    }

    @Test("The signatures of Apple's API that a Mac checks are in files without Swift Testing")
    func signatures() throws {
        #expect(try Manual(".github/workflows/ci.yml").text.contains("grep -L '^import Testing$'"))
        let folder = Manual.root.appendingPathComponent("Tests/AppleAPITests")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }
        let checked = try files.filter { name in
            try !String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
                .contains("\nimport Testing\n")
        }
        #expect(checked.count >= 5)
    }

    /// The modules that declare names with these prefixes.
    private static let modules = [
        "Combine": ["ObservableObject", "@Published"],
        "CoreData": ["NSManagedObject", "NSPersistentContainer", "NSFetchRequest"],
    ]

    @Test("A file of the Apple app imports the modules whose names it uses", arguments: appFiles)
    func appImports(name: String) throws {
        let lines = try Manual("\(Self.appFolder)/\(name)").text.components(separatedBy: "\n")
        for (module, names) in Self.modules
        where lines.contains(where: { line in names.contains { line.contains($0) } }) {
            #expect(lines.contains("import \(module)"))
        }
    }

    @Test(
        "The project of the Apple app has its packages, its container and the settings for pushes")
    func appProject() throws {
        let project = try Manual("Example/Apple/project.yml").text
        // A module and an app cannot have the same name.
        #expect(
            project.hasPrefix("name: WorldClockApp\n")
                || project.contains("\nname: WorldClockApp\n"))
        for line in [
            "path: ../..", "path: ..", "product: Seam3", "product: WorldClock",
            "UIBackgroundModes: [remote-notification]", "aps-environment: development",
            "com.apple.developer.aps-environment: development",
            "com.apple.security.network.client: true",
        ] { #expect(project.contains("\(line)\n"), "\(line)") }
        let store = try Manual("\(Self.appFolder)/ClockStore.swift").text
        let container = try #require(store.firstMatch(of: /"(iCloud[^"]+)"/)).1
        #expect(project.components(separatedBy: "[\(container)]").count == 3)
    }

    @Test("The privacy manifest names what the store uses, and the pod has it")
    func privacy() throws {
        let path = "Sources/Seam3/PrivacyInfo.xcprivacy"
        let data = try Data(contentsOf: Manual.root.appendingPathComponent(path))
        let manifest = try #require(
            PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
        let used = try #require(manifest["NSPrivacyAccessedAPITypes"] as? [[String: Any]])
        let types = used.compactMap { $0["NSPrivacyAccessedAPIType"] as? String }
        #expect(
            types == [
                "NSPrivacyAccessedAPICategoryFileTimestamp",
                "NSPrivacyAccessedAPICategoryUserDefaults",
            ])
        #expect(try Manual("Seam3.podspec").text.contains(path))
        #expect(try Manual("Package.swift").text.contains("PrivacyInfo.xcprivacy"))
    }

    @Test("The podspec contains the shared sources, as one module")
    func podspecSources() throws {
        let podspec = try Podspec()
        #expect(
            podspec.globs == [
                "Sources/Seam3/**/*.swift", "Sources/SeamSQLite/**/*.swift",
                "Sources/ModelMatching/**/*.swift", "Sources/NumberTables/**/*.swift",
                "Sources/PrivateFiles/**/*.swift", "Sources/NestedCloudKitCodable/**/*.swift",
                "Sources/PrivateFiles/**/*.swift",
            ])
        for glob in podspec.globs {
            let folder = Manual.root.appendingPathComponent(
                glob.replacingOccurrences(of: "/**/*.swift", with: ""))
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(files.contains { $0.hasSuffix(".swift") }, "\(glob) matches nothing")
        }
        #expect(podspec.values(of: "module_name") == ["Seam3"])
        #expect(podspec.values(of: "default_subspec") == ["Store"])
        #expect(podspec.values(of: "subspec") == ["Store", "NestedCloudKitCodable"])
    }

    @Test("All files that the pod compiles as one module have names of their own")
    func podspecNames() throws {
        let paths = try Set(Podspec().globs).flatMap { glob in
            let folder = glob.replacingOccurrences(of: "/**/*.swift", with: "")
            return try FileManager.default.subpathsOfDirectory(
                atPath: Manual.root.appendingPathComponent(folder).path)
        }.filter { $0.hasSuffix(".swift") }
        let names = Dictionary(grouping: paths) { URL(fileURLWithPath: $0).lastPathComponent }
        #expect(names.values.filter { $0.count > 1 } == [])
    }

    @Test("The podspec links SQLite and the frameworks")
    func podspecLibraries() throws {
        let podspec = try Podspec()
        #expect(podspec.values(of: "library") == ["sqlite3"])
        #expect(
            podspec.values(of: "frameworks") == [
                "CoreData", "CloudKit", "CloudKit", "CoreLocation",
            ])
    }

    @Test("The podspec requires the systems that the manifest requires")
    func podspecPlatforms() throws {
        let podspec = try Podspec()
        let manifest = try Manual("Package.swift").text
        for (system, name) in [
            ("ios", "iOS"), ("osx", "macOS"), ("tvos", "tvOS"), ("watchos", "watchOS"),
            ("visionos", "visionOS"),
        ] {
            let version = try #require(
                podspec.values(of: "\(system).deployment_target").first?
                    .components(separatedBy: ".").first)
            #expect(manifest.contains(".\(name)(.v\(version))"))
        }
    }

    @Test("The podspec is Ruby", .enabled(if: Shell.find("ruby") != nil))
    func podspecSyntax() async throws {
        let path = Manual.root.appendingPathComponent("Seam3.podspec").path
        let (status, messages) = try await Shell.run("ruby -c '\(path)'")
        #expect(status == 0, "\(messages)")
    }
}

/// The attributes of a podspec, read line by line.
private struct Podspec {
    private let lines: [String]

    init() throws {
        lines = try Manual("Seam3.podspec").text.components(separatedBy: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.hasPrefix("#") }
    }

    var globs: [String] { values(of: "source_files") }

    /// The quoted strings that follow an attribute, in all places that set it.
    func values(of attribute: String) -> [String] {
        lines.flatMap { line -> [String] in
            let parts = line.components(separatedBy: "'")
            let name = parts[0].trimmingCharacters(in: CharacterSet(charactersIn: " ="))
            guard name.hasSuffix(".\(attribute)") else { return [] }
            return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
        }
    }
}
