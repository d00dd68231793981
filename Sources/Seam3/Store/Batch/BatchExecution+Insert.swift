import CoreData

/// Batch insertion, row by row with one statement.
extension BatchExecution {
    /// Inserts all rows of a request.
    ///
    /// If a row has the same values under a uniqueness constraint as an existing one, the context's
    /// merge policy decides. If the object trumps, the existing row takes the given values; under
    /// the overwrite policy it takes all values; if the store trumps or the policy is rollback, the
    /// existing row stays. Under any other policy nothing is inserted at all.
    ///
    /// - Returns: The result, with the rows that were changed instead, and whether there are
    ///   changes to send.
    /// - Throws: 133021 under the error policy, or if a row conflicts with two others; 1610 or 1620 if an
    ///   attribute cannot hold a number.
    func insert(_ request: NSBatchInsertRequest) throws -> (Any, Bool) {
        // What Apple's frameworks do here is an assumption: SM-11.
        let entity = try entity(named: request.entityName)
        guard !entity.description.isAbstract else {
            throw SMStoreError.invalidRequest(
                "NSBatchInsertRequest for the abstract entity \(entity.name)")
        }
        var insertion = try BatchInsertion(self, entity)
        if let rows = request.objectsToInsert {
            for row in rows { try autoreleasepool { try insertion.insert(row) } }
        } else if let handler = request.dictionaryHandler {
            var isDone = false
            while !isDone {
                isDone = try autoreleasepool {
                    let dictionary = NSMutableDictionary()
                    if handler(dictionary) { return true }
                    var row: [String: Any] = [:]
                    for (key, value) in dictionary { row["\(key)"] = value }
                    try insertion.insert(row)
                    return false
                }
            }
        } else if let handler = request.managedObjectHandler {
            try insertion.insertObjects(handler)
        }
        let result: Any
        switch request.resultType {
        case .objectIDs: result = insertion.keys.map { store.objectID($0, entity) }
        case .count: result = NSNumber(value: insertion.keys.count)
        default: result = NSNumber(value: true)
        }
        let isSynced = mappings.mapping(of: entity) != nil && !insertion.keys.isEmpty
        return (BatchInsertResult(result, request.resultType), isSynced)
    }
}

/// The rows of one batch insertion.
struct BatchInsertion {
    private let batch: BatchExecution
    private let entity: EntitySchema
    private let mapping: RecordMapping?
    private var recordNames = RecordNames()
    private let policy: NSMergePolicyType
    /// The values of a row for which none are given.
    private let defaults: [SQLiteValue]
    /// The objects that were inserted, or changed instead.
    private(set) var keys: [Int64] = []

    /// How many objects the handler fills before their context is reset.
    private static let resetInterval = 1000

    init(_ batch: BatchExecution, _ entity: EntitySchema) throws {
        self.batch = batch
        self.entity = entity
        mapping = batch.mappings.mapping(of: entity)
        let policy = batch.context?.mergePolicy as? NSMergePolicy
        self.policy = policy?.mergeType ?? .errorMergePolicyType
        var row = ObjectRow(pk: 0, entity: entity)
        for attribute in entity.attributes where !attribute.isDerived {
            row.values[attribute.index] = try attribute.stored(attribute.defaultValue)
        }
        defaults = row.values
    }

    /// Inserts a row with values by attribute name; other attributes get their defaults.
    mutating func insert(_ values: [String: Any]) throws {
        var stored: [Int: SQLiteValue] = [:]
        for (name, value) in values {
            let elements = entity.elements(ofAttribute: name).filter { !$0.isDerived }
            for element in elements {
                stored[element.index] = try batch.stored(element.element(of: value), of: element)
            }
            if !elements.isEmpty {
                continue
            } else if entity.description.propertiesByName[name]?.isTransient != true {
                throw SMStoreError.invalidRequest(
                    "NSBatchInsertRequest with \(entity.name).\(name), which is not an attribute")
            }
        }
        try write(stored)
    }

    /// Inserts a row for each object that a handler fills, until the handler returns `true`.
    ///
    /// The objects belong to a context of their own, which is never saved.
    mutating func insertObjects(_ handler: @escaping (NSManagedObject) -> Bool) throws {
        let scratch = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        scratch.persistentStoreCoordinator = batch.store.persistentStoreCoordinator
        scratch.undoManager = nil
        nonisolated(unsafe) let handler = handler
        nonisolated(unsafe) let entity = entity
        nonisolated(unsafe) let batch = batch
        var count = 0
        while true {
            let isLastBeforeReset = count % Self.resetInterval == Self.resetInterval - 1
            let stored = try scratch.performAndWait { () throws -> [Int: SQLiteValue]? in
                defer { if isLastBeforeReset { scratch.reset() } }
                let object = NSEntityDescription.insertNewObject(
                    forEntityName: entity.name, into: scratch)
                if handler(object) { return nil }
                var stored: [Int: SQLiteValue] = [:]
                for attribute in entity.attributes where !attribute.isDerived {
                    let value = try attribute.stored(attributeValue: attribute.value(of: object))
                    try batch.requireRange(of: value, attribute)
                    stored[attribute.index] = try batch.database.kept(value, of: attribute)
                }
                return stored
            }
            guard let stored else { return }
            try write(stored)
            count += 1
        }
    }

    // MARK: - Rows

    private mutating func write(_ stored: [Int: SQLiteValue]) throws {
        var row = ObjectRow(pk: 0, entity: entity)
        row.values = defaults
        for (index, value) in stored { row.values[index] = value }
        let missing = entity.attributes.first {
            !$0.isOptional && row.values[$0.index].isNull && !defaults[$0.index].isNull
        }
        if let missing { throw CocoaError.missingProperty(missing.name, of: entity.name) }
        let name = mapping?.naturalKey?.recordName(of: row)
        if let known = try rowInTheWay(of: row, naturalName: name) {
            try change(known, to: row, given: Set(stored.keys))
            return
        }
        let pk = try batch.store.takeKey(batch.database)
        var inserted = ObjectRow(pk: pk, entity: entity)
        inserted.values = row.values
        if let name {
            _ = try batch.database.objects.insert(
                pk, entity: entity.number, naturalName: name, otherName: recordNames.next())
        } else {
            try batch.database.objects.insert(
                pk, entity: entity.number, recordName: recordNames.next())
        }
        try batch.database.rows.insert(inserted)
        if mapping != nil {
            try batch.database.outbox.noteInsertion(pk, .insertion(batch.cause))
        }
        keys.append(pk)
    }

    /// The existing row that has the same values as a new one under a uniqueness constraint.
    private func rowInTheWay(of row: ObjectRow, naturalName: String?) throws -> Int64? {
        var found: Int64?
        for constraint in entity.constraints {
            let name = constraint.isNaturalKey ? naturalName : nil
            let sharing =
                try batch.database.keys(sharing: constraint, with: row).first
                ?? name.flatMap { try batch.database.key(naturallyNamed: $0, batch.mappings) }
            guard let pk = sharing else { continue }
            let isUnresolvable = found != nil && found != pk
            if policy == .errorMergePolicyType || isUnresolvable {
                let number = try batch.database.objects.entry(pk)?.entity ?? entity.number
                throw ConstrainedObjects.error(
                    try batch.conflicts(constraint, of: nil, with: (pk, number)))
            }
            found = pk
        }
        return found
    }

    /// Applies the merge policy to the existing row.
    private mutating func change(_ pk: Int64, to new: ObjectRow, given: Set<Int>) throws {
        guard policy != .rollbackMergePolicyType,
            policy != .mergeByPropertyStoreTrumpMergePolicyType,
            let entry = try batch.database.objects.entry(pk),
            let entity = batch.schema.entity(number: entry.entity),
            let old = try batch.database.rows.row(pk, of: entity)
        else { return }
        let replacesAll = policy == .overwriteMergePolicyType
        var row = old
        var columns: [Int] = []
        var base = PropertyValues()
        for attribute in self.entity.attributes
        where !attribute.isDerived && (replacesAll || given.contains(attribute.index))
            && row.values[attribute.index] != new.values[attribute.index]
        {
            row.values[attribute.index] = new.values[attribute.index]
            columns.append(attribute.index)
            base[attribute.name] = old.values[attribute.index]
        }
        keys.append(pk)
        guard !columns.isEmpty else { return }
        row.version = ObjectRow.version(after: old.version)
        _ = try batch.database.rows.update(row, columnsAt: columns, expectedVersion: old.version)
        guard let mapping = batch.mappings.mapping(of: entity) else { return }
        base.values = base.values.filter { mapping.propertyNames.contains($0.key) }
        if !base.values.isEmpty {
            try batch.database.outbox.noteUpdate(pk, base, batch.cause)
        }
    }
}
