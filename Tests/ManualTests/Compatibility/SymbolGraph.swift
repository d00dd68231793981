import Foundation
import Testing

/// The public declarations of a module of this package, from the compiler.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable {
            let identifier: String
        }

        struct Fragment: Decodable {
            let kind: String
            let spelling: String
        }

        struct Comment: Decodable {
            struct Line: Decodable {
                let text: String
            }

            let lines: [Line]
        }

        struct Location: Decodable {
            let uri: String
        }

        struct Identifier: Decodable {
            let precise: String
        }

        let identifier: Identifier
        let kind: Kind
        let accessLevel: String
        /// The names of the enclosing types, and the declaration's own name with its labels.
        var pathComponents: [String]
        let declarationFragments: [Fragment]
        let docComment: Comment?
        let location: Location?

        var isOverride: Bool {
            declarationFragments.contains { $0.kind == "keyword" && $0.spelling == "override" }
        }

        /// The type that a type alias stands for.
        var aliasedType: String? {
            guard kind.identifier == "swift.typealias" else { return nil }
            return declarationFragments.last { $0.kind == "typeIdentifier" }?.spelling
        }

        var documentation: String {
            (docComment?.lines ?? []).map(\.text).joined(separator: " ")
        }

        /// The path of the file, from the package's root.
        var path: String? {
            location?.uri.components(separatedBy: "/Sources/").last.map { "Sources/\($0)" }
        }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
    }

    let symbols: [Symbol]
    let relationships: [Relationship]

    /// The symbols. Members of a superclass whose name begins with an underscore are listed under
    /// the class that inherits them, because Apple only has the latter.
    private var publicSymbols: [Symbol] {
        let names = Dictionary(
            symbols.map { ($0.identifier.precise, $0.pathComponents) }, uniquingKeysWith: { $1 })
        var heirs: [[String]: [String]] = [:]
        for relationship in relationships where relationship.kind == "inheritsFrom" {
            guard let superclass = names[relationship.target], superclass[0].hasPrefix("_"),
                let heir = names[relationship.source]
            else { continue }
            heirs[superclass] = heir
        }
        return symbols.filter { ["open", "public"].contains($0.accessLevel) }.map { symbol in
            guard let heir = heirs[Array(symbol.pathComponents.dropLast())] else { return symbol }
            var symbol = symbol
            symbol.pathComponents.replaceSubrange(0..<symbol.pathComponents.count - 1, with: heir)
            return symbol
        }
    }

    /// The folder of the package's built modules.
    static func modules() throws -> URL {
        try #require(Bundle.main.executableURL).deletingLastPathComponent()
            .appendingPathComponent("Modules")
    }

    /// The folders of the C modules.
    static func moduleMapFolders() throws -> [URL] {
        let sources = Manual.root.appendingPathComponent("Sources/Linux")
        return try FileManager.default.contentsOfDirectory(atPath: sources.path)
            .map { sources.appendingPathComponent($0) }
            .filter {
                FileManager.default.fileExists(
                    atPath: $0.appendingPathComponent("module.modulemap").path)
            }
    }

    /// Asks the compiler for a module's public declarations, including those in extensions of other
    /// modules' types. The compiler includes names with an underscore only if it includes internal
    /// ones.
    static func symbols(ofModule module: String) async throws -> [Symbol] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("SymbolGraph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let (status, messages) = try await Shell.run(
            """
            swift-symbolgraph-extract -module-name \(module) -output-dir '\(folder.path)' \
            -target '\(try await Shell.targetTriple())' -I '\(try modules().path)' \
            \(try moduleMapFolders().map { "-I '\($0.path)'" }.joined(separator: " ")) \
            -minimum-access-level internal -skip-synthesized-members -emit-extension-block-symbols
            """)
        try #require(status == 0, "\(messages)")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try files.flatMap { file in
            let data = try Data(contentsOf: folder.appendingPathComponent(file))
            return try JSONDecoder().decode(SymbolGraph.self, from: data).publicSymbols
        }
    }
}
