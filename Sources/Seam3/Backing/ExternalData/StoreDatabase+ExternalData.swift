import CoreData

/// Values that lie in files.
extension StoreDatabase {
    /// What the column of an attribute keeps for a value of an object.
    ///
    /// - Throws: ``SMStoreError/unacceptableValue(entity:property:value:)``, or what the file system
    ///   throws.
    func stored(_ value: Any?, of attribute: AttributeColumn) throws -> SQLiteValue {
        try kept(attribute.stored(value), of: attribute)
    }

    /// What the column of an attribute keeps for bytes that may be many.
    func kept(_ stored: SQLiteValue, of attribute: AttributeColumn) throws -> SQLiteValue {
        guard attribute.isExternal, let externalFiles else { return stored }
        return try externalFiles.kept(stored)
    }

    /// The value of an attribute, as Core Data holds it.
    func value(_ stored: SQLiteValue, of attribute: AttributeColumn) -> Any? {
        attribute.value(attribute.isExternal ? inlined(stored, of: attribute) : stored)
    }

    /// The value of an attribute.
    func attributeValue(
        _ stored: SQLiteValue, of attribute: AttributeColumn
    ) -> AttributeValue {
        attribute.attributeValue(attribute.isExternal ? inlined(stored, of: attribute) : stored)
    }

    /// What a column keeps, with the bytes in the place of a file's name.
    func inlined(_ stored: SQLiteValue, of attribute: AttributeColumn) -> SQLiteValue {
        guard attribute.isExternal, case .text(let name) = stored, let externalFiles else {
            return stored
        }
        return SQLiteValue(externalFiles.folder.data(name))
    }

    /// Notes that a row is going or getting other values in some columns.
    ///
    /// - Parameter columns: The places of the columns; nil for all.
    func noteReplaced(_ row: ObjectRow, columnsAt columns: [Int]? = nil) {
        guard let externalFiles else { return }
        for attribute in row.entity.attributes
        where attribute.isExternal && columns?.contains(attribute.index) ?? true {
            externalFiles.noteReplaced(row.values[attribute.index])
        }
    }

    /// Notes that a waiting change is losing the values that it is based on.
    ///
    /// - Parameter pk: The object of the change.
    func noteBaseReplaced(of pk: Int64) throws {
        guard let externalFiles, !externalColumns.isEmpty else { return }
        let base = try connection.firstRow(
            "SELECT changed FROM sm_change WHERE pk = ? AND changed IS NOT NULL", [.integer(pk)]
        ) { FieldValues(encoded: $0.blob(at: 0)) }
        for name in base?.fileNames ?? [] { externalFiles.noteReplaced(.text(name)) }
    }

    /// Notes that all waiting changes are losing the values that they are based on.
    func noteAllBasesReplaced() throws {
        for name in try namesInOutbox() { externalFiles?.noteReplaced(.text(name)) }
    }

    // MARK: - After transactions

    /// Removes the files to which nothing refers, of those that the last transactions have written or
    /// given up. To be called after a transaction, whether it was committed or not.
    func settleExternalFiles() {
        guard let externalFiles, !externalFiles.candidates.isEmpty else { return }
        let names = externalFiles.takeCandidates()
        do {
            let kept = try namesInOutbox()
            for name in names where !kept.contains(name) {
                if try !hasRow(referringTo: name) { externalFiles.folder.remove(name) }
            }
        } catch {
            // What is left over is swept when the store is opened next.
            StoreLog.debug(
                "External data could not be cleaned up: \(StoreLog.text(error))", .store)
        }
    }

    /// Removes the files that a crash has left over.
    func sweepExternalFiles() throws {
        guard let folder = externalFiles?.folder else { return }
        let names = try folder.settledFiles()
        guard !names.isEmpty else { return }
        let kept = try namesInOutbox()
        for name in names where try !kept.contains(name) && !hasRow(referringTo: name) {
            folder.remove(name)
        }
    }

    private func hasRow(referringTo name: String) throws -> Bool {
        for (table, column) in externalColumns {
            let isThere = try connection.firstRow(
                """
                SELECT 1 FROM \(table.sqlIdentifier) WHERE \(column.sqlIdentifier) = ? \
                AND typeof(\(column.sqlIdentifier)) = 'text' LIMIT 1
                """, [.text(name)]
            ) { _ in true }
            if isThere == true { return true }
        }
        return false
    }

    /// The files that are part of what waiting changes are based on: a conflict may need them.
    private func namesInOutbox() throws -> Set<String> {
        guard !externalColumns.isEmpty else { return [] }
        var names: Set<String> = []
        _ = try connection.rows(
            "SELECT changed FROM sm_change WHERE kind = 2 AND changed IS NOT NULL"
        ) { row in
            names.formUnion(FieldValues(encoded: row.blob(at: 0)).fileNames)
        }
        return names
    }
}

extension FieldValues {
    /// The texts that may be names of files.
    fileprivate var fileNames: [String] {
        values.values.compactMap(\.text).filter(ExternalDataFolder.isName)
    }
}

extension StoreSchema {
    /// The columns that may refer to files: table and column, each once.
    var externalColumns: [(table: String, column: String)] {
        var known: Set<String> = []
        return entities.flatMap { entity in
            entity.attributes.filter(\.isExternal).compactMap { attribute in
                known.insert("\(entity.table.name) \(attribute.column)").inserted
                    ? (entity.table.name, attribute.column) : nil
            }
        }
    }
}
