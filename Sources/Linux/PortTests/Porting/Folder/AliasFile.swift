/// The file that declares, for the code of one target, what Linux lacks or has twice.
struct AliasFile {
    /// Its name in the folder.
    static let name = "LinuxAliases.swift"

    /// A name that can be declared in the target.
    private struct Alias {
        var name: String
        /// The module that the declaration needs.
        var module: String
        var declaration: String
        /// Whether Foundation has it, too, so that it is ambiguous next to an import of Foundation.
        var isInFoundation = false
    }

    private static let all = [
        Alias(
            name: "AutoreleasingUnsafeMutablePointer", module: "CoreData",
            declaration: "public typealias AutoreleasingUnsafeMutablePointer = UnsafeMutablePointer"
        ),
        Alias(
            name: "NSComparisonPredicate", module: "CoreData",
            declaration: "public typealias NSComparisonPredicate = CoreData.NSComparisonPredicate",
            isInFoundation: true),
        Alias(
            name: "NSExpression", module: "CoreData",
            declaration: "public typealias NSExpression = CoreData.NSExpression",
            isInFoundation: true),
        Alias(
            name: "autoreleasepool", module: "CoreData",
            declaration: """
                func autoreleasepool<Result>(invoking body: () throws -> Result) rethrows -> Result {
                    try body()
                }
                """),
    ]

    private var used: Set<String> = []
    private var declared = DeclaredNames()

    /// Adds a source of the target.
    ///
    /// - Parameter tokens: Those that are compiled on Linux.
    mutating func add(_ tokens: [SourceToken]) {
        declared.add(tokens)
        let imports = tokens.indices.filter { tokens[$0].isWord("import") }
            .map { tokens.token(at: $0 + 1).text }
        // XCTest exports Foundation.
        let hasFoundation = imports.contains("Foundation") || imports.contains("XCTest")
        for alias in Self.all where !alias.isInFoundation || hasFoundation {
            let isUsed = tokens.indices.contains {
                tokens[$0].isWord(alias.name) && !tokens.token(at: $0 - 1).isSymbol(".")
            }
            if isUsed { used.insert(alias.name) }
        }
    }

    /// The names that the file declares.
    var names: [String] { needed.map(\.name) }

    private var needed: [Alias] {
        Self.all.filter {
            used.contains($0.name) && !declared.types.contains($0.name)
                && !declared.functions.contains($0.name)
        }
    }

    var text: String {
        let imports = Set(needed.map { "import \($0.module)\n" }).sorted().joined()
        let declarations = needed.map { "\($0.declaration)\n" }.joined()
        return """
            // What the code of this target uses, and Linux lacks or has twice. "swift package port-tests"
            // writes this file.

            #if !canImport(ObjectiveC)
            \(imports)
            \(declarations)#endif

            """
    }
}
