import Foundation

/// The declarations of an Apple framework that a module of this package has, by type.
struct CompatibilityTable {
    /// The name of the row for declarations outside types.
    private static let global = "Constants and functions"

    /// The members of each type, by the type's name on Apple's systems.
    private var members: [String: Set<String>] = [:]
    /// The declarations that Apple's framework lacks.
    private var linuxOnly: Set<String> = []

    /// The files whose header comment says that all their declarations are for Linux only.
    private let linuxOnlyFiles: Set<String>

    init(_ symbols: [SymbolGraph.Symbol]) {
        linuxOnlyFiles = Set(Set(symbols.compactMap(\.path)).filter(Self.isForLinuxOnly))
        let types = symbols.filter { Self.isType($0) }
        // `CKRecord.ID` is an alias of `CKRecordID` here.
        var appleNames: [String: String] = [:]
        for alias in types where alias.pathComponents.count > 1 {
            guard let type = alias.aliasedType else { continue }
            appleNames[type] = alias.pathComponents.joined(separator: ".")
        }
        let ownTypes = Set(types.filter(isLinuxOnly).map { $0.pathComponents[0] })
        for symbol in symbols where Self.isShown(symbol) {
            let path = symbol.pathComponents
            func name(_ components: some Sequence<String>) -> String {
                let joined = components.joined(separator: ".")
                return appleNames[joined] ?? joined
            }
            if ownTypes.contains(path[0]) || isLinuxOnly(symbol) {
                if !ownTypes.contains(path[0]) || path.count == 1 {
                    linuxOnly.insert(path.joined(separator: "."))
                }
            } else if Self.isType(symbol) {
                if symbol.aliasedType == nil || path.count == 1 {
                    members[name(path), default: []].formUnion([])
                }
            } else {
                let owner = path.count == 1 ? Self.global : name(path.dropLast())
                members[owner, default: []].insert(path[path.count - 1])
            }
        }
    }

    /// The table's lines.
    var lines: [String] {
        let rows = members.sorted { $0.key < $1.key }.map { type, members in
            let names = members.sorted().map { "`\($0)`" }.joined(separator: ", ")
            return "| \(type == Self.global ? type : "`\(type)`") | \(names) |"
        }
        return ["| declaration | members |", "|---|---|"] + rows
    }

    /// The list of declarations that Apple's framework lacks.
    var linuxOnlyLines: [String] {
        linuxOnly.sorted().map { "- `\($0)`" }
    }

    private static func isType(_ symbol: SymbolGraph.Symbol) -> Bool {
        [
            "swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias",
            "swift.associatedtype",
        ].contains(symbol.kind.identifier)
    }

    /// Whether the documentation of the declaration, or the header comment of its file, says that
    /// Apple's framework lacks it.
    private func isLinuxOnly(_ symbol: SymbolGraph.Symbol) -> Bool {
        symbol.documentation.contains("Linux-only")
            || symbol.path.map(linuxOnlyFiles.contains) ?? false
    }

    private static func isForLinuxOnly(_ path: String) -> Bool {
        guard let file = try? Manual(path) else { return false }
        let head = file.text.components(separatedBy: "\n").prefix { line in
            line.isEmpty || line.hasPrefix("import ")
                || line.hasPrefix("//") && !line.hasPrefix("///")
        }
        return head.contains { $0.contains("Linux only") || $0.contains("Linux-only") }
    }

    /// Overrides, operators, and names with an underscore are left out.
    private static func isShown(_ symbol: SymbolGraph.Symbol) -> Bool {
        !["swift.extension", "swift.func.op", "swift.associatedtype"].contains(
            symbol.kind.identifier)
            && !symbol.isOverride
            && !symbol.pathComponents.contains { $0.hasPrefix("_") }
            && !["hash(into:)", "init(rawValue:)"].contains(symbol.pathComponents.last)
    }
}
