import CoreData

/// The rows that a fetch selects and their order, as SQL.
struct FetchQuery {
    /// The fetched entity's row.
    let source: RowSource
    /// Compiles further expressions of the same statement.
    var compiler: QueryCompiler
    /// The parts of the predicate that SQL cannot express; the selected rows are candidates for
    /// them.
    private(set) var residual: [NSPredicate] = []
    private let clause: FromClause
    private var conditions: [SQL] = []
    private var order: [SQL] = []

    private static let matching = "matching"

    /// The maximum number of ordering terms for rows of several tables. SQLite tracks in 64 bits
    /// which terms an order satisfies; with one term for ties, more terms terminate the process.
    private static let mostTermsOfJoin = 62

    private static var tooManyTerms: CocoaError {
        let reason =
            "More than \(mostTermsOfJoin) sort descriptors, some of them over relationships."
        return CocoaError(
            .coreData, userInfo: ["reason": reason, NSLocalizedFailureReasonErrorKey: reason])
    }

    private init(
        _ entity: EntitySchema, in schema: StoreSchema, prefix: SQL, sumsInHalves: Bool,
        keyOf: @escaping (NSManagedObjectID) -> Int64?
    ) {
        let aliases = AliasSequence()
        let alias = aliases.next()
        clause = FromClause("\(prefix)\(name: entity.table.name) AS \(verbatim: alias)")
        source = RowSource(entity: entity, alias: alias, clause: clause, aliases: aliases)
        compiler = QueryCompiler(schema: schema, source: source, keyOf: keyOf)
        compiler.sumsInHalves = sumsInHalves
    }

    /// The rows that match a request's predicate.
    ///
    /// - Parameters:
    ///   - request: The request, which is not changed.
    ///   - entity: Its entity.
    ///   - schema: The store's schema.
    ///   - sumsInHalves: See ``QueryCompiler/sumsInHalves``.
    ///   - keyOf: The `pk` of an object of this store.
    init(
        _ request: NSFetchRequest<any NSFetchRequestResult>, _ entity: EntitySchema,
        in schema: StoreSchema, sumsInHalves: Bool = false,
        keyOf: @escaping (NSManagedObjectID) -> Int64?
    ) throws {
        self.init(entity, in: schema, prefix: "", sumsInHalves: sumsInHalves, keyOf: keyOf)
        let numbers = request.includesSubentities ? entity.familyNumbers : [entity.number]
        let inTable = schema.entities.filter { $0.table === entity.table }.map(\.number)
        if numbers.count == 1, inTable.count > 1 {
            conditions.append("\(source.entityNumber) = \(numbers[0])")
        } else if numbers.count < inTable.count {
            let list = numbers.map { number -> SQL in "\(number)" }
            conditions.append("\(source.entityNumber) IN (\(list.joined(separator: ", ")))")
        }
        if let predicate = request.predicate {
            let parts = try compiler.split(predicate)
            conditions += parts.conditions
            residual = parts.residual
        }
    }

    /// The rows with given numbers, which were selected in memory.
    init(
        keys: [Int64], _ entity: EntitySchema, in schema: StoreSchema,
        sumsInHalves: Bool = false, keyOf: @escaping (NSManagedObjectID) -> Int64?
    ) {
        let list = ListParameter(keys.map { .integer($0) })
        self.init(
            entity, in: schema, prefix: "\(list.table) AS \(verbatim: Self.matching) JOIN ",
            sumsInHalves: sumsInHalves, keyOf: keyOf)
        conditions.append("\(source.key) = \(verbatim: Self.matching).value")
    }

    /// Orders the rows by sort descriptors.
    ///
    /// - Parameter breakingTies: Whether rows that the descriptors consider equal are ordered by
    ///   their creation, so that the pages of a windowed fetch are consistent.
    /// - Throws: ``Inexpressible`` if SQL cannot compare as a descriptor does;
    ///   `CocoaError.coreData` for more terms than SQLite can order a join by.
    mutating func sort(by descriptors: [NSSortDescriptor], breakingTies: Bool) throws {
        order = try descriptors.compactMap(compiler.orderingTerm)
        if clause.hasJoins, order.count > Self.mostTermsOfJoin { throw Self.tooManyTerms }
        guard breakingTies, let last = descriptors.last, !order.isEmpty else { return }
        // In the direction of the last term, so that one index can provide the whole order.
        order.append("\(source.key)\(verbatim: last.ascending ? "" : " DESC")")
    }

    /// Keeps the given order of the numbers.
    mutating func sortAsGiven() {
        order = ["\(verbatim: Self.matching).key"]
    }

    /// The statement for some columns. All its expressions must have been compiled already.
    func statement(
        selecting columns: SQL, isDistinct: Bool = false, groupedBy groups: [SQL] = [],
        having: SQL? = nil, window: FetchWindow
    ) -> SQL {
        var sql: SQL =
            "SELECT \(verbatim: isDistinct ? "DISTINCT " : "")\(columns) FROM \(clause.sql)"
        if !conditions.isEmpty { sql = "\(sql) WHERE \(QueryCompiler.all(conditions))" }
        if !groups.isEmpty { sql = "\(sql) GROUP BY \(groups.joined(separator: ", "))" }
        if let having { sql = "\(sql) HAVING \(having)" }
        if !order.isEmpty { sql = "\(sql) ORDER BY \(order.joined(separator: ", "))" }
        return "\(sql)\(window.sql)"
    }
}

/// A fetch's limit and offset; 0 for none.
struct FetchWindow {
    var limit = 0
    var offset = 0

    /// All results.
    static let all = FetchWindow()

    var isAll: Bool { limit <= 0 && offset <= 0 }

    /// The clause, with a leading space. SQL has no offset without a limit; -1 means no limit.
    var sql: SQL {
        if isAll { return "" }
        let limit: SQL = " LIMIT \(bind: .integer(Int64(self.limit > 0 ? self.limit : -1)))"
        return offset > 0 ? "\(limit) OFFSET \(bind: .integer(Int64(offset)))" : limit
    }

    /// The part of some results that is in the window.
    func slice<T>(_ results: [T]) -> [T] {
        let rest = results.dropFirst(max(offset, 0))
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }
}
