/// What sources declare, wherever they do.
struct DeclaredNames {
    private(set) var types: Set<String> = []
    /// The types that other modules can use.
    private(set) var publicTypes: Set<String> = []
    private(set) var functions: Set<String> = []
    private(set) var properties: Set<String> = []
    /// Properties that have another name in Objective-C.
    private(set) var renamedProperties: Set<String> = []

    /// Whether one of the sources imports CoreData.
    private(set) var usesCoreData = false

    private static let types: Set = [
        "actor", "class", "enum", "protocol", "struct", "typealias",
    ]

    init() {}

    /// - Parameter tokens: Those that are compiled on Linux, with the hidden attributes.
    mutating func add(_ tokens: [SourceToken]) {
        for (index, token) in tokens.enumerated() where token.kind == .word && !token.isQuoted {
            let name = tokens.token(at: index + 1)
            guard name.kind == .word else { continue }
            switch token.text {
            case "func": functions.insert(name.text)
            case "let", "var": properties.insert(name.text)
            case _ where Self.types.contains(token.text):
                types.insert(name.text)
                let modifiers = tokens[..<index].suffix(2).map(\.text)
                if modifiers.contains("public") || modifiers.contains("open") {
                    publicTypes.insert(name.text)
                }
            default: break
            }
        }
        usesCoreData =
            usesCoreData
            || tokens.indices.contains {
                tokens[$0].isWord("CoreData") && tokens.token(at: $0 - 1).isWord("import")
            }
        for prefix in DeclarationPrefix.all(in: tokens) {
            let name = tokens.token(at: prefix.end + 1).text
            guard let other = prefix.nameInObjectiveC, other != name else { continue }
            if tokens.token(at: prefix.end).isWord("var") { renamedProperties.insert(name) }
        }
    }
}
