/// The table of a root entity and of all its subentities.
///
/// Rows are read and written as arrays of values in the order of ``columns``.
final class RootTable {
    let rootName: String
    /// The table's name, unquoted.
    let name: String
    /// The columns of all properties, unquoted; `pk`, `entity` and `version` come before them.
    private(set) var columns: [String] = []
    /// The indexes of the to-one relationships in ``columns``.
    private(set) var toOneIndexes: [Int] = []
    /// For each to-one relationship, the number of the only entity that its destination can have;
    /// nil if that entity has subentities.
    private(set) var soleDestinations: [Int64?] = []
    /// The columns with their types.
    private(set) var declarations: [String] = []

    init(rootName: String, name: String) {
        self.rootName = rootName
        self.name = name
    }

    /// The index of a column, which is added on first use.
    func index(of column: String, declaration: String, isToOne: Bool) -> Int {
        if let index = columns.firstIndex(of: column) { return index }
        columns.append(column)
        declarations.append("\(column.sqlIdentifier) \(declaration)")
        if isToOne {
            toOneIndexes.append(columns.count - 1)
            soleDestinations.append(nil)
        }
        return columns.count - 1
    }

    /// Notes the only entity that a to-one relationship's destination can have.
    func setSoleDestination(_ number: Int64, at destinationIndex: Int) {
        soleDestinations[destinationIndex] = number
    }

    /// The index among the to-one relationships of the column at an index.
    func destinationIndex(ofColumnAt index: Int) -> Int {
        toOneIndexes.firstIndex(of: index) ?? 0
    }

    /// The statement that creates the table.
    var tableStatement: String {
        let fixed = [
            "pk INTEGER PRIMARY KEY", "entity INTEGER NOT NULL", "version INTEGER NOT NULL",
        ]
        return "CREATE TABLE \(name.sqlIdentifier)"
            + " (\((fixed + declarations).joined(separator: ", ")))"
    }

    /// The statements that create the indexes that the relationships need.
    var indexStatements: [String] {
        toOneIndexes.map { index in
            // No entity's name contains a period, so a table cannot have the same name as an index.
            let indexName = "sm_index \(name).\(columns[index])".sqlIdentifier
            return "CREATE INDEX \(indexName) ON \(name.sqlIdentifier)"
                + " (\(columns[index].sqlIdentifier))"
        }
    }

    // MARK: - Statements

    /// The columns of a row with an alias: `pk`, `entity`, `version`, the values, and for each
    /// to-one relationship the number of its destination's entity, NULL where there is none.
    ///
    /// - Parameters:
    ///   - alias: The table's alias in the statement.
    ///   - areAllPresent: Whether no object is absent, neither as a placeholder nor as deleted: a
    ///     reference then leads to an object, whose entity need not be looked up if it can be only one.
    func selectList(alias: String, areAllPresent: Bool = false) -> String {
        if alias == AliasSequence.first, let known = fetchLists[areAllPresent] { return known }
        let fixed = ["pk", "entity", "version"].map { "\(alias).\($0)" }
        let values = columns.map { "\(alias).\($0.sqlIdentifier)" }
        let destinations = zip(toOneIndexes, soleDestinations).map { index, sole -> String in
            if areAllPresent, let sole { return String(sole) }
            return ObjectTable.entityOfPresent("\(alias).\(columns[index].sqlIdentifier)")
        }
        return (fixed + values + destinations).joined(separator: ", ")
    }

    /// The values of an empty row; see ``ObjectRow/values``.
    private(set) var emptyValues: [SQLiteValue] = []
    /// The select lists of fetches, by whether all objects are present.
    private var fetchLists: [Bool: String] = [:]
    private(set) var selectStatement = ""
    private(set) var insertStatement = ""
    private(set) var deleteStatement = ""

    /// Creates the statements, once all columns are known and before the table is shared.
    func finish() {
        let table = name.sqlIdentifier
        emptyValues =
            columns.map { _ in SQLiteValue.null } + toOneIndexes.map { _ in SQLiteValue.null }
        let names = ["pk", "entity", "version"] + columns.map(\.sqlIdentifier)
        let parameters = Array(repeating: "?", count: names.count).joined(separator: ", ")
        selectStatement = "SELECT \(selectList(alias: "t")) FROM \(table) AS t WHERE t.pk = ?"
        insertStatement =
            "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(parameters))"
        deleteStatement = "DELETE FROM \(table) WHERE pk = ? AND version = ?"
        for areAllPresent in [false, true] {
            fetchLists[areAllPresent] = selectList(
                alias: AliasSequence.first, areAllPresent: areAllPresent)
        }
    }

    /// Sets some columns and raises the version of a row, if it has the expected version.
    ///
    /// Parameters: the columns' values, the new version, `pk`, the expected version.
    func updateStatement(columnsAt indexes: [Int]) -> String {
        let assignments = indexes.map { "\(columns[$0].sqlIdentifier) = ?" } + ["version = ?"]
        return "UPDATE \(name.sqlIdentifier) SET \(assignments.joined(separator: ", "))"
            + " WHERE pk = ? AND version = ?"
    }
}
