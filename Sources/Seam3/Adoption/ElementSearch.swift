import CoreData

/// Finds the columns of composite attributes in a table of Core Data.
///
/// Each element has a column, but it is not documented how Core Data names it. So the names are expected in one of
/// several forms, which is the same for the whole table. A column that could be an element's or something else's is
/// neither's.
struct ElementSearch {
    /// What was found.
    struct Result {
        /// "Entity.path" → column, for the elements that have values.
        var columns: [String: String] = [:]
        /// The attributes that have columns which could be something else's, too.
        var unclear: [NSAttributeDescription] = []
        /// The columns of other properties that could be an element's.
        var contested: Set<String> = []
    }

    private typealias Composite = (attribute: NSAttributeDescription, elements: [StoredElement])

    private let file: CoreDataFile
    private let table: String
    private let composites: [Composite]
    /// The other properties.
    private let others: [ElementNames.Owner]
    /// "Entity.property" → column.
    private let known: [String: String]
    /// The columns that are not Core Data's own.
    private let columns: Set<String>
    /// The columns that belong to no other property.
    private let free: Set<String>
    /// Column → the numbers of the entities whose objects have values in it.
    private let holders: [String: Set<Int64>]

    /// - Parameters:
    ///   - file: The file.
    ///   - root: The root entity of the table.
    init(_ file: CoreDataFile, root: NSEntityDescription) throws {
        self.file = file
        table = file.table(of: root)
        let members = file.members(ofRoot: root)
        composites = members.flatMap { owner in
            CoreDataFile.composites(in: owner).map { ($0, file.elements(of: $0, in: owner)) }
        }
        others = members.flatMap { owner in
            CoreDataFile.stored(in: owner).map { property in
                ElementNames.Owner(
                    key: "\(owner.name ?? "").\(property.name)", entity: owner,
                    names: Set(file.formerNames(of: property).map { "Z" + $0 }))
            }
        }
        known = file.columns(ofRoot: root)
        columns = Set(file.tables[table] ?? []).filter { !CoreDataFile.isReserved($0) }
        free = columns.subtracting(known.values)
        holders = composites.isEmpty ? [:] : try file.holders(of: columns.sorted(), in: table)
    }

    /// Searches the table.
    func run() -> Result {
        if composites.isEmpty { return Result() }
        // Without the file's model, a column with just an element's name may be that of a former attribute.
        let forms = ElementForm.all.filter { file.keepsModel || $0.part == .path }.map {
            ElementNames($0, composites.flatMap(\.elements), others: others, columns: columns)
        }
        let present = composites.filter { composite in
            forms.contains { hasColumns(composite, $0, file.keepsModel ? columns : free) }
        }
        var result = Result()
        let names = [free, columns].lazy.compactMap { columns in
            forms.first { names in present.allSatisfy { hasColumns($0, names, columns) } }
        }.first
        guard let names else {
            result.unclear = present.map(\.attribute)
            return result
        }
        let found = present.map { columns(of: $0, names, &result.contested) }
        let uses = Dictionary(
            found.flatMap { ($0 ?? [:]).values.map { ($0, 1) } }, uniquingKeysWith: +)
        for (composite, columns) in zip(present, found) {
            if let columns, columns.values.allSatisfy({ uses[$0] == 1 }) {
                result.columns.merge(columns) { first, _ in first }
            } else {
                result.unclear.append(composite.attribute)
            }
        }
        return result
    }

    /// Whether each element of an attribute may have one of some columns.
    private func hasColumns(
        _ composite: Composite, _ names: ElementNames, _ columns: Set<String>
    ) -> Bool {
        composite.elements.allSatisfy { element in
            names.columns(of: names.owner(element)).contains(where: columns.contains)
        }
    }

    /// The columns of the elements that have values.
    ///
    /// - Parameter contested: The columns of other properties that could be an element's.
    /// - Returns: "Entity.path" → column; nil if the attribute is not clear.
    private func columns(
        of composite: Composite, _ names: ElementNames, _ contested: inout Set<String>
    ) -> [String: String]? {
        var found: [String: String]? = [:]
        for element in composite.elements {
            let owner = names.owner(element)
            let named = names.columns(of: owner)
            let fitting = named.filter { file.types[table]?[$0]?.uppercased() == element.type }
            // If the objects have nothing else of the name, their values in such columns are the element's.
            let hasRival = names.hasRival(owner, for: fitting)
            let candidates = fitting.filter { hasRival || hasValues($0, in: owner.entity) }
            let isClear =
                !fitting.isEmpty && candidates.count < 2
                && candidates.allSatisfy {
                    free.contains($0) && !hasValues($0, outside: owner.entity)
                }
            // The element may have another property's column if that one has a column left that may be its own.
            let mayBeOthers =
                !isClear && !fitting.isSubset(of: free) && !named.isDisjoint(with: free)
            for other in others {
                guard let column = known[other.key], named.contains(column) else { continue }
                let isRival = mayBeOthers && other.entity.isRelated(to: owner.entity)
                if isRival || hasValues(column, outside: other.entity) {
                    contested.insert(column)
                }
            }
            if isClear { found?[element.key] = candidates.first } else { found = nil }
        }
        return found
    }

    private func hasValues(_ column: String, in entity: NSEntityDescription) -> Bool {
        holders[column]?.isDisjoint(with: file.numbers(of: entity)) == false
    }

    private func hasValues(_ column: String, outside entity: NSEntityDescription) -> Bool {
        holders[column]?.isSubset(of: file.numbers(of: entity)) == false
    }
}

extension CoreDataFile {
    /// Adds the columns of the elements of composite attributes to those of a hierarchy's properties.
    ///
    /// - Returns: The attributes that have columns which could be something else's, too.
    func findElements(ofRoot root: NSEntityDescription) throws -> [NSAttributeDescription] {
        let found = try ElementSearch(self, root: root).run()
        knownColumns[root.name ?? ""] = columns(ofRoot: root)
            .filter { !found.contested.contains($0.value) }
            .merging(found.columns) { first, _ in first }
        return found.unclear
    }

    /// Column → the numbers of the entities whose objects have values in it, read in one go.
    fileprivate func holders(
        of columns: [String], in table: String
    ) throws -> [String: Set<Int64>] {
        let counts = columns.map { ", count(\($0.sqlIdentifier))" }.joined()
        var holders: [String: Set<Int64>] = [:]
        try connection.forEachRow(
            "SELECT Z_ENT\(counts) FROM \(table.sqlIdentifier) GROUP BY Z_ENT"
        ) { statement in
            for (index, column) in columns.enumerated() where statement.integer(at: index + 1) > 0 {
                holders[column, default: []].insert(statement.integer(at: 0))
            }
        }
        return holders
    }

    /// The composite attributes that an entity declares, by name.
    fileprivate static func composites(in entity: NSEntityDescription) -> [NSAttributeDescription] {
        entity.attributesByName.sorted { $0.key < $1.key }.map(\.value).filter {
            entity.declaringEntity(of: $0.name) === entity && !$0.isTransient
                && $0.elementsIfComposite != nil
        }
    }

    /// The elements of a composite attribute that an entity declares.
    fileprivate func elements(
        of attribute: NSAttributeDescription, in owner: NSEntityDescription
    ) -> [StoredElement] {
        AttributeElement.all(of: attribute).map { element in
            let paths = element.attributes.reduce([[]]) { paths, attribute in
                paths.flatMap { path in formerNames(of: attribute).map { path + [$0] } }
            }
            return StoredElement(
                key: "\(owner.name ?? "").\(element.name)", owner: owner, paths: paths,
                type: AttributeKind(element.attribute.attributeType)?.coreDataType ?? "")
        }
    }

    /// Whether a column is Core Data's own, or an addition of Seam3 1.
    fileprivate static func isReserved(_ column: String) -> Bool {
        fixedColumns.contains(column)
            || ["Z_FOK_", "ZSM_LOCALSTORE_"].contains(where: column.hasPrefix)
            || column.dropFirst().prefix(1).contains { ("0"..."9").contains($0) }
    }

    /// The numbers of an entity and its descendants.
    fileprivate func numbers(of entity: NSEntityDescription) -> Set<Int64> {
        Set(([entity] + entity.descendants).map(number))
    }
}

extension AttributeKind {
    /// The type that Core Data declares for a column.
    fileprivate var coreDataType: String {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: return "INTEGER"
        case .decimal: return "DECIMAL"
        case .double, .float: return "FLOAT"
        case .string, .uri: return "VARCHAR"
        case .date: return "TIMESTAMP"
        case .binaryData, .uuid, .transformable: return "BLOB"
        }
    }
}
