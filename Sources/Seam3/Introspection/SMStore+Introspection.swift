import CoreData

/// Diagnosing a store.
extension SMStore {
    /// Counts what the store contains: bytes, objects, and changes that wait for the server.
    ///
    ///     let statistics = try store.statistics()
    ///     print("\(statistics.rowCount) objects, \(statistics.pendingChangeCount) changes wait")
    ///
    /// The counts are consistent with each other even if another process is writing. Reading them takes time
    /// in proportion to the number of objects.
    ///
    /// - Returns: The sizes and counts.
    /// - Throws: ``SMStoreError`` if the store is not open, or an error of SQLite.
    public func statistics() throws -> SMStoreStatistics {
        try lock.locked {
            let database = try database()
            var statistics = try database.connection.transaction(.deferred) {
                try database.statistics()
            }
            statistics.fileSize = Self.size(ofFiles: filePaths)
            if let folder = database.externalFiles?.folder {
                statistics.externalDataSize = Self.size(
                    ofFiles: try folder.fileNames().compactMap { folder.file($0)?.path })
            }
            return statistics
        }
    }

    /// Looks for inconsistencies in the file: dangling references, links without ends, pending changes
    /// without objects, and damage that SQLite finds.
    ///
    ///     for violation in try store.checkInvariants() { print(violation) }
    ///
    /// For a sound store the list is empty. A violation is caused by a defect of this framework or of the
    /// disk, or by another program. Nothing is repaired. The check reads the whole file.
    ///
    /// - Parameter limit: The maximum number of violations of one kind for one property.
    /// - Returns: The violations, by rule.
    /// - Throws: ``SMStoreError`` if the store is not open, or an error of SQLite that prevents the check.
    public func checkInvariants(limit: Int = 100) throws -> [SMStoreViolation] {
        try lock.locked {
            let database = try database()
            return try database.connection.transaction(.deferred) {
                try InvariantCheck(database: database, limit: limit).violations()
            }
        }
    }

    // MARK: - Sizes

    private var filePaths: [String] {
        guard let path = fileURL?.path else { return [] }
        // The third file, "-shm", is an index in shared memory.
        return [path, path + "-wal"]
    }

    private static func size(ofFiles paths: [String]) -> Int64 {
        paths.reduce(0) { sum, path in
            // A missing file has no size.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return sum + ((attributes?[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }
}

extension StoreDatabase {
    /// The rows and pending changes, without the sizes of files.
    fileprivate func statistics() throws -> SMStoreStatistics {
        var statistics = SMStoreStatistics()
        for entity in schema.entities where !entity.description.isAbstract {
            statistics.rowCounts[entity.name] = 0
        }
        for table in schema.tables {
            let counts = try connection.rows(
                "SELECT entity, count(*) FROM \(table.name.sqlIdentifier) GROUP BY entity"
            ) { (number: $0.integer(at: 0), count: Int(clamping: $0.integer(at: 1))) }
            for (number, count) in counts {
                guard let entity = schema.entity(number: number) else { continue }
                statistics.rowCounts[entity.name] = count
            }
        }
        for waiting in try outbox.counts() {
            guard
                let name = schema.entity(number: waiting.entity)?.name
                    ?? schema.link(number: waiting.entity)?.recordType
            else { continue }
            var changes = statistics.pendingChanges[name] ?? SMStoreStatistics.PendingChanges()
            switch waiting.kind {
            case .insert: changes.insertions += waiting.count
            case .update: changes.updates += waiting.count
            case .delete: changes.deletions += waiting.count
            }
            changes.refused += waiting.parked
            statistics.pendingChanges[name] = changes
        }
        return statistics
    }
}
